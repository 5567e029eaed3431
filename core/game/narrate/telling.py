"""Which line of a report an event belongs to."""

from collections.abc import Callable
from typing import Any, Final

from core.game import events as ev
from core.game.events import Event
from core.game.narrate import wording
from core.game.narrate.entries import (
    Building,
    Joined,
    Together,
    Told,
    Undone,
    discarded,
    with_purse,
)
from core.game.narrate.lines import boxed, drawn
from core.game.narrate.pages import Pages
from core.text import _


def tell(pages: Pages, event: Event) -> None:
    """Lay an event into the line that it belongs to."""
    _REPORT.get(type(event), _as_it_is)(pages, event)


def tell_undone(pages: Pages, event: Event) -> None:
    """Lay an event that was taken back into a line of its own."""
    line = pages.told.line(event)
    if line is not None:
        seat = getattr(event, "seat", None)
        pages.entry("", lambda seq: Undone(seq, line=line), *(() if seat is None else (seat,)))


def _as_it_is(pages: Pages, event: Event) -> None:
    """An event that is a line of its own."""
    line = pages.told.line(event)
    if line is not None:
        seat = getattr(event, "seat", None)
        seats = () if seat is None else (seat,)
        pages.entry("", lambda seq: Told(seq, line=line), *seats)


def _opened(pages: Pages, event: ev.AuctionOpened) -> None:
    pages.close("auction")
    auction = pages.entry("auction", pages.new_auction, event.seat)
    auction.opened = event
    if not event.sealed:
        auction.bids[event.seat] = event.bid


def _bid(pages: Pages, event: ev.BidPlaced) -> None:
    pages.entry("auction", pages.new_auction, event.seat).bids[event.seat] = event.amount


def _given(pages: Pages, event: ev.SealedBidGiven) -> None:
    pages.entry("auction", pages.new_auction, event.seat).given.append(event.seat)


def _envelopes(pages: Pages, event: ev.SealedBidsOpened) -> None:
    pages.entry("auction", pages.new_auction).envelopes = event.bids


def _sold(pages: Pages, event: ev.PlantBought) -> None:
    auction = pages.entry("auction", pages.new_auction, event.seat)
    auction.sale, auction.purse = event, pages.purse(event.seat)
    auction.seats.sort(key=lambda seat: seat != event.seat)


def _dropped(pages: Pages, event: ev.BidPassed) -> None:
    pages.entry("auction", pages.new_auction, event.seat)


def _declined(pages: Pages, event: ev.AuctionDeclined) -> None:
    pages.entry("passed", lambda seq: Together(seq, frame=_("{names} passed.")), event.seat)


def _ordered(pages: Pages, event: ev.MoveOrdered) -> None:
    frame = _("By standing order: {names}.")
    pages.entry("ordered", lambda seq: Together(seq, frame=frame), event.seat)


def _discarded(pages: Pages, event: ev.PlantDiscarded) -> None:
    pages.entry("auction", pages.new_auction, event.seat).given_up.append(discarded(event))


def _market(pages: Pages, text: str) -> None:
    """The plant market moves: told with the sale that moved it, or in a line of its own."""
    if pages.is_sold():
        pages.entry("auction", pages.new_auction).market.append(text)
        return
    frame = _("Market: {parts}.")
    pages.entry("market", lambda seq: Joined(seq, frame=frame)).parts.append(text)


def _fuel(pages: Pages, event: ev.FuelBought) -> None:
    if not event.amounts:
        frame = _("{names} bought no fuel.")
        pages.entry("no fuel", lambda seq: Together(seq, frame=frame), event.seat)
        return
    text = _("{name} bought {fuel} for {cost}").format(
        name=pages.told.name(event.seat), fuel=wording.fuel(event.amounts), cost=event.cost
    )
    line = _("{sentence}.").format(sentence=with_purse(text, pages.purse(event.seat)))
    pages.entry("", lambda seq: Told(seq, line=line), event.seat)


def _house(pages: Pages, event: ev.CityConnected) -> None:
    building = pages.entry(f"houses {event.seat}", Building, event.seat)
    building.houses.append(event)
    building.purse = pages.purse(event.seat)


def _built(pages: Pages, event: ev.BuildingEnded) -> None:
    if not pages.has(f"houses {event.seat}"):
        frame = _("{names} built nothing.")
        pages.entry("no house", lambda seq: Together(seq, frame=frame), event.seat)


def _run(pages: Pages, event: ev.PlantsRun) -> None:
    text = _("{name} {income} for {cities}").format(
        name=pages.told.name(event.seat),
        income=event.income,
        cities=wording.cities(event.powered),
    )
    if event.burned:
        text = _("{income} with {fuel}").format(income=text, fuel=wording.fuel(event.burned))
    frame = _("Income: {parts}.")
    income = pages.entry("income", lambda seq: Joined(seq, frame=frame), event.seat)
    income.parts.append(with_purse(text, pages.purse(event.seat)))


_REPORT: Final[dict[type[Event], Callable[[Pages, Any], None]]] = {
    ev.AuctionOpened: _opened,
    ev.BidPlaced: _bid,
    ev.BidPassed: _dropped,
    ev.SealedBidGiven: _given,
    ev.SealedBidsOpened: _envelopes,
    ev.PlantBought: _sold,
    ev.PlantDiscarded: _discarded,
    ev.AuctionDeclined: _declined,
    ev.MoveOrdered: _ordered,
    ev.PlantDrawn: lambda pages, e: _market(pages, drawn(e)),
    ev.PlantBoxed: lambda pages, e: _market(pages, boxed(e)),
    ev.PlantPutUnder: lambda pages, e: _market(
        pages, _("plant {plant} went under the stack").format(plant=e.plant)
    ),
    ev.Step3CardBoxed: lambda pages, e: _market(pages, _("the Step 3 card left the game")),
    ev.StackShuffled: lambda pages, e: _market(pages, _("the stack was shuffled")),
    ev.FuelRefilled: lambda pages, e: _market(
        pages, _("new fuel: {fuel}").format(fuel=wording.fuel(e.amounts))
    ),
    ev.FuelBought: _fuel,
    ev.CityConnected: _house,
    ev.BuildingEnded: _built,
    ev.PlantsRun: _run,
}
