"""Why it came out so: the price of a sealed auction, the victory."""

from collections.abc import Callable, Sequence

from core.game.events import GameAbandoned, PlantBought, SealedBid, Standing
from core.game.narrate import wording
from core.game.types import Seat
from core.text import _

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
        "last-player": _("All players but one had left, so the game ended; nobody has lost it."),
        "nobody-left": _("Nobody came back for a long time, so the game ended without a winner."),
    }
    return text[event.because].format(reason=event.reason).rstrip(": ")


def victory(standings: Sequence[Standing], ties: Sequence[str], name: Name) -> str:
    """Who has won by what; ties are followed down to the one that decided (R14.2)."""
    winners = [s for s in standings if s.place == 1]
    best = winners[0]
    powered = wording.cities(best.powered)
    who = wording.both(name(s.seat) for s in winners)
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
        cities=wording.cities(best.powered),
        less=second.powered,
        poorer=second.elektro,
        richer=best.elektro,
        smaller=second.cities,
        larger=best.cities,
    )
