"""Was a finished game dealt and played fairly? Chance from its seed, its moves by the rules.

The seed is published with the end of a game; its commitment, in the first event, fixed it (and
with it every shuffle) before anybody moved. `verify` needs the log and nothing else.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.game.chance import SEATS, STEP_2_CARD, STEP_3, Chance
from core.game.errors import LogError, RulesError
from core.game.events import (
    Event,
    GameStarted,
    PlantBoxed,
    PlantDrawn,
    Rewound,
    StackShuffled,
    Step3CardBack,
    Step3CardBoxed,
    StepReached,
    closing,
)
from core.game.evolve import Fold
from core.game.judge import judge
from core.game.phases import setup
from core.game.rules import check
from core.game.state import GameState
from core.game.types import STEP_3_CARD, PlantNumber, Seat
from core.text import _, ngettext


@dataclass(frozen=True, slots=True)
class Check:
    """`what` was computed again for event number `seq`; `wrong` says how it differs, if it does."""

    seq: int
    what: str
    wrong: str = ""


@dataclass(frozen=True, slots=True)
class Findings:
    """What fits the seed, in the order of the log, and the first thing that does not.

    `joined`: seats in the order in which their owners came to the table, if the table drew the
    seats. No log holds that order: whoever was there compares it with what they remember.
    """

    seed: str
    commitment: str
    fits: tuple[Check, ...]
    misfit: Check | None
    joined: tuple[Seat, ...]

    @property
    def fair(self) -> bool:
        """Does everything fit?"""
        return self.misfit is None


def verify(events: Sequence[Event]) -> Findings:
    """Compute all chance of a log again, up to the first thing that does not fit.

    LogError where the events are no log at all: none, or none that starts a game.
    """
    if not events or not isinstance(events[0], GameStarted):
        raise LogError("A log starts with GameStarted.")
    started, seed = events[0], _seed(events)
    fits, misfit = [], None
    for result in _checks(events, started, seed):
        if result.wrong:
            misfit = result
            break
        fits.append(result)
    everyone = tuple(Seat(i) for i in range(started.seats))
    return Findings(
        seed=seed,
        commitment=started.commitment,
        fits=tuple(fits),
        misfit=misfit,
        joined=_unshuffled(Chance(seed).shuffled(everyone, SEATS)) if seed else (),
    )


def _seed(events: Sequence[Event]) -> str:
    last = closing(events)
    return last.seed if last else ""


def _unshuffled(drawn: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Seat `i` was given to the one who came `drawn[i]`-th: the seats by who came first."""
    return tuple(Seat(seat) for seat, _came in sorted(enumerate(drawn), key=lambda pair: pair[1]))


def _checks(events: Sequence[Event], started: GameStarted, seed: str) -> Iterator[Check]:
    yield Check(
        len(events),
        _("the seed is published"),
        "" if seed else _("it is not there: a game shows its seed with its last event"),
    )
    yield from _setup(started, Chance(seed))
    yield from _course(events, Chance(seed))
    yield from _rules(events)


def _rules(events: Sequence[Event]) -> Iterator[Check]:
    """Every move made again by the rules; what they leave open stands among what fits."""
    found = judge(events)
    if found.judged:
        moves = ngettext("{n} move", "{n} moves", found.moves).format(n=found.moves)
        what = _("{moves} made again by the rules: every event follows").format(moves=moves)
    else:
        what = _("the moves are by the rules")
    wrong = found.difference
    yield Check(wrong.seq if wrong else len(events), what, str(wrong) if wrong else "")
    for fact in found.unchecked:
        yield Check(len(events), _("not checked: {fact}").format(fact=fact))


def _setup(started: GameStarted, chance: Chance) -> Iterator[Check]:
    """Lay out the table before the first move again, with the rules that the log carries."""
    what = _("the rules fit together")
    problem = next(iter(check.problems(started.ruleset)), None)
    yield Check(1, what, f"{problem.key}: {problem.reason}" if problem else "")
    try:
        again = setup.set_up(started.ruleset, started.seats, chance, started.regions)
    except RulesError as error:
        yield Check(1, what, str(error))
        return
    pairs = (
        (_("the commitment is that of the seed"), started.commitment,
         chance.commitment(None if started.edition else started.stack)),
        (_("the stack lies as the seed shuffles it"), started.stack, again.stack),
        (_("plants put away unseen are those of the seed"), started.boxed, again.boxed),
        (_("the opening market is that of the seed"), started.market.cards, again.market.cards),
        (_("the first turn order is that of the seed"), started.order, again.order),
        (_regions(started), started.regions, again.regions),
    )  # fmt: skip
    for what, logged, drawn in pairs:
        yield Check(1, what, _differs(logged, drawn))


