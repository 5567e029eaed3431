"""Statistics of players, pairs and the whole site: counted by the database, from results alone.

Private games are nobody's business: they count only on pages of people, only for those who played
in them, and there only if the page's own user shares them (`User.share_private`) or is the
reader. Games that were ended before their end, and imported ones, count nowhere. A
place belongs to the user who made at least half of the seat's moves, else to nobody.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from statistics import median_low
from typing import Any, Final, TypeVar

from sqlalchemy import ColumnElement, and_, func, or_
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, exists, select

from core.store.tables import Game, Rating, Result, ResultCount, ResultSeat, SeatRow, User
from core.table.acts import lobby
from core.table.people.ratings import PROVISIONAL, Strength

RECENT: Final = 20
"""So many games, opponents or players are listed one by one."""


T = TypeVar("T", "Line", "Score", "Kind")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Line:
    """Games of one kind: how many, how many of them were won, and the average place."""

    key: Any
    games: int
    wins: int
    place: float

    @property
    def percent(self) -> float:
        """Percent of the games that were won; a shared victory is one."""
        return 100 * self.wins / self.games if self.games else 0.0


@dataclass(frozen=True, slots=True)
class Punctuality:
    """Moves of the user's own, deadlines that they missed, and how fast they answer.

    `seconds`: the middle of their games' medians, by the calendar; None where they never answered.
    """

    turns: int
    missed: int
    seconds: int | None

    @property
    def percent(self) -> int:
        """Percent of deadlines kept, rounded down."""
        asked = self.turns + self.missed
        return 100 * self.turns // asked if asked else 100


@dataclass(frozen=True, slots=True)
class Opponent:
    """Somebody that a user has played with, in how many games."""

    user_id: int
    name: str
    games: int


@dataclass(frozen=True, slots=True)
class Played:
    """One game: the places of those that the page is about."""

    game: Result
    title: str
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """All about one player."""

    total: Line
    by: dict[str, tuple[Line, ...]]
    punctuality: Punctuality
    opponents: tuple[Opponent, ...]
    games: tuple[Played, ...]


def is_known(session: Session, user: User, viewer: User | None) -> bool:
    """Return True if the viewer may know of this user: they sit where the viewer may look."""
    if viewer is not None and viewer.id == user.id:
        return True
    tables = select(Game).join(SeatRow, col(SeatRow.game_id) == col(Game.id))
    tables = tables.where(SeatRow.user_id == user.id)
    if session.exec(tables.where(col(Game.private).is_(False)).limit(1)).first() is not None:
        return True
    if viewer is None:
        return False
    return any(lobby.may_see(session, table, viewer) for table in session.exec(tables).all())


def record(session: Session, user: User, viewer: User | None) -> Record:
    """Return what a viewer, None for a stranger, is told of a player."""
    rows = _seats(session, user, viewer)
    placed = [row for row in rows if 2 * row.own_turns >= row.turns]
    total = lines(placed, None)
    return Record(
        total=total[0] if total else Line(None, 0, 0, 0.0),
        by={kind: lines(placed, kind) for kind in ("players", "map", "variant", "first")},
        punctuality=_punctuality(rows),
        opponents=_opponents(session, user, viewer),
        games=played(session, {row.game_id: (row.place or 0,) for row in rows[:RECENT]}),
    )


def counting(subjects: Sequence[User], viewer: User | None) -> ColumnElement[bool]:
    """Return which results count on a page about these people, for this viewer."""
    over = and_(col(Result.abandoned).is_(False), col(Result.imported).is_(False))
    public = and_(over, col(Result.private).is_(False))
    shared = all(viewer and (one.id == viewer.id or one.share_private) for one in subjects)
    if viewer is None or not shared:
        return public
    me = aliased(ResultSeat)
    there = exists().where(
        col(me.game_id) == col(Result.game_id), col(me.user_id) == viewer.id
    )  # fmt: skip
    return and_(over, or_(col(Result.private).is_(False), there))


def in_order(found: Iterable[T]) -> tuple[T, ...]:
    """Return kinds in order: numbers count up, of names the most frequent is first."""
    order = sorted(found, key=lambda o: o.key if isinstance(o.key, int) else (-o.games, o.key))
    return tuple(order)


def own(seat: type[ResultSeat]) -> ColumnElement[bool]:
    """Select seats whose last holder made half of the moves, so that the place is theirs."""
    return 2 * col(seat.own_turns) >= col(seat.turns)


def lines(rows: Iterable[Any], kind: str | None) -> tuple[Line, ...]:
    """Return rows with places, counted by kind; all together where there is none."""
    places = {key: [row.place or 0 for row in some] for key, some in _grouped(rows, kind).items()}
    return in_order(
        Line(key, len(some), some.count(1), sum(some) / len(some)) for key, some in places.items()
    )


def played(session: Session, places: Mapping[int, tuple[int, ...]]) -> tuple[Played, ...]:
    """Return games by their numbers, with the places to be told of each, in that order."""
    query = select(Result, Game.title).join(Game, col(Game.id) == col(Result.game_id))
    found = session.exec(query.where(col(Result.game_id).in_(places)))
    games = {game.game_id: (game, title) for game, title in found}
    return tuple(Played(*games[game_id], which) for game_id, which in places.items())


def _seats(session: Session, user: User, viewer: User | None) -> Sequence[Any]:
    """Return what a user has played, as it counts on their page, newest first."""
    seat = (ResultSeat.place, ResultSeat.first, ResultSeat.turns, ResultSeat.own_turns,
            ResultSeat.missed, ResultSeat.median_seconds)  # fmt: skip
    game = Result.game_id, Result.players, Result.map, Result.variant
    query = (
        select(*seat, *game)  # type: ignore[call-overload]
        .join(Result, col(Result.game_id) == col(ResultSeat.game_id))
        .where(ResultSeat.user_id == user.id, counting([user], viewer), _with_people())
        .order_by(col(Result.ended_at).desc(), col(Result.game_id).desc())
    )
    return list(session.exec(query))


def _with_people() -> ColumnElement[bool]:
    """Select games in which somebody else than bots sat beside the player (H24)."""
    other = aliased(ResultSeat)
    return exists().where(
        col(other.game_id) == col(ResultSeat.game_id),
        col(other.seat) != col(ResultSeat.seat),
        col(other.bot) == "",
    )


def _punctuality(rows: Sequence[Any]) -> Punctuality:
    seconds = [row.median_seconds for row in rows if row.median_seconds is not None]
    return Punctuality(
        turns=sum(row.own_turns for row in rows),
        missed=sum(row.missed for row in rows),
        seconds=median_low(seconds) if seconds else None,
    )


def _opponents(session: Session, user: User, viewer: User | None) -> tuple[Opponent, ...]:
    """Return the opponents met most often, in games that count on the page of the two."""
    other = aliased(ResultSeat)
    shared = or_(col(Result.private).is_(False), col(User.share_private))
    if viewer is not None:
        shared = or_(shared, col(User.id) == viewer.id)
    query = (
        select(User.id, User.name, func.count())
        .join(other, col(other.user_id) == col(User.id))
        .join(ResultSeat, col(ResultSeat.game_id) == col(other.game_id))
        .join(Result, col(Result.game_id) == col(other.game_id))
        .where(
            ResultSeat.user_id == user.id,
            User.id != user.id,
            own(ResultSeat),
            own(other),
            counting([user], viewer),
            shared,
        )
        .group_by(col(User.id), col(User.name))
        .order_by(func.count().desc(), col(User.name), col(User.id))
        .limit(RECENT)
    )
    return tuple(Opponent(*row) for row in session.exec(query))


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
    """Return what a viewer, None for a stranger, is told of two players who are not the same."""
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
    """Return the common games of two players with their places, newest first."""
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
    """Return common games counted by kind; all together where there is none."""
    return in_order(
        Score(
            key,
            games=len(some),
            first=sum((row.one or 0) < (row.other or 0) for row in some),
            second=sum((row.other or 0) < (row.one or 0) for row in some),
        )
        for key, some in _grouped(met, kind).items()
    )


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
    here = [c for c in counts if c.map == (board or c.map) and c.variant == (variant or c.variant)]
    return Overall(
        by={kind: _kinds(counts, kind) for kind in ("map", "variant", "players")},
        seats={n: _lines(some) for n, some in sorted(_grouped(here, "players").items())},
        strongest=strongest(session),
    )


def strongest(session: Session) -> tuple[tuple[User, Strength], ...]:
    """Return the best by what they have shown at least.

    Without those whose rating is provisional.
    """
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
    # Each game has one seat that began, so that its sums are those of the games.
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


def _grouped(rows: Iterable[R], kind: str | None) -> dict[Any, list[R]]:
    """Return rows by what they have in this column; all together where none is named."""
    found: dict[Any, list[R]] = {}
    for row in rows:
        found.setdefault(getattr(row, kind) if kind else None, []).append(row)
    return found


def _mean(counts: Sequence[ResultCount], column: str) -> float:
    games = sum(one.games for one in counts)
    return float(sum(getattr(one, column) for one in counts) / games)
