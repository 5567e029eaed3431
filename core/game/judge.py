"""Was a game played by the rules? Its moves, made again through the engine, event by event.

The events of a log tell what players chose; the engine says what follows from it. `judge` makes
each move again from the position before it and lays both side by side. Needs the log and nothing
else; where the seed is not published yet, what only chance decides is taken from the log.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, Final

from core.game import engine, notation
from core.game import events as ev
from core.game.board.storage import ways_to_keep
from core.game.chance import BLOCKED, SIDE_PILE, STEP_2, STEP_2_CARD, STEP_3, Chance
from core.game.edition import EDITION
from core.game.errors import IllegalMove, LogError, RulesError
from core.game.events import Event, GameStarted, closing
from core.game.evolve import Fold
from core.game.moves import (
    Bid,
    BuildCities,
    BuyResources,
    ChooseRegion,
    DiscardPlant,
    Move,
    OpenAuction,
    Pass,
    PowerPlants,
    Run,
)
from core.game.phases import setup
from core.game.rewind import is_reveal
from core.game.rules import check
from core.game.rules.choices import region_choices
from core.game.rules.origin import differing
from core.game.state import GameState, fast_replace
from core.game.types import STEP_3_CARD, UNSEEN, CityId, Elektro, Fuel, Phase, PlantNumber, Seat
from core.text import _, ngettext

SAME_DECISIONS: Final = frozenset({0, EDITION})
"""Editions of the rules' code whose games the code of today decides as they were decided."""

OPEN_FACTS: Final[Mapping[type[Event], tuple[str, ...]]] = MappingProxyType({
    ev.AuctionOpened: ("bid",),
    ev.BidPlaced: ("amount",),
    ev.SealedBidsOpened: ("bids",),
    ev.PlantDiscarded: ("plant",),
    ev.DeadlineExtended: ("hours",),
    ev.GraceGiven: ("seat", "hours"),
    ev.VacationBegan: ("seat", "days"),
    ev.CaretakerAppointed: ("seat",),
    ev.OwnerReturned: ("seat",),
    ev.SeatOpened: ("seat",),
    ev.SeatTaken: ("seat",),
    ev.OrdersRevealed: ("orders",),
    ev.PlantsRun: ("seat",),
})  # fmt: skip
"""What players chose to bid or to give up, what happened to people and clocks, and which of those
who run their plants at once did so first: no rule says how much, or who."""

_BY_TABLE: Final = (
    ev.TurnMissed, ev.MoveForced, ev.MoveOrdered, ev.DraftPlayed, ev.CaretakerAppointed,
    ev.OwnerReturned, ev.DeadlineExtended, ev.GraceGiven, ev.VacationBegan, ev.MadeBySitter,
    ev.SeatOpened, ev.SeatTaken, ev.GamePaused, ev.GameResumed, ev.TurnSkipped, ev.MoveCorrected,
    ev.Rewound, ev.OrdersRevealed, ev.GameAbandoned,
)  # fmt: skip
"""Events that no move causes."""
_BESIDE: Final = (
    ev.SeatOpened, ev.DeadlineExtended, ev.GraceGiven, ev.VacationBegan, ev.GamePaused,
    ev.GameResumed,
)  # fmt: skip
"""Events that may stand in the midst of a move: they change nothing on the board."""
_ANNOUNCING: Final = (
    ev.MoveForced, ev.MoveOrdered, ev.DraftPlayed, ev.MadeBySitter, ev.MoveCorrected,
    ev.TurnMissed, ev.TurnSkipped,
)  # fmt: skip
"""Events that say whose move comes next."""
_BY_DEFAULT: Final = (ev.TurnMissed, ev.TurnSkipped, ev.MoveForced)
_ONCE: Final = (
    ev.CaretakerAppointed, ev.OwnerReturned, ev.SeatOpened, ev.SeatTaken, ev.GamePaused,
    ev.GameResumed,
)  # fmt: skip
"""Events that are never told twice in a row."""
_BIDS: Final = (ev.AuctionOpened, ev.BidPlaced, ev.BidPassed, ev.SealedBidGiven)
_KINDS: Final = MappingProxyType({
    "limit": (Bid, Pass, DiscardPlant),
    "auction": (OpenAuction, Bid, Pass, DiscardPlant),
    "fuel": (BuyResources,),
    "build": (BuildCities,),
    "power": (PowerPlants,),
})  # fmt: skip
"""Moves that a standing order of each kind makes."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a log leaves the rules: event number `seq`, what it says, what the rules say."""

    seq: int
    what: str
    logged: str = ""
    ruled: str = ""

    def __str__(self) -> str:
        """Say it in a sentence."""
        text = _("event {seq}: {what}: the log says {logged}, the rules {ruled}")
        if not self.logged and not self.ruled:
            text = _("event {seq}: {what}")
        return text.format(
            seq=self.seq, what=self.what, logged=self.logged or "–", ruled=self.ruled or "–"
        )


