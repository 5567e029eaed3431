"""Statistics of the whole site: public games that were played to their end, and nothing else.

They are sums that grow with each result (core.table.records.results.count); no page counts all
games.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import and_, func
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from core.store.tables import Rating, ResultCount, User
from core.table.records.ratings import PROVISIONAL, Strength
from core.table.records.statistics import Line, in_order

STRONGEST = 50
"""So many players stand in the list."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Games of one kind: how many, their average rounds and days, how many were close.

    Close: first and second powered as many cities.
    """

    key: Any
    games: int
    rounds: float
    days: float
    close: int


@dataclass(frozen=True, slots=True)
class Overall:
    """Everything on the page. `seats`: by number of players, a line for each place in the order."""

    by: dict[str, tuple[Kind, ...]]
    seats: dict[int, tuple[Line, ...]]
    strongest: tuple[tuple[User, Strength], ...]


def overall(session: Session, board: str = "", variant: str = "") -> Overall:
    """Add the sums up; the order of seats on one map or by one variant only, where given."""
    counts = session.exec(select(ResultCount)).all()
    return Overall(
        by={kind: _kinds(counts, kind) for kind in ("map", "variant", "players")},
        seats=_seats(counts, board, variant),
        strongest=strongest(session),
    )


def strongest(session: Session) -> tuple[tuple[User, Strength], ...]:
    """The best by what they have shown at least; without those whose rating is provisional."""
    one = aliased(Rating)  # for each user one step into an index
    last = select(func.max(one.games)).where(col(one.user_id) == col(User.id)).scalar_subquery()
    query = (
        select(User, Rating)
        .join(Rating, and_(col(Rating.user_id) == col(User.id), col(Rating.games) == last))
        .where(col(Rating.games) >= PROVISIONAL)
        .order_by((col(Rating.mu) - 3 * col(Rating.sigma)).desc(), col(User.id))
        .limit(STRONGEST)
    )
    return tuple((user, Strength.of(rating)) for user, rating in session.exec(query))


def _kinds(counts: Sequence[ResultCount], kind: str) -> tuple[Kind, ...]:
    """Each game has one seat that began, so that its sums are those of the games."""
    return in_order(
        Kind(
            key,
            games=sum(one.games for one in some),
            rounds=_mean(some, "rounds"),
            days=_mean(some, "seconds") / 86400,
            close=sum(one.close for one in some),
        )
        for key, some in _grouped((one for one in counts if one.first == 1), kind).items()
    )


def _seats(counts: Sequence[ResultCount], board: str, variant: str) -> dict[int, tuple[Line, ...]]:
    here = [c for c in counts if c.map == (board or c.map) and c.variant == (variant or c.variant)]
    return {players: _lines(some) for players, some in sorted(_grouped(here, "players").items())}


def _lines(counts: Iterable[ResultCount]) -> tuple[Line, ...]:
    return in_order(
        Line(
            key,
            games=sum(one.games for one in some),
            wins=sum(one.wins for one in some),
            place=_mean(some, "places"),
        )
        for key, some in _grouped(counts, "first").items()
    )


def _grouped(counts: Iterable[ResultCount], kind: str) -> dict[Any, list[ResultCount]]:
    found: dict[Any, list[ResultCount]] = {}
    for one in counts:
        found.setdefault(getattr(one, kind), []).append(one)
    return found


def _mean(counts: Sequence[ResultCount], column: str) -> float:
    games = sum(one.games for one in counts)
    return float(sum(getattr(one, column) for one in counts) / games)
