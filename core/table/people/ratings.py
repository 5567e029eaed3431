"""How strong users have played, by OpenSkill (Plackett-Luce), game by game in the order of ends.

A game is rated by its places; ties share one. Bots count as nobody, and so do seats whose last
holder made less than half of their moves: among the others their places are what counts. A rating
after a game follows from the games that ended before it and from nothing else, so it does not
matter when it is computed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from openskill.models import PlackettLuce
from sqlalchemy import ColumnElement, tuple_
from sqlmodel import Session, col, delete, select, update
from sqlmodel.sql.expression import SelectOfScalar

from core.store.session import put
from core.store.tables import Heartbeat, Rating, Result, ResultSeat
from core.table.record import results

AT_ONCE: Final = 200
"""Games that are rated in one transaction."""
PROVISIONAL: Final = 8
"""With fewer rated games than these a rating says little."""
_CERTAIN: Final = 4.0
_ROUGH: Final = 6.0
"""Sigma up to which a rating is called certain, or rough; it begins at 8.3."""
_MODEL: Final = PlackettLuce()

Certainty = Literal["provisional", "uncertain", "rough", "certain"]


@dataclass(frozen=True, slots=True)
class Strength:
    """A rating to be shown. `points`: what the user has shown at least, mu less three sigma.

    `games`: rated games that it rests on. It begins at 0 and is given with one decimal.
    """

    points: float
    games: int
    certainty: Certainty

    @classmethod
    def of(cls, rating: Rating) -> "Strength":
        """Return what to show of a rating."""
        return cls(round(rating.mu - 3 * rating.sigma, 1), rating.games, certainty(rating))


def certainty(rating: Rating) -> Certainty:
    """Return how much a rating is to be trusted."""
    if rating.games < PROVISIONAL:
        return "provisional"
    if rating.sigma > _ROUGH:
        return "uncertain"
    return "rough" if rating.sigma > _CERTAIN else "certain"


def is_due(session: Session) -> bool:
    """Return True if a game has ended that ratings do not know of yet."""
    return session.exec(select(Result.game_id).where(col(Result.due)).limit(1)).first() is not None


def rate(session: Session, now: datetime) -> int:
    """Rate games that are due, the earliest first; games that ended later are rated again.

    Returns how many were rated; some may be left. Two that do so at once wait for each other.
    """
    put(session, Heartbeat(name="ratings", at=now))  # its row is the lock
    first = session.exec(_due(1)).first()
    if first is None:
        return 0
    forget_from(session, first)
    games = session.exec(_due(AT_ONCE)).all()
    known: dict[int, Rating] = {}
    for game in games:
        seats = [s for s in _seats(session, game) if results.counts(s)]
        for rating in _after(game, seats, [_before(session, known, s) for s in seats]):
            known[rating.user_id] = rating
            session.add(rating)
        game.due = False
        session.add(game)
    return len(games)


def forget_from(session: Session, first: Result) -> None:
    """Ratings from a game on rest on what it had not told yet; they are computed again."""
    anew = col(Result.rated), col(Result.due).is_(False), _not_before(Result, first)
    for statement in (
        delete(Rating).where(_not_before(Rating, first)),
        update(Result).where(*anew).values(due=True),
    ):
        session.execute(statement, execution_options={"synchronize_session": False})


def history(session: Session, user_id: int, last: int) -> Sequence[Rating]:
    """Return the last so many ratings of a user, the present one at the end."""
    query = select(Rating).where(Rating.user_id == user_id).order_by(col(Rating.games).desc())
    return session.exec(query.limit(last)).all()[::-1]


def _after(
    game: Result, seats: Sequence[ResultSeat], before: Sequence[Rating | None]
) -> Iterable[Rating]:
    """Return the ratings after a game, from those before it."""
    teams = [
        [_MODEL.rating(mu=r.mu, sigma=r.sigma) if r else _MODEL.rating()] for r in before
    ]  # fmt: skip
    ranks = [float(seat.place or 0) for seat in seats]
    for seat, old, [new] in zip(seats, before, _MODEL.rate(teams, ranks=ranks), strict=True):
        yield Rating(
            game_id=game.game_id,
            user_id=seat.user_id or 0,
            ended_at=game.ended_at,
            games=1 + (old.games if old else 0),
            mu=new.mu,
            sigma=new.sigma,
        )


def _due(limit: int) -> SelectOfScalar[Result]:
    order = (col(Result.ended_at), col(Result.game_id))
    return select(Result).where(col(Result.due)).order_by(*order).limit(limit)


def _not_before(table: type[Rating] | type[Result], first: Result) -> ColumnElement[bool]:
    return tuple_(col(table.ended_at), col(table.game_id)) >= (first.ended_at, first.game_id)


def _seats(session: Session, game: Result) -> Sequence[ResultSeat]:
    query = select(ResultSeat).where(ResultSeat.game_id == game.game_id)
    return session.exec(query.order_by(col(ResultSeat.seat))).all()


def _before(session: Session, known: dict[int, Rating], seat: ResultSeat) -> Rating | None:
    user_id = seat.user_id or 0
    return known.get(user_id) or _newest(session, user_id)


def _newest(session: Session, user_id: int) -> Rating | None:
    query = select(Rating).where(Rating.user_id == user_id).order_by(col(Rating.games).desc())
    return session.exec(query.limit(1)).first()