@dataclass(frozen=True, slots=True)
class Judgement:
    """What came of it: the first difference, if any, and what could not be checked.

    `moves` that were made again, up to that difference. `judged`: the game was decided by an
    edition that the code of today can judge.
    """

    edition: int
    moves: int
    difference: Difference | None
    unchecked: tuple[str, ...]
    judged: bool = True

    @property
    def sound(self) -> bool:
        """Return True if nothing differs from the rules."""
        return self.difference is None


def judge(events: Sequence[Event], seed: str = "") -> Judgement:
    """Make every move of a log again, and compare event by event.

    Args:
        events: the log from its first event on; it may end with any move.
        seed: that of a game that still runs, where it is known; else the end of the log tells it.

    Raises:
        LogError: the events are no log at all: none, or none that starts a game.
    """
    if not events or not isinstance(events[0], GameStarted):
        raise LogError(_("A log starts with GameStarted."))
    edition = events[0].edition
    if edition > EDITION:
        what = _("it was decided by a later edition of the rules")
        later = Difference(
            1, what, _("edition {n}").format(n=edition), _("know {n}").format(n=EDITION)
        )
        return Judgement(edition, 0, later, (), judged=False)
    if edition not in SAME_DECISIONS:
        text = _("anything: it was decided by edition {n} of the rules, this is edition {own}")
        return Judgement(edition, 0, None, (text.format(n=edition, own=EDITION),), judged=False)
    court = _Court(events, seed)
    try:
        difference = court.first_difference()
    except (LogError, LookupError, ValueError, TypeError, ArithmeticError) as error:
        seq = min(court.seq + 1, len(events))
        difference = Difference(
            seq, _("cannot follow what came before it"),
            events[seq - 1].type, str(error) or type(error).__name__,
        )  # fmt: skip
    return Judgement(edition, court.moves, difference, tuple(court.unchecked()))


class _Found(Exception):
    def __init__(self, difference: Difference) -> None:
        super().__init__(str(difference))
        self.difference = difference


class _LoggedChance(Chance):
    """The shuffles that the log tells, for a game whose seed is not published."""

    def __init__(self, ahead: Sequence[Event]) -> None:
        super().__init__("")
        self._orders: dict[str, tuple[PlantNumber, ...]] = {}
        self._blocked: tuple[CityId, ...] = ()
        for n, event in enumerate(ahead):
            if isinstance(event, ev.CitiesBlocked):
                self._blocked = event.cities
            if isinstance(event, _SHUFFLES):
                under = isinstance(event, ev.Step3CardBack)  # the card lies under it
                stack = event.stack[:-1] if under else event.stack
                cards = _from_stack(_to_shuffle(ahead[n + 1 :])) if UNSEEN in stack else stack
                cards = cards[: len(stack)]
                unseen = (UNSEEN,) * (len(stack) - len(cards))
                for purpose in _PURPOSES[type(event)]:
                    self._orders.setdefault(purpose, (*cards, *unseen))

    def shuffled(self, cards: Sequence[Any], purpose: str) -> tuple[Any, ...]:
        """Return the logged order if it is one of these cards; else they stay as they lie."""
        if purpose.startswith(BLOCKED):
            return tuple(sorted(cards, key=self._place))
        order = self._orders.get(purpose, ())
        known = Counter(card for card in order if card != UNSEEN)
        among = UNSEEN in cards or not known - Counter(cards)
        fits = len(order) == len(cards) and among
        return order if fits else tuple(cards)

    def _place(self, city: CityId) -> int:
        """Where the log tells of a city that is blocked; behind all others if it does not."""
        told = self._blocked
        return told.index(city) if city in told else len(told)


