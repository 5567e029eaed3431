"""What a turn's form shows: rows with prices made from the offer, filled with a draft.

Templates loop over these and compute nothing. Every price is the offer's, so it is exact.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import singledispatch
from typing import Any, Final

from sqlmodel import Session

from core.game import notation
from core.game.board.storage import stock, ways_to_keep
from core.game.moves import ChooseRegion, DiscardPlant
from core.game.narrate import wording
from core.game.observe import PlayerView
from core.game.offers import (
    BidOffer,
    BuildOffer,
    BuildTarget,
    DiscardChoice,
    DiscardOffer,
    Offer,
    OpeningOffer,
    PowerChoice,
    PowerOffer,
    PurchaseOffer,
    RegionOffer,
)
from core.game.rules.knobs import Plant
from core.game.types import Fuel, Resource
from core.mail import words
from core.questions import Command, commands
from core.questions.command import viewer
from core.questions.formline import Fields, run_of
from core.questions.fuel import fills
from core.store.tables import Draft
from core.tableview import TableView
from core.text import _, ngettext

PHASES: Final[dict[type, str]] = {
    RegionOffer: "regions",
    OpeningOffer: "opening",
    BidOffer: "bid",
    DiscardOffer: "discard",
    PurchaseOffer: "fuel",
    BuildOffer: "building",
    PowerOffer: "power",
}
"""The template of each offer's form: ``turn/<phase>.html``."""


Choice = dict[str, str]
"""One option of a select: its `value` and its `text`."""


def plants_to_give_up(view: PlayerView, won: Plant | None = None) -> list[Choice]:
    """The plants one of which goes if one is `won`; none while there is room for it."""
    mine = _mine(view)
    total = sum(p.cities for p in mine) + (won.cities if won else 0)
    text = _("{plant}: then {cities}") if won else "{plant}"
    return [
        {
            "value": str(p.number),
            "text": text.format(plant=p.number, cities=wording.cities(total - p.cities)),
        }
        for p in mine
    ]


def fuels(view: PlayerView, on_offer: Iterable[Plant]) -> list[Choice]:
    """How much of the fuel that is lost may be coal; none where no plant on offer leaves a choice.

    Which fuel fits hangs on the plant won and the plant given up, so each value is tokens of coal
    and oil makes up the rest.
    """
    mine, held = _mine(view), view.me.fuel if view.me else Fuel()
    lost: set[int] = set()
    for won in on_offer:
        for gone in mine:
            ways = ways_to_keep((*(p for p in mine if p != gone), won), held)
            if len(ways) > 1:
                lost |= {held.coal - kept.coal for kept in ways}
    return [{"value": str(coal), "text": _lost(coal)} for coal in sorted(lost)]


def kept(choice: DiscardChoice, held: Fuel, lose: str) -> Fuel | None:
    """What stays of `held` where it is a choice: as near to `lose` tokens of coal as can be."""
    if len(choice.keeps) == 1:
        return None
    if not (lose.isascii() and lose.isdecimal()):
        return choice.keeps[0]
    return min(choice.keeps, key=lambda keep: abs(held.coal - keep.coal - int(lose)))


def _mine(view: PlayerView) -> tuple[Plant, ...]:
    """The viewer's plants if another one is a plant too many."""
    mine = () if view.seat is None else view.plants_of(view.seat)
    return mine if len(mine) >= view.numbers.plant_limit else ()


def _lost(coal: int) -> str:
    return _("{coal} coal, the rest oil").format(coal=coal) if coal else _("only oil")


STEPS = (0, 5)
"""Chips beside a bid: this much over the least."""


@dataclass
class TurnForm:
    """A form for one offer: its template, its rows, and what was filled in before."""

    phase: str
    rows: Sequence[Any]
    commands: Sequence[Command]
    fields: Fields
    wrong: str = ""
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def example(self) -> str:
        """A line that could be sent as it is."""
        return self.commands[0].text if self.commands else ""

    def one(self, name: str, otherwise: object = "") -> str:
        """The value of a text field or a select."""
        return (self.fields.get(name) or [str(otherwise)])[0]

    def has(self, name: str, value: str) -> bool:
        """Is this box ticked?"""
        return value in self.fields.get(name, [])

    def chosen(self, name: str, value: str, otherwise: bool) -> bool:
        """Is this radio button on? `otherwise`: it is the one to begin with."""
        return self.has(name, value) if self.fields.get(name) else otherwise


