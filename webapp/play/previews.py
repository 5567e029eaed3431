"""A move tried out, as its form shows it before it is sent: what it would do, in words and sums."""

import secrets
from dataclasses import dataclass

from core.game import notation
from core.game.events import Event, SealedBidGiven
from core.game.moves import Bid, OpenAuction
from core.game.narrate import wording
from core.game.narrate.lines import Narrator
from core.game.observe import PlayerView
from core.game.offers import BidOffer, OpeningOffer
from core.game.phases.player_order import turn_order
from core.game.types import Elektro, PlantNumber, Seat
from core.mail.position import powered
from core.orders.model import LimitOff
from core.orders.notation import Said
from core.orders.notation import text as order_text
from core.orders.words import sentence
from core.table.play import submissions
from core.text import _
from webapp.play.turn_form import power


@dataclass(frozen=True, slots=True)
class Preview:
    """A move tried out: its line, what it would do in words and sums, the events of it.

    `then`: the order for the building turn that is given with a purchase, if there is one.
    """

    line: str
    nonce: str
    lines: list[str]
    sums: list[str]
    events: tuple[Event, ...]
    then: str = ""

    @classmethod
    def of(
        cls,
        before: PlayerView,
        tried: submissions.Preview,
        names: tuple[str, ...],
        then: Said | None = None,
    ) -> "Preview":
        """What a dry run says, compared with the position before it."""
        tell = Narrator(before.ruleset, names)
        bid = _bid(before, tried.line)
        lines = [
            text
            for event in tried.events
            if (text := _envelope(*bid) if isinstance(event, SealedBidGiven) else tell.line(event))
        ]
        sums = [*_sums(before, tried.view, names), *_stake(before, tried.view, *bid)]
        if then is not None and not isinstance(then.order, LimitOff):
            said = sentence(then.order, before.ruleset)
            lines.append(_("Then, in the building phase: {order}").format(order=said))
        order = "" if then is None else order_text(then.order, before.ruleset)
        return cls(tried.line, secrets.token_hex(16), lines, sums, tried.events, order)


def _sums(before: PlayerView, after: PlayerView, names: tuple[str, ...]) -> list[str]:
    """Before → after, for what changes."""
    old, new = before.me, after.me
    if old is None or new is None:
        return []
    pairs = [
        (_("Elektro {a} → {b}"), old.elektro, new.elektro),
        (_("cities {a} → {b}"), len(old.cities), len(new.cities)),
        (_("plants {a} → {b} cities"), _capacity(before), _capacity(after)),
        (_("fuel for {a} → {b} cities"), _ready(before), _ready(after)),
    ]
    sums = [text.format(a=a, b=b) for text, a, b in pairs if a != b]
    if before.step == 1 and len(new.cities) >= before.numbers.step2_cities > len(old.cities):
        sums.append(_("starts Step 2"))
    if len(new.cities) >= before.numbers.end_cities > len(old.cities):
        sums.append(_("ends the game after this round"))
    passed = [names[seat] for seat in _passed(before, after, old.seat)]
    if passed:
        sums.append(_("passes {names} in turn order").format(names=wording.both(passed)))
    return sums


def _bid(view: PlayerView, line: str) -> tuple[PlantNumber, Elektro | None]:
    """The plant that a move bids for, and how much; no amount where it bids nothing."""
    offer = view.offer
    if isinstance(offer, OpeningOffer | BidOffer):
        match notation.parse(line, view.ruleset):
            case OpenAuction(plant, bid):
                return plant, bid
            case Bid(amount) if isinstance(offer, BidOffer):
                return offer.plant, amount
    return (offer.plant if isinstance(offer, BidOffer) else PlantNumber(0)), None


def _envelope(plant: PlantNumber, bid: Elektro | None) -> str:
    """What a sealed bid says; the log keeps it to itself until all are in."""
    if bid is None:
        return _("You leave plant {plant} to the others, for good.").format(plant=plant)
    return _("You would pay up to {most} for plant {plant}.").format(most=bid, plant=plant)


def _stake(
    before: PlayerView, after: PlayerView, plant: PlantNumber, bid: Elektro | None
) -> list[str]:
    """What a bid would leave and power if it wins; nothing where it has won already."""
    old, new = before.me, after.me
    if bid is None or not (old and new) or old.elektro is None or old.elektro != new.elektro:
        return []
    sealed = isinstance(before.offer, OpeningOffer | BidOffer) and before.offer.sealed
    text = _("if you win at {bid}: {left} Elektro left")
    if sealed:
        text = _("if you win: at least {left} Elektro left")
    change = power(before, before.ruleset.plant[plant])
    left = text.format(bid=bid, left=old.elektro - bid)
    return [left, _("plants {change}").format(change=change)]


def _passed(before: PlayerView, after: PlayerView, mine: Seat) -> list[Seat]:
    """Whom a seat overtakes in the order of the next round, as things stand (R7.2)."""
    old, new = turn_order(before), turn_order(after)
    return [seat for seat in old[: old.index(mine)] if seat not in new[: new.index(mine)]]


def _capacity(view: PlayerView) -> int:
    return sum(plant.cities for plant in view.plants_of(view.me.seat)) if view.me else 0


def _ready(view: PlayerView) -> int:
    me = view.me
    return powered(view.ruleset, view.plants_of(me.seat), me.fuel) if me else 0