@dataclass
class _Announced:
    """Whose move comes next, by whose word, and whether it is the default move."""

    seat: Seat
    by: Event
    default: bool


@dataclass
class _Court:
    log: Sequence[Event]
    seed: str
    moves: int = 0
    seq: int = 0
    """Events that were found to be by the rules."""
    fold: Fold = field(default_factory=Fold)
    sealed: list[dict[Seat, Elektro | None]] = field(default_factory=list)
    asked_at: set[int] = field(default_factory=set)
    """Positions at which the table waited for a move."""
    announced: _Announced | None = None
    open_bids: int = 0
    paused: bool = False

    def __post_init__(self) -> None:
        last = closing(self.log)
        self.seed = last.seed if last else self.seed
        self.maxima = dict(_maxima(self.log))

    @property
    def state(self) -> GameState:
        return self.fold.at(self.seq)

    def first_difference(self) -> Difference | None:
        try:
            self._start()
            while self.seq < len(self.log):
                event = self.log[self.seq]
                if isinstance(event, _BY_TABLE):
                    self._by_table(event)
                else:
                    self._move(event)
            self._end()
        except _Found as found:
            return found.difference
        return None

    def unchecked(self) -> Iterator[str]:
        """Say what the rules, or this log, leave open."""
        yield _("who played and when, and whether all that happened to people and clocks is told")
        yield from self._of_the_rules()
        if not self.seed:
            yield _("the order of cards and seats, and regions drawn: the seed is not published")
        if self.open_bids:
            yield ngettext(
                "the maximum of {n} sealed bid: its auction was not told",
                "the maxima of {n} sealed bids: their auctions were not told",
                self.open_bids,
            ).format(n=self.open_bids)
        for kind, count in Counter(type(e) for e in self.log[: self.seq]).items():
            if kind in OPEN_FACTS:
                named = ", ".join(OPEN_FACTS[kind])
                text = _("{kind} ({count} times): {fields}, which the rules leave open")
                yield text.format(kind=kind.__name__, count=count, fields=named)

    def _of_the_rules(self) -> Iterator[str]:
        """Return what the game was judged by is what its log says; is that what its preset says?"""
        started = self.log[0]
        if not isinstance(started, GameStarted):
            return
        rules = started.ruleset
        keys = differing(rules)
        names = {"map": rules.map.key, "variant": rules.variant}
        if keys is None:
            text = _("the rules themselves: map {map} or preset {variant} is not here")
            yield text.format(**names)
        elif keys:
            text = _("the rules themselves, which differ from {variant} on {map} in: {keys}")
            yield text.format(**names, keys=", ".join(keys))

    # --- the parts of a log ---------------------------------------------------------------

    def _start(self) -> None:
        started = self.log[0]
        if not isinstance(started, GameStarted):
            raise LogError(_("A log starts with GameStarted."))
        for problem in check.problems(started.ruleset):
            held = str(getattr(started.ruleset, problem.key, problem.key))[:_MOST]
            raise _Found(Difference(1, problem.key, held, problem.reason))
        chance = Chance(self.seed)
        try:
            laid = setup.set_up(started.ruleset, started.seats, chance, started.regions)
        except RulesError as error:
            seats = _("{n} seats").format(n=started.seats)
            raise _Found(Difference(1, "GameStarted", seats, str(error))) from error
        commitment = chance.commitment(None if started.edition else started.stack)
        laid = replace(laid, edition=started.edition, commitment=commitment)
        self._compare(0, [laid if self.seed else _as_far_as_open(laid, started)])
        if len(self.log) > 1:  # what is laid out with the table may bring up cards at once
            dealt = replace(started, stack=self._seen(1, started.stack))
            self._take((started, *engine.start_from(dealt, self._chance(1))[1:]))
        else:
            self._take(engine.start_from(started, chance))

    def _by_table(self, event: Event) -> None:
        state, at = self.state, self.seq + 1
        over = state.phase is Phase.FINISHED
        if over is not isinstance(event, ev.OrdersRevealed):
            when = _("after the end") if over else _("before the end")
            raise _Found(Difference(at, when, event.type, self._wanted()))
        self._demand_seat(at, event)
        if isinstance(event, _ONCE) and event == self.log[at - 2]:
            raise _Found(Difference(at, _("told twice"), event.type, self._wanted()))
        if isinstance(event, ev.GamePaused | ev.GameResumed):
            if isinstance(event, ev.GameResumed) and not self.paused:
                raise _Found(Difference(at, _("does it stand still?"), _("yes"), _("no")))
            self.paused = isinstance(event, ev.GamePaused)
        if isinstance(event, ev.OrdersRevealed):
            self._revealed(at, event)
        if isinstance(event, ev.Rewound):
            self._rewound(at, event)
        if isinstance(event, ev.MoveOrdered) and event.made:
            self._made_by_order(at, event)
        elif isinstance(event, _ANNOUNCING):
            self._announce(at, event)
        elif isinstance(event, ev.SeatOpened | ev.SeatTaken | ev.OwnerReturned):
            self.announced = None  # nothing follows where a seat is opened to others first
        envelopes = self.sealed[-1]
        if isinstance(event, ev.Rewound):
            envelopes = self.sealed[event.to - 1]
            self.announced = None
        self.fold.add(event)
        self.sealed.append(envelopes)
        self.seq += 1
        self.asked_at.add(self.seq)

    def _wanted(self) -> str:
        """Return what the rules wait for, in words."""
        acting = engine.to_act(self.state)
        if not acting:
            return _("nothing more")
        seats = ", ".join(map(str, acting))
        return ngettext(
            "a move of seat {seats}", "a move of one of seats {seats}", len(acting)
        ).format(seats=seats)

    def _demand_seat(self, at: int, event: Event | ev.RevealedOrder) -> None:
        seat, last = getattr(event, "seat", None), len(self.state.players) - 1
        if seat is not None and not 0 <= seat <= last:
            what = _("{kind}: there is no such seat").format(kind=type(event).__name__)
            seats = _("have seats 0 to {last}").format(last=last)
            raise _Found(Difference(at, what, str(seat), seats))

    def _announce(self, at: int, event: Any) -> None:
        """Its seat is asked, nobody else's move was announced, and a forced move has no choice."""
        acting = engine.to_act(self.state)
        if event.seat not in acting:
            raise _Found(_not_asked(at, event, event.seat, acting))
        if self.announced is not None:
            what = _("a move was announced already, by {by}").format(by=self.announced.by.type)
            raise _Found(Difference(at, what, event.type, self._wanted()))
        if isinstance(event, ev.MoveForced) and not engine.options(self.state, event.seat).forced:
            what = _("MoveForced: has the seat a choice?")
            raise _Found(Difference(at, what, _("no"), _("yes")))
        self.announced = _Announced(event.seat, event, isinstance(event, _BY_DEFAULT))

    def _made_by_order(self, at: int, event: ev.MoveOrdered) -> None:
        """Return a bid of the auction before, told after its sale."""
        sales = 0
        for seq in _back(self.log, self.seq):
            made = self.log[seq]
            sales += isinstance(made, ev.PlantBought)
            if sales > 1 or seq + 1 < event.made:
                break
            if seq + 1 == event.made and isinstance(made, _BIDS) and sales == 1:
                if made.seat != event.seat:
                    what = _("MoveOrdered: whose move was it?")
                    raise _Found(Difference(at, what, str(event.seat), str(made.seat)))
                return
        what = _("MoveOrdered: made")
        ruled = _("know no such bid in the auction before")
        raise _Found(Difference(at, what, str(event.made), ruled))

    def _rewound(self, at: int, event: ev.Rewound) -> None:
        """Back to where somebody was asked, and by no player's word beyond a reveal (M58)."""
        if event.to not in self.asked_at or event.to >= self.seq:
            what = _("Rewound: to an event after which somebody was asked")
            ruled = _("asked last after event {to}").format(
                to=max((seq for seq in self.asked_at if seq < event.to), default=1)
            )
            raise _Found(Difference(at, what, str(event.to), ruled))
        if event.again:
            self._again(at, event)
            return
        if event.by not in ("player", "consent"):
            return
        mover = None
        for seq in _back(self.log, self.seq):
            if seq < event.to:
                break
            mover = getattr(self.log[seq], "seat", mover)
            if is_reveal(self.log[seq]):
                text = _("Rewound: nobody can go back beyond event {seq}, {kind}")
                what = text.format(seq=seq + 1, kind=self.log[seq].type)
                raise _Found(Difference(at, what))
        if mover != event.seat:  # the first move that goes is the one that is taken back
            what = _("Rewound: whose move goes?")
            raise _Found(Difference(at, what, str(event.seat), str(mover)))

    def _again(self, at: int, event: ev.Rewound) -> None:
        before = self.log[event.to]
        if not isinstance(before, ev.Rewound) or before.seat != event.seat:
            what = _("Rewound: what comes back is what the same seat took back")
            raise _Found(Difference(at, what, str(event.to), f"{before.type} ({event.to + 1})"))

    def _revealed(self, at: int, event: ev.OrdersRevealed) -> None:
        for order in event.orders:
            if not 0 <= order.given <= order.closed <= self.seq:
                what = _("OrdersRevealed: between which events an order stood")
                ruled = _("have events 0 to {last}").format(last=self.seq)
                raise _Found(Difference(at, what, f"{order.given}, {order.closed}", ruled))
            self._demand_seat(at, order)

    def _move(self, event: Event) -> None:
        at, state = self.seq, self.state
        if state.phase is Phase.FINISHED:
            raise _Found(Difference(at + 1, _("after the end"), event.type, self._wanted()))
        acting = engine.to_act(state)
        seat = getattr(event, "seat", None)
        if seat is None or not isinstance(event, _FIRST):
            what = _("no move leads to it here")
            raise _Found(Difference(at + 1, what, event.type, self._wanted()))
        if seat not in acting:
            raise _Found(_not_asked(at + 1, event, seat, acting))
        self._keep_word(at + 1, event, seat)
        move = self._made(at, seat, event)
        if self.announced is not None:
            self._keep_promise(at + 1, self.announced, move)
            self.announced = None
        envelopes = self.sealed[-1]
        try:
            events = engine.play(self._dealt(at), seat, move, self._chance(at), envelopes)
        except IllegalMove as refusal:
            said = notation.text(move, state.ruleset)
            ruled = _("refuse it ({reason})").format(reason=refusal)
            raise _Found(Difference(at + 1, event.type, said, ruled)) from refusal
        self._demand_same_plant(at, event)
        self._take(events, at, _after(envelopes, seat, move))
        self.moves += 1

    def _demand_same_plant(self, at: int, event: Event) -> None:
        """Where another plant is sold than was put up, and leaves the market: which was forged?"""
        if not isinstance(event, ev.AuctionOpened):
            return
        for later in self.log[at + 1 :]:
            if isinstance(later, ev.AuctionOpened | ev.Rewound):
                return
            if isinstance(later, ev.PlantBought):
                gone = {*self.state.market.cards} - {*later.market.cards}
                if later.plant != event.plant and gone == {later.plant}:
                    raise _Found(Difference(
                        at + 1, _("AuctionOpened: plant"), str(event.plant), str(later.plant)
                    ))  # fmt: skip
                return

    def _keep_word(self, at: int, event: Event, seat: Seat) -> None:
        """Check that the move that was announced comes, and of the seat that was named."""
        word = self.announced
        if word is not None and word.seat != seat:
            raise _Found(Difference(
                at,
                _("{kind}: another seat’s move was announced by {by}").format(
                    kind=event.type, by=word.by.type
                ),
                str(seat), str(word.seat),
            ))  # fmt: skip

    def _keep_promise(self, at: int, word: _Announced, move: Move) -> None:
        if isinstance(word.by, ev.MoveOrdered) and not isinstance(move, _KINDS[word.by.kind]):
            raise _Found(Difference(
                at, _("a standing order of another kind makes this move"),
                notation.text(move, self.state.ruleset), word.by.kind,
            ))  # fmt: skip
        if word.default:
            usual = engine.default_move(self.state, word.seat)
            same = _own(self.state, word.seat, move) == _own(self.state, word.seat, usual)
            if not same:
                what = _("the default move, behind {by}").format(by=word.by.type)
                rules = self.state.ruleset
                said = (notation.text(one, rules) for one in (move, usual))
                raise _Found(Difference(at, what, *said))

    def _end(self) -> None:
        last = self.state
        if last.phase is Phase.FINISHED and self.announced is not None:
            seq = len(self.log)
            what = _("a move was announced")
            raise _Found(Difference(seq, what, self.log[-1].type, self.announced.by.type))

    # --- making a move again --------------------------------------------------------------

    def _made(self, at: int, seat: Seat, event: Event) -> Move:
        """Return the move that this event and those after it tell of."""
        match event:
            case ev.RegionChosen(region=region):
                return ChooseRegion(region)
            case ev.AuctionOpened(plant=plant, bid=least, sealed=True):
                # the secret maximum is in the envelope that follows
                return OpenAuction(plant, self._maximum(at + 1, seat, least) or least)
            case ev.AuctionOpened(plant=plant, bid=amount):
                return OpenAuction(plant, amount)
            case ev.AuctionDeclined() | ev.BidPassed():
                return Pass()
            case ev.BidPlaced(amount=amount):
                return Bid(amount)
            case ev.SealedBidGiven():
                most = self._maximum(at, seat, None)
                return Pass() if most is None else Bid(most)
            case ev.PlantDiscarded(plant=plant, lost=lost):
                return self._discard(seat, plant, lost)
            case ev.FuelBought(amounts=amounts, market=market, from_storage=stored):
                return BuyResources(amounts, market, stored=stored)
            case ev.CityConnected() | ev.BuildingEnded():
                houses = tuple(self._houses(at, seat))
                jumps = tuple(house.city for house in houses if house.jump)
                return BuildCities(tuple(house.city for house in houses), jumps)
            case ev.PlantsRun():
                return PowerPlants(self._runs(event))
        raise LogError(_("{kind} is no move.").format(kind=event.type))

    def _maximum(self, at: int, seat: Seat, otherwise: Elektro | None) -> Elektro | None:
        """Return the maximum in the envelope of event `at` (from 0), as it was opened later.

        One that was never opened can hold anything: then `otherwise`.
        """
        if at not in self.maxima:
            self.open_bids += 1
            return otherwise
        bid = self.maxima[at]
        if bid.hidden:
            self.open_bids += 1
            return self.state.players[seat].elektro
        return bid.maximum

    def _discard(self, seat: Seat, plant: PlantNumber, lost: Fuel) -> Move:
        """Which fuel stays is a move only where there is a choice (R7.12)."""
        owner = self.state.players[seat]
        others = (p for p in self.state.plants_of(seat) if p.number != plant)
        choice = len(ways_to_keep(others, owner.fuel)) > 1
        return DiscardPlant(plant, owner.fuel - lost if choice else None)

    def _houses(self, at: int, seat: Seat) -> Iterator[ev.CityConnected]:
        for event in self.log[at:]:
            if isinstance(event, ev.CityConnected) and event.seat == seat:
                yield event
            elif isinstance(event, (*_FIRST, *_BY_TABLE)) and not isinstance(event, _BESIDE):
                return

    def _runs(self, event: ev.PlantsRun) -> tuple[Run, ...]:
        """Return the plants with mixes that burn what was burned; without mixes where none can."""
        rules = self.state.ruleset
        plants = [rules.plant[number] for number in event.plants]
        pure = sum((Fuel.of(p.fuels[0], p.burns) for p in plants if len(p.fuels) == 1), Fuel())
        coal = event.burned.coal - pure.coal
        runs = []
        for plant in plants:
            share = max(0, min(coal, plant.burns)) if plant.hybrid else 0
            coal -= share
            mix = Fuel(coal=share, oil=plant.burns - share) if plant.hybrid else None
            runs.append(Run(plant.number, mix))
        mixed = sum((run.burn for run in runs if run.burn is not None), Fuel())
        if pure + mixed != event.burned:
            return tuple(Run(number) for number in event.plants)
        return tuple(runs)

    def _chance(self, at: int) -> Chance:
        if self.seed:
            return Chance(self.seed)
        return _LoggedChance(list(self._ahead(at)))

    def _dealt(self, at: int) -> GameState:
        """Return the position, with the faces of unseen cards that the move brings up (R6.2)."""
        state = self.state
        return fast_replace(state, stack=self._seen(at, state.stack))

    def _seen(self, at: int, stack: tuple[PlantNumber, ...]) -> tuple[PlantNumber, ...]:
        """Return a stack with the faces of those cards that the events from `at` on bring up."""
        if UNSEEN not in stack:
            return stack
        cards = _from_stack(_to_shuffle(list(self._ahead(at))))
        seen = (new if old == UNSEEN else old for new, old in zip(cards, stack, strict=False))
        return (*seen, *stack[len(cards) :])

    def _ahead(self, at: int) -> Iterator[Event]:
        """Return the events of this move, as the log tells them."""
        yield self.log[at]
        for event in self.log[at + 1 :]:
            own = isinstance(event, ev.SealedBidGiven | ev.CityConnected | ev.BuildingEnded)
            if isinstance(event, _BESIDE):
                continue
            if isinstance(event, _BY_TABLE) or (isinstance(event, _FIRST) and not own):
                return
            yield event

    # --- comparing ------------------------------------------------------------------------

    def _take(
        self,
        events: Sequence[Event],
        at: int = 0,
        envelopes: dict[Seat, Elektro | None] | None = None,
    ) -> None:
        """Compare what the rules say with the log from event `at` (from 0) on, and go on."""
        self.seq = self._compare(at, events)
        held = envelopes if envelopes is not None else {}
        for event in self.log[at : self.seq]:
            self.fold.add(event)
            self.sealed.append(held)
        if self.state.auction is None:
            self.sealed[-1] = {}
        self.asked_at.add(self.seq)

    def _compare(self, at: int, events: Sequence[Event]) -> int:
        """Raise where the log says something else; return where the next event stands (from 0)."""
        for ruled in events:
            while at < len(self.log) and isinstance(self.log[at], _BESIDE):
                at += 1
            if at >= len(self.log):
                raise _Found(Difference(
                    at + 1, _("something is missing"), _("ends here"), ruled.type
                ))  # fmt: skip
            logged = self.log[at]
            if logged != ruled and (difference := _difference(at + 1, logged, ruled)):
                raise _Found(difference)
            at += 1
        return at