def form_for(view: PlayerView, fields: Fields, wrong: str = "") -> TurnForm:
    """The form of the seat's open turn."""
    offer = view.offer
    if offer is None:
        raise ValueError("this seat is not asked")
    rows, extra = _rows(offer, view)
    return TurnForm(PHASES[type(offer)], rows, commands(view), fields, wrong, extra)


Rows = tuple[Sequence[Any], dict[str, Any]]
"""The rows of a form, and what else its template shows."""


@singledispatch
def _rows(offer: Offer, view: PlayerView) -> Rows:
    raise TypeError(f"no form for {type(offer).__name__}")


@_rows.register
def _regions(offer: RegionOffer, view: PlayerView) -> Rows:
    rules = view.ruleset
    rows = [
        {
            "line": notation.text(ChooseRegion(region), rules),
            "name": rules.region[region].name,
            "cities": ", ".join(c.name for c in rules.map.cities if c.region == region),
        }
        for region in offer.regions
    ]
    return rows, {}


@_rows.register
def _openings(offer: OpeningOffer, view: PlayerView) -> Rows:
    plants = view.ruleset.plant
    rows = [
        {"plant": plant, "minimum": p.minimum, "power": power(view, plant)}
        for p in offer.plants
        if (plant := plants[p.plant])
    ]
    least = min((p.minimum for p in offer.plants), default=0)
    losses = fuels(view, [plants[p.plant] for p in offer.plants])
    extra = {"least": least, "won": _won()}
    return rows, {"drops": plants_to_give_up(view), "losses": losses, **extra}


@_rows.register
def _bidding(offer: BidOffer, view: PlayerView) -> Rows:
    raised = (offer.minimum + step for step in STEPS)
    chips = [amount for amount in raised if amount <= offer.maximum]
    if chips and offer.maximum not in chips:
        chips.append(offer.maximum)
    plant = view.ruleset.plant[offer.plant]
    extra = {"chips": chips, "won": _won(), "power": power(view, plant)}
    drops, losses = plants_to_give_up(view, plant), fuels(view, [plant])
    return (), {"plant": plant, "drops": drops, "losses": losses, **extra}


def _won() -> str:
    """For {bid} and {left}, which change while the bid is typed."""
    return _("If you win at {bid}: {left} Elektro left.")


def power(view: PlayerView, plant: Plant) -> str:
    """What all plants could power before and with another one; at best, where one has to go."""
    mine = () if view.seat is None else view.plants_of(view.seat)
    before = sum(p.cities for p in mine)
    full = len(mine) >= view.numbers.plant_limit
    after = before + plant.cities - (min(p.cities for p in mine) if full else 0)
    return _("{before} → {after} cities").format(before=before, after=after)


@_rows.register
def _discards(offer: DiscardOffer, view: PlayerView) -> Rows:
    rows = []
    for choice in offer.choices:
        for keep in choice.keeps:
            move = DiscardPlant(choice.plant, keep if len(choice.keeps) > 1 else None)
            rows.append(
                {
                    "line": notation.text(move, view.ruleset),
                    "plant": view.ruleset.plant[choice.plant],
                    "note": _kept(view, keep),
                }
            )
    return rows, {}


def _kept(view: PlayerView, keep: Fuel) -> str:
    held = view.me.fuel if view.me else Fuel()
    lost = held - keep
    if not lost:
        return _("no fuel is lost")
    return _("you keep {kept}; {lost} is lost").format(
        kept=wording.fuel(keep), lost=wording.fuel(lost)
    )


@_rows.register
def _fuels(offer: PurchaseOffer, view: PlayerView) -> Rows:
    rows = []
    for sale in offer.fuels:
        before = (0, *sale.costs)
        options = [(n, cost, cost - before[n - 1]) for n, cost in enumerate(sale.costs, start=1)]
        rows.append(
            {
                "fuel": sale.resource.value,
                "name": wording.fuel_name(sale.resource),
                "options": options,
                "costs": before,
                "held": offer.held[sale.resource],
            }
        )
    return rows, {"hybrid": _hybrid(offer), "fills": fills(view, offer)}