def _regions(started: GameStarted) -> str:
    if started.ruleset.region_choice == "random":
        return _("the regions are those of the seed")
    return _("the regions were not left to chance")


def _differs(logged: object, drawn: object) -> str:
    if logged == drawn:
        return ""
    text = _("the log says {logged}, the seed gives {drawn}")
    return text.format(logged=_short(logged), drawn=_short(drawn))


def _short(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _course(events: Sequence[Event], chance: Chance) -> Iterator[Check]:
    """Cards drawn and shuffles on the way, each against the stack as it lay before.

    What was taken back was dealt, too, and is looked at like the rest.
    """
    fold, drawn = Fold(), 0
    state = fold.add(events[0])
    lay = [_Stack()]
    for seq, event in enumerate(events[1:], start=2):
        stack, card = lay[-1], _from_stack(event)
        if card is not None:
            drawn += 1
            if wrong := _drawn_wrongly(state, card, stack.due):
                yield Check(seq, _("the top card of the stack comes"), wrong)
        if isinstance(event, StackShuffled):
            stack = replace(stack, shuffled=True, due=False)
            yield _shuffle(seq, event, state, chance, lay[-1])
        if isinstance(event, Step3CardBack):
            stack = _Stack(back=True)
        state = fold.add(event)
        if isinstance(event, Rewound):
            stack = lay[event.to - 1]
        elif _calls_for_shuffle(event, state) and len(state.stack) > 1:
            stack = replace(stack, due=True)
        lay.append(stack)
    cards = ngettext("{n} card came", "{n} cards came", drawn).format(n=drawn)
    yield Check(len(events), _("{cards} from the top of the stack").format(cards=cards))


@dataclass(frozen=True, slots=True)
class _Stack:
    """Has it been shuffled for Step 3, and must it be before the next card comes?

    `back`: the Step 3 card came up twice, and lies under the stack again since Step 2.
    """

    shuffled: bool = False
    due: bool = False
    back: bool = False


def _shuffle(
    seq: int, event: StackShuffled, state: GameState, chance: Chance, lay: _Stack
) -> Check:
    what = ngettext(
        "{n} card is shuffled for Step 3 as the seed shuffles it",
        "{n} cards are shuffled for Step 3 as the seed shuffles them",
        len(event.stack),
    ).format(n=len(event.stack))
    if lay.shuffled:  # the same seed would shuffle them alike
        return Check(seq, what, _("the stack is shuffled only once in a game"))
    first = state.ruleset.step2_trigger == "deck" and not lay.back
    purpose = STEP_2_CARD if first else STEP_3
    return Check(seq, what, _differs(event.stack, chance.shuffled(state.stack, purpose)))


def _from_stack(event: Event) -> PlantNumber | None:
    match event:
        case PlantDrawn(plant=card) | PlantBoxed(plant=card, from_stack=True):
            return card
        case Step3CardBoxed(from_stack=True):
            return STEP_3_CARD
    return None


def _drawn_wrongly(state: GameState, card: PlantNumber, due: bool) -> str:
    if due:
        return _("the stack is to be shuffled first")
    if not state.stack:
        return _("card {card} came from an empty stack").format(card=card)
    if state.stack[0] != card:
        text = _("card {card} came, and card {top} lay on top")
        return text.format(card=card, top=state.stack[0])
    return ""


def _calls_for_shuffle(event: Event, after: GameState) -> bool:
    """Is this the moment at which these rules have the stack shuffled (B31)?"""
    moment = after.ruleset.step3_reshuffle
    if moment == "on_draw":
        return _from_stack(event) == STEP_3_CARD
    return moment == "on_step3_start" and isinstance(event, StepReached) and event.step == 3