_MOST: Final = 60
"""Characters of a rule's value that a difference tells."""
_FIRST: Final = (
    ev.RegionChosen, ev.AuctionOpened, ev.AuctionDeclined, ev.BidPlaced, ev.BidPassed,
    ev.SealedBidGiven, ev.PlantDiscarded, ev.FuelBought, ev.CityConnected, ev.BuildingEnded,
    ev.PlantsRun,
)  # fmt: skip
"""Events with which a move can begin."""


_SHUFFLES: Final = (ev.StackShuffled, ev.StackUsedUp, ev.Step3CardBack)
"""Events that tell of a new order of the stack."""
_PURPOSES: Final[dict[type[Event], tuple[str, ...]]] = {
    ev.StackShuffled: (STEP_3, STEP_2_CARD),
    ev.StackUsedUp: (SIDE_PILE,),
    ev.Step3CardBack: (STEP_2,),
}


def _to_shuffle(events: Sequence[Event]) -> Sequence[Event]:
    """Return the events before the next shuffle."""
    shuffles = (n for n, event in enumerate(events) if isinstance(event, _SHUFFLES))
    return events[: next(shuffles, None)]


def _from_stack(events: Sequence[Event]) -> tuple[PlantNumber, ...]:
    """Return the cards that these events bring up from the stack, in this order."""
    cards = []
    for event in events:
        match event:
            case ev.PlantDrawn(plant=card) | ev.PlantBoxed(plant=card, from_stack=True):
                cards.append(card)
            case ev.Step3CardBoxed(from_stack=True):
                cards.append(STEP_3_CARD)
    return tuple(cards)


