"""Names by seat while seats change hands: a log is told with the names of its time (M41)."""

from collections.abc import Iterable, Sequence

from core.game.events import Event, SeatTaken


def names_before(names: Sequence[str], events: Iterable[Event]) -> tuple[str, ...]:
    """The names before these events happened, of those after them.

    >>> names_before(["Anna", "Dora"], [SeatTaken(1, "Cleo", "Ben"), SeatTaken(1, "Dora", "Cleo")])
    ('Anna', 'Ben')
    """
    former: dict[int, str] = {}
    for event in events:
        if isinstance(event, SeatTaken):
            former.setdefault(event.seat, event.former)
    return tuple(former.get(seat, name) for seat, name in enumerate(names))


def names_after(names: Sequence[str], event: SeatTaken) -> tuple[str, ...]:
    """The names from this event on."""
    return tuple(event.name if seat == event.seat else name for seat, name in enumerate(names))
