"""The accounts round by round: with what each seat began, what it got and paid, what it has."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from core.game.types import Elektro, Seat
from core.story.ledger import ACCOUNTS, Account, Entry

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
    """The sums of the rounds 1 to `last`, those in which somebody paid nothing included.

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