def _maxima(log: Sequence[Event]) -> Iterator[tuple[int, ev.SealedBid]]:
    """By the event (from 0) that tells of an envelope: what was in it, as it was opened later."""
    for opened, event in enumerate(log):
        if not isinstance(event, ev.SealedBidsOpened):
            continue
        bids = {bid.seat: bid for bid in event.bids}
        for at in _back(log, opened):
            given = log[at]
            if isinstance(given, ev.AuctionOpened | ev.SealedBidsOpened | ev.PlantBought):
                break
            if isinstance(given, ev.SealedBidGiven) and given.seat in bids:
                yield at, bids[given.seat]


def _back(log: Sequence[Event], at: int) -> Iterator[int]:
    """Return the events before event `at` (from 0) that count, the last one first (M56)."""
    at -= 1
    while at >= 0:
        event = log[at]
        if isinstance(event, ev.Rewound):
            at = event.to - 1
            continue
        yield at
        at -= 1


def _after(
    envelopes: dict[Seat, Elektro | None], seat: Seat, move: Move
) -> dict[Seat, Elektro | None]:
    match move:
        case OpenAuction(bid=amount):
            return {seat: amount}
        case Bid(amount=amount):
            return {**envelopes, seat: amount}
        case Pass():
            return {**envelopes, seat: None}
    return envelopes


