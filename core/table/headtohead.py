"""Two players against each other: who came in before whom, in which order, where (M76)."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import and_, case, func
from sqlalchemy.orm import Mapped, aliased
from sqlmodel import Session, col, select

from core.store.tables import Game, Result, ResultSeat, User
from core.table.statistics import RECENT, Played, counting, in_order, own


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
    pair = _Pair(one, other, viewer)
    total = pair.scores(session, None)
    return HeadToHead(
        total=total[0] if total else Score(None, 0, 0, 0),
        by={
            "players": pair.scores(session, col(Result.players)),
            "map": pair.scores(session, col(Result.map)),
        },
        orders=pair.orders(session),
        games=pair.recent(session),
    )


class _Pair:
    """Asks for the common games of two players."""

    def __init__(self, one: User, other: User, viewer: User | None) -> None:
        self.a, self.b = aliased(ResultSeat), aliased(ResultSeat)
        self.common = and_(
            col(self.a.user_id) == one.id,
            col(self.b.user_id) == other.id,
            col(self.a.game_id) == col(Result.game_id),
            col(self.b.game_id) == col(Result.game_id),
            own(self.a),
            own(self.b),
            counting([one, other], viewer),
        )

    def scores(self, session: Session, kind: Mapped[Any] | None) -> tuple[Score, ...]:
        a, b = col(self.a.place), col(self.b.place)
        ahead = [func.sum(case((better, 1), else_=0)) for better in (a < b, b < a)]
        kinds = [] if kind is None else [kind]
        query = select(*kinds, func.count(), *ahead).where(self.common)  # type: ignore[call-overload]
        if kind is not None:
            query = query.group_by(kind).order_by(*in_order(kind))
        rows = [row if kind is not None else (None, *row) for row in session.exec(query)]
        return tuple(Score(*row) for row in rows if row[1])

    def orders(self, session: Session) -> tuple[Order, ...]:
        places = col(self.a.place), col(self.b.place)
        query = select(*places, func.count()).where(self.common).group_by(*places)
        rows = session.exec(query.order_by(*places))
        return tuple(Order(a or 0, b or 0, games) for a, b, games in rows)

    def recent(self, session: Session) -> tuple[Played, ...]:
        query = (
            select(Result, Game.title, self.a.place, self.b.place)
            .join(Game, col(Game.id) == col(Result.game_id))
            .where(self.common)
            .order_by(col(Result.ended_at).desc(), col(Result.game_id).desc())
            .limit(RECENT)
        )
        return tuple(
            Played(game, title, (a or 0, b or 0)) for game, title, a, b in session.exec(query)
        )
