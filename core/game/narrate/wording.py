"""The small change of sentences: lists, fuel, plants, in the reader's language."""

from collections.abc import Callable, Iterable, Sequence

from core.game.events import GameAbandoned, PlantBought, SealedBid, Standing
from core.game.rules.knobs import Plant
from core.game.types import STEP_3_CARD, Fuel, PlantNumber, Resource, Seat
from core.lists import both, either, series
from core.text import _, ngettext, pgettext


def fuel_name(resource: Resource) -> str:
    """Return the fuel's name."""
    return {
        Resource.COAL: _("coal"),
        Resource.OIL: _("oil"),
        Resource.GARBAGE: _("garbage"),
        Resource.URANIUM: _("uranium"),
    }[resource]


def fuel_letter(resource: Resource) -> str:
    """Return the fuel in one letter, for narrow columns."""
    return {
        Resource.COAL: pgettext("one letter for coal", "C"),
        Resource.OIL: pgettext("one letter for oil", "O"),
        Resource.GARBAGE: pgettext("one letter for garbage", "G"),
        Resource.URANIUM: pgettext("one letter for uranium", "U"),
    }[resource]


def fuel(amounts: Fuel) -> str:
    """``2 coal, 3 oil``, or ``nothing``."""
    parts = [
        _("{count} {fuel}").format(count=n, fuel=fuel_name(kind)) for kind, n in amounts.items()
    ]
    return series(parts) or _("nothing")


def cities(count: int) -> str:
    """``1 city``, ``3 cities``."""
    return ngettext("{n} city", "{n} cities", count).format(n=count)


def plants(numbers: Iterable[PlantNumber]) -> str:
    """``4``, ``4 and 13``, or ``none``."""
    return both(str(number) for number in numbers) or _("none")


def numbers(values: Iterable[int]) -> str:
    """``4, 13, 21``, or a dash."""
    return series(values) or "–"


def card(number: PlantNumber) -> str:
    """``plant 13``, or the Step 3 card."""
    if number == STEP_3_CARD:
        return _("the Step 3 card")
    return _("plant {number}").format(number=number)


def plant_use(plant: Plant) -> str:
    """Return what a plant takes and gives: ``2 coal or oil → 3 cities``."""
    if plant.mine:
        return _("mine → {n} times the price of uranium").format(n=plant.cities)
    powers = cities(plant.cities)
    if not plant.fuels:
        return _("no fuel → {cities}").format(cities=powers)
    kinds = either(fuel_name(kind) for kind in plant.fuels)
    return _("{count} {fuel} → {cities}").format(count=plant.burns, fuel=kinds, cities=powers)


def plant_needs(plant: Plant) -> str:
    """Return what a plant burns: ``3 coal``, ``2 coal or oil``, ``no fuel``."""
    if plant.mine:
        return _("mine")
    if not plant.fuels:
        return _("no fuel")
    kinds = either(fuel_name(kind) for kind in plant.fuels)
    return _("{count} {fuel}").format(count=plant.burns, fuel=kinds)


Name = Callable[[Seat], str]


def sealed_reason(sale: PlantBought, bids: Sequence[SealedBid], name: Name) -> str:
    """Whose limit made the price, and whether the bidding order decided."""
    limits = {b.seat: b.maximum for b in bids if b.maximum is not None and b.seat != sale.seat}
    if not limits:
        return _("nobody else bid")
    rival = max(limits, key=lambda seat: limits[seat])
    values = {"name": name(rival), "limit": limits[rival], "winner": name(sale.seat)}
    if sale.price > limits[rival]:
        return _("{name}'s limit was {limit}").format(**values)
    return _("{name}'s limit was {limit}, and {winner} came first in bidding order").format(
        **values
    )


def abandoned(event: GameAbandoned) -> str:
    """Why a game has no winner."""
    text = {
        "host": _("The host ended the game without a winner: {reason}"),
        "vote": _("A majority of the players ended the game without a winner: {reason}"),
        "service": _("The service ended the game without a winner: {reason}"),
        "last-player": _("All players but one had left, so the game ended; who left has lost it."),
        "nobody-left": _("Nobody came back for a long time, so the game ended without a winner."),
    }
    return text[event.because].format(reason=event.reason).rstrip(": ")


def victory(standings: Sequence[Standing], ties: Sequence[str], name: Name) -> str:
    """Who has won by what; ties are followed down to the one that decided (R14.2)."""
    winners = [s for s in standings if s.place == 1]
    best = winners[0]
    powered = cities(best.powered)
    who = both(name(s.seat) for s in winners)
    if len(winners) > 1:
        return _("{names} share the victory: {cities} powered, {elektro} Elektro each.").format(
            names=who, cities=powered, elektro=best.elektro
        )
    second = standings[1] if len(standings) > 1 else best
    for tie in ties:
        if _measure(best, tie) != _measure(second, tie):
            return _reason(tie, best, second, name)
    return _("{name} won with {cities} powered.").format(name=who, cities=powered)


def _measure(standing: Standing, tie: str) -> int:
    return {
        "powered": standing.powered,
        "money": standing.elektro,
        "cities": standing.cities,
    }.get(tie, 0)


def _reason(tie: str, best: Standing, second: Standing, name: Name) -> str:
    text = {
        "powered": _("{name} won with {cities} powered; {second} powered {less}."),
        "money": _(
            "{name} won: {second} powered {cities} too, but had {poorer} Elektro to {richer}."
        ),
        "cities": _(
            "{name} won: {second} powered {cities} too and had as much money, "
            "but a network of {smaller} to {larger}."
        ),
    }[tie]
    return text.format(
        name=name(best.seat),
        second=name(second.seat),
        cities=cities(best.powered),
        less=second.powered,
        poorer=second.elektro,
        richer=best.elektro,
        smaller=second.cities,
        larger=best.cities,
    )
