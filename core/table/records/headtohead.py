"""Two players against each other: who came in before whom, in which order, where (M76)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from core.store.tables import Result, ResultSeat, User
from core.table.records.statistics import RECENT, Played, counting, in_order, own, played


@dataclass(frozen=True, slots=True)
class Score:
    """Common games of one kind: in how many the first came in before the second, or the other way.

    `shared`: both had the same place.
    """

    key: Any
    games: int
    first: int
    second: int

    @property
    def shared(self) -> int:
        """Games in which both had the same place."""
        return self.games - self.first - self.second


@dataclass(frozen=True, slots=True)
class Order:
    """How often the two came in on these places."""

    first: int
    second: int
    games: int


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """All about a pair; `games` are the last ones."""

    total: Score
    by: dict[str, tuple[Score, ...]]
    orders: tuple[Order, ...]
    games: tuple[Played, ...]


def versus(session: Session, one: User, other: User, viewer: User | None) -> HeadToHead:
    """What a viewer, None for a stranger, is told of two players who are not the same."""
    met = _met(session, one, other, viewer)
    total = _scores(met, None)
    places = {row.game_id: (row.one or 0, row.other or 0) for row in met}
    orders = sorted(Counter(places.values()).items())
    return HeadToHead(
        total=total[0] if total else Score(None, 0, 0, 0),
        by={kind: _scores(met, kind) for kind in ("players", "map")},
        orders=tuple(Order(*pair, games) for pair, games in orders),
        games=played(session, dict(islice(places.items(), RECENT))),
    )


def _met(session: Session, one: User, other: User, viewer: User | None) -> Sequence[Any]:
    """The common games of two players with their places, newest first."""
    a, b = aliased(ResultSeat), aliased(ResultSeat)
    query = (
        select(  # type: ignore[call-overload]
            Result.game_id, Result.players, Result.map,
            col(a.place).label("one"), col(b.place).label("other"),
        )
        .join(a, col(a.game_id) == col(Result.game_id))
        .join(b, col(b.game_id) == col(Result.game_id))
        .where(col(a.user_id) == one.id, col(b.user_id) == other.id, own(a), own(b))
        .where(counting([one, other], viewer))
        .order_by(col(Result.ended_at).desc(), col(Result.game_id).desc())
    )  # fmt: skip
    return list(session.exec(query))


def _scores(met: Iterable[Any], kind: str | None) -> tuple[Score, ...]:
    """Counted by kind; all together where there is none."""
    found: dict[Any, list[tuple[int, int]]] = {}
    for row in met:
        key = getattr(row, kind) if kind else None
        found.setdefault(key, []).append((row.one or 0, row.other or 0))
    return in_order(
        Score(key, len(pairs), sum(a < b for a, b in pairs), sum(b < a for a, b in pairs))
        for key, pairs in found.items()
    )