def _own(state: GameState, seat: Seat, move: Move) -> tuple[Event, ...] | None:
    """Return what a move does for its seat; None where the rules refuse it."""
    try:
        return engine.preview(state, seat, move)
    except IllegalMove:
        return None


def _as_far_as_open(laid: GameStarted, started: GameStarted) -> GameStarted:
    """Lay the table as the log does, in all that only the seed decides and that can be."""
    rules, seats = started.ruleset, range(started.seats)
    known: dict[str, Any] = {"commitment": started.commitment}
    if sorted(started.order) == list(seats):
        known["order"] = started.order
    for pile in ("stack", "boxed"):
        if len(getattr(started, pile)) == len(getattr(laid, pile)):
            known[pile] = getattr(started, pile)
    choices = region_choices(rules, rules.numbers(started.seats).regions)
    if rules.region_choice == "random" and frozenset(started.regions) in choices:
        known["regions"] = started.regions
    shape = [len(row) for row in (started.market.actual, started.market.future)]
    if rules.deck_setup != "fixed_3_10" and shape == [
        len(row) for row in (laid.market.actual, laid.market.future)
    ]:
        known["market"] = started.market
    return replace(laid, **known)


def _not_asked(at: int, event: Event, seat: Seat, acting: tuple[Seat, ...]) -> Difference:
    what = _("{kind}: it is not this seat’s move").format(kind=event.type)
    return Difference(at, what, str(seat), ", ".join(map(str, acting)))


