"""The accounts: every Elektro that a player was paid or paid, and for what.

Their sum is what the player has, after every event: `balance` of the last entry is their money.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from core.game import events as ev
from core.game.types import CityId, Elektro, PlantNumber, Seat
from core.story.course import Transition
from core.text import _

Account = Literal["start", "plants", "fuel", "houses", "connections", "income"]
ACCOUNTS: tuple[Account, ...] = ("start", "plants", "fuel", "houses", "connections", "income")


def account(which: Account) -> str:
    """Return what money came from or went to."""
    return {
        "start": _("at the start"),
        "plants": _("plants"),
        "fuel": _("fuel"),
        "houses": _("houses"),
        "connections": _("connections"),
        "income": _("income"),
    }[which]


@dataclass(frozen=True, slots=True)
class Entry:
    """One payment: `amount` is positive for what a seat got; `subject` is the plant or city."""

    seq: int
    round: int
    seat: Seat
    account: Account
    amount: Elektro
    balance: Elektro
    subject: PlantNumber | CityId | None = None


def ledger(log: Iterable[Transition]) -> tuple[Entry, ...]:
    """All payments of a game, in the order of its log."""
    balances: Counter[Seat] = Counter()
    entries = []
    for transition in log:
        for seat, account, amount, subject in _payments(transition):
            balances[seat] += amount
            entries.append(
                Entry(
                    seq=transition.seq,
                    round=transition.after.round,
                    seat=seat,
                    account=account,
                    amount=Elektro(amount),
                    balance=Elektro(balances[seat]),
                    subject=subject,
                )
            )
    return tuple(entries)


def spending(entries: Iterable[Entry]) -> dict[Seat, dict[Account, Elektro]]:
    """Return what each seat got and paid in all, by account; payments are negative."""
    sums: dict[Seat, Counter[Account]] = {}
    for entry in entries:
        sums.setdefault(entry.seat, Counter())[entry.account] += entry.amount
    return {
        seat: {account: Elektro(totals[account]) for account in ACCOUNTS}
        for seat, totals in sorted(sums.items())
    }


_Payment = tuple[Seat, Account, int, PlantNumber | CityId | None]


def _payments(transition: Transition) -> Iterator[_Payment]:
    match transition.event:
        case ev.GameStarted():
            for seat, player in enumerate(transition.after.players):
                yield Seat(seat), "start", player.elektro, None
        case ev.PlantBought(seat=seat, plant=plant, price=price):
            yield seat, "plants", -price, plant
        case ev.FuelBought(seat=seat, cost=cost) if cost:
            yield seat, "fuel", -cost, None
        case ev.CityConnected(seat=seat, city=city, house_cost=house, connection_cost=way):
            yield seat, "houses", -house, city
            if way:
                yield seat, "connections", -way, city
        case ev.PlantsRun(seat=seat, income=income) | ev.MinesSold(seat=seat, income=income):
            yield seat, "income", income, None
        case ev.LastIncome(incomes=incomes):
            yield from ((Seat(n), "income", paid, None) for n, paid in enumerate(incomes))


FLOWS: tuple[Account, ...] = ACCOUNTS[1:]
"""The accounts that move within a round; what is there at the start is none of them."""


@dataclass(frozen=True, slots=True)
class SeatSums:
    """One seat's round in Elektro: `before` and all `flows`, payments negative, make `after`."""

    seat: Seat
    before: Elektro
    flows: tuple[Elektro, ...]
    after: Elektro


def by_round(entries: Iterable[Entry], last: int) -> dict[int, tuple[SeatSums, ...]]:
    """Return the sums of rounds 1 to `last`, also those in which somebody paid nothing.

    The flows stand in the order of `FLOWS`. Money at the start is what round 1 begins with.
    """
    purse: Counter[Seat] = Counter()
    moved: dict[int, dict[Seat, Counter[Account]]] = {n: {} for n in range(1, last + 1)}
    for entry in entries:
        if entry.account == "start":
            purse[entry.seat] += entry.amount
        else:
            moved[entry.round].setdefault(entry.seat, Counter())[entry.account] += entry.amount
    told = {}
    for number, flows in moved.items():
        told[number] = tuple(
            _sums(seat, purse[seat], flows.get(seat, Counter())) for seat in sorted(purse)
        )
        purse.update({one.seat: one.after - one.before for one in told[number]})
    return told


def _sums(seat: Seat, before: int, flows: Counter[Account]) -> SeatSums:
    return SeatSums(
        seat=seat,
        before=Elektro(before),
        flows=tuple(Elektro(flows[account]) for account in FLOWS),
        after=Elektro(before + flows.total()),
    )