def _hybrid(offer: PurchaseOffer) -> str:
    fits = {f.resource.value: len(f.costs) for f in offer.fuels}
    if fits.get("coal", 0) + fits.get("oil", 0) <= offer.coal_or_oil:
        return ""
    return _("Coal and oil share room: {n} together at most.").format(n=offer.coal_or_oil)


@_rows.register
def _targets(offer: BuildOffer, view: PlayerView) -> Rows:
    rules = view.ruleset
    rows = [
        {
            "id": target.city,
            "name": rules.city[target.city].name,
            "house": target.house_cost,
            "connection": target.connection_cost,
            "total": target.total,
            "place": _place(view, target),
        }
        for target in offer.targets
    ]
    return rows, {}


def _place(view: PlayerView, target: BuildTarget) -> str:
    """Region, the way from the network, and how many more houses fit."""
    rules = view.ruleset
    left = view.step - len(view.houses(target.city))
    parts = [rules.region[rules.city[target.city].region].name]
    if len(target.path) > 2:
        via = " – ".join(rules.city[city].name for city in target.path[1:-1])
        parts.append(_("via {cities}").format(cities=via))
    parts.append(ngettext("{n} place left", "{n} places left", left).format(n=left))
    return " · ".join(parts)


@_rows.register
def _powers(offer: PowerOffer, view: PlayerView) -> Rows:
    held = view.me.fuel if view.me else Fuel()
    rows = []
    for choice in (mix for best in offer.choices for mix in _mixes(view, best)):
        plants = words.numbers(choice.plants)
        what = _("run {plants}: {cities}") if choice.plants else _("run nothing: {cities}")
        rows.append(
            {
                "line": notation.text(run_of(choice, view.ruleset), view.ruleset),
                "what": what.format(plants=plants, cities=wording.cities(choice.powered)),
                "fuel": _("burns {burned}, leaves {left}").format(
                    burned=wording.fuel(choice.burned), left=wording.fuel(held - choice.burned)
                ),
                "income": f"+{choice.income}",
            }
        )
    return rows, {}


def _mixes(view: PlayerView, choice: PowerChoice) -> list[PowerChoice]:
    """The choice, then with every other share of coal and oil that is in hand (R5.3)."""
    me = viewer(view)
    fuel = stock(view.ruleset, view.plants_of(me.seat), me.fuel)
    plants = [view.ruleset.plant[number] for number in choice.plants]
    both = sum(p.burns for p in plants if p.hybrid)
    pure = choice.burned - Fuel(coal=choice.burned.coal, oil=choice.burned.oil)
    for plant in plants:
        if len(plant.fuels) == 1 and plant.fuels[0] in (Resource.COAL, Resource.OIL):
            pure += Fuel.of(plant.fuels[0], plant.burns)
    mixes = (Fuel(coal=n, oil=both - n) for n in range(both, -1, -1))
    burns = [pure + mixed for mixed in mixes if fuel.allows(pure, mixed)]
    others = [b for b in burns if b != choice.burned]
    return [choice, *(replace(choice, burned=b) for b in others)]


def given(session: Session, table: TableView, turn: int) -> Fields:
    """The fields of the reader's open turn."""
    row = session.get(Draft, (table.game_id, table.view.seat))
    if row is None:
        return {}
    return row.fields if row.turn == turn else carried(row.fields, table.view)


def carried(fields: Fields, view: PlayerView) -> Fields:
    """Which plant and fuel go, chosen with a bid, for the next bid on it and for the discard."""
    drop, lose, plant = (
        _first(fields, "drop"),
        _first(fields, "lose"),
        _first(fields, "for") or _first(fields, "plant"),
    )
    match view.offer:
        case BidOffer(plant=number) if (drop or lose) and str(number) == plant:
            return {"drop": [drop], "lose": [lose]}
        case DiscardOffer(choices=choices) if view.me and str(view.me.plants[-1]) == plant:
            lines = [
                notation.text(DiscardPlant(one.plant, kept(one, view.me.fuel, lose)), view.ruleset)
                for one in choices
                if str(one.plant) == drop
            ]
            return {"choice": lines} if lines else {}
    return {}


def _first(fields: Fields, name: str) -> str:
    return (fields.get(name) or [""])[0]