def _difference(at: int, logged: Event, ruled: Event) -> Difference | None:
    """Return the first thing in which two events differ; None where the log hides it."""
    if type(logged) is not type(ruled):
        return Difference(at, _("another event"), logged.type, ruled.type)
    for one in fields(logged):
        told, true = getattr(logged, one.name), getattr(ruled, one.name)
        if told != true and not _hidden(told, true):
            what = f"{logged.type}: {one.name}"
            return Difference(at, what, _short(told), _short(true))
    return None


def _hidden(told: Any, true: Any) -> bool:
    """Are the values as alike as cards face down and unopened envelopes allow to say?"""
    if not isinstance(told, tuple) or len(told) != len(true):
        return False
    return all(
        a in (b, UNSEEN) or (isinstance(a, ev.SealedBid) and a.hidden and a.seat == b.seat)
        for a, b in zip(told, true, strict=True)
    )


def _short(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(_short, value)) or _("nothing")
    if isinstance(value, Fuel):
        return ", ".join(f"{n} {_(kind.value)}" for kind, n in value.items()) or _("nothing")
    if isinstance(value, ev.PlantMarket):
        return " / ".join(", ".join(map(str, row)) for row in (value.actual, value.future))
    if isinstance(value, ev.Standing):
        places = (value.seat, value.place, value.powered, value.elektro, value.cities)
        return "seat {}: place {}, {} powered, {} Elektro, {} cities".format(*places)
    if isinstance(value, ev.SealedBid):
        return f"{value.seat}: {value.maximum}"
    return str(value)
