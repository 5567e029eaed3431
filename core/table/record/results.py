"""What is kept of games that are over: written with their end, made again from their logs.

Results hold nothing that the logs, the seats and the terms of the tables do not say; so they can
be thrown away at any time.
"""

from collections.abc import Iterator
from typing import Any, Final

from sqlalchemy import Engine, and_, case, func
from sqlalchemy.exc import OperationalError
from sqlmodel import Session, SQLModel, col, delete, select

from core.game.errors import LogError
from core.game.events import Event, GameAbandoned, closing
from core.statuses import GAME_OVER
from core.store.session import add_up, read, write
from core.store.tables import Game, Rating, Result, ResultCount, ResultSeat
from core.story.tally import A_CITY, Tally, tally
from core.table.record import gamelog, seats
from core.table.record.deadlines import terms_of

DERIVED: Final = (Rating, ResultSeat, Result, ResultCount)
"""The tables that can be made again, those first that refer to others."""
_LONGEST_KEY: Final = 60
_FEWEST_RIVALS: Final = 2


def record(session: Session, game: Game) -> None:
    """Write down how a game came out, once its log has been closed. The game must be locked."""
    counted = tally(gamelog.events(session, game.id))
    rows = seats.seats(session, game.id)
    results = [
        ResultSeat(
            game_id=game.id, seat=n, user_id=row.user_id, bot=row.bot, **_columns(seat, ResultSeat)
        )
        for n, (row, seat) in enumerate(zip(rows, counted.seats, strict=True))
    ]
    left = _place_those_who_left(session, game, results)
    why = _unrated(game, counted, results, left)
    if not why and seats.shared_mailbox(session, game.id):
        why = "agreed"
    session.add(
        Result(**{
            **_columns(counted, Result),
            "game_id": game.id,
            "map": counted.map[:_LONGEST_KEY],
            "variant": counted.variant[:_LONGEST_KEY],
            "players": len(rows),
            "private": game.private,
            "imported": game.imported,
            "rated": not why,
            "unrated": why,
            "due": not why,
        })
    )  # fmt: skip
    session.flush()
    session.add_all(results)
    session.flush()
    count(session, game.id)


def count(session: Session, game_id: int | None = None) -> None:
    """Add a game, or all, to the sums of the site: those that everybody may know of."""
    public = and_(
        col(Result.abandoned).is_(False),
        col(Result.imported).is_(False),
        col(Result.private).is_(False),
    )
    kind = Result.map, Result.variant, Result.players, ResultSeat.first
    sums = (
        func.count(),
        func.sum(case((col(ResultSeat.place) == 1, 1), else_=0)),
        func.sum(func.coalesce(ResultSeat.place, 0)),
        func.sum(Result.rounds),
        func.sum(Result.seconds),
        func.sum(case((col(Result.closeness) < A_CITY, 1), else_=0)),
    )
    query = (
        select(*kind, *sums)  # type: ignore[call-overload]
        .join(ResultSeat, col(ResultSeat.game_id) == col(Result.game_id))
        .where(public if game_id is None else public & (col(Result.game_id) == game_id))
        .group_by(*kind)
        .order_by(*kind)
    )
    add_up(session, ResultCount, query)


def counts(seat: ResultSeat) -> bool:
    """Return True if the place is the user's own: they made at least half of its moves."""
    return seat.user_id is not None and 0 < seat.turns <= 2 * seat.own_turns


def clear(engine: Engine) -> None:
    """Throw all results and ratings away; makes their tables where there are none."""
    tables = [SQLModel.metadata.tables[str(table.__tablename__)] for table in DERIVED]
    SQLModel.metadata.create_all(engine, tables)
    with write(engine) as session:
        for table in DERIVED:
            session.exec(delete(table))


def fill(engine: Engine) -> Iterator[tuple[int, str]]:
    """Write the missing results from the logs, one game a transaction.

    Yields the games, each with what is wrong with its log; empty where all is well. A log that
    somebody has spoiled can fail in any way, and must not stop those behind it.

    Raises:
        OperationalError: the database is at fault, and no game.
    """
    with read(engine) as session:
        missing = select(Game.id).where(
            col(Game.status).in_(GAME_OVER), col(Game.id).not_in(select(Result.game_id))
        )
        games = list(session.exec(missing.order_by(col(Game.id))))
    for game_id in games:
        try:
            with write(engine) as session:
                game = gamelog.lock(session, game_id)
                if session.get(Result, game_id) is None:
                    record(session, game)
            yield game_id, ""
        except OperationalError:
            raise
        except Exception as error:
            yield game_id, str(error) if isinstance(error, LogError) else repr(error)


def _columns(counted: object, table: type[SQLModel]) -> dict[str, Any]:
    """Return what was counted, as far as a table keeps it."""
    return {name: getattr(counted, name) for name in table.model_fields if hasattr(counted, name)}


def _place_those_who_left(session: Session, game: Game, results: list[ResultSeat]) -> bool:
    """Give places where all others have left the last player: theirs are lost (H19).

    Return True if that is how the game ended.
    """
    state, last = gamelog.load(session, game.id), closing(_events(session, game))
    if not isinstance(last, GameAbandoned) or last.because != "last-player":
        return False
    for seat in results:
        if seat.user_id is not None:
            seat.place = 2 if state.players[seat.seat].caretaker else 1
    return True


def _events(session: Session, game: Game) -> list[Event]:
    return [entry.event for entry in gamelog.events(session, game.id)]


def _unrated(game: Game, counted: Tally, seats: list[ResultSeat], left: bool) -> str:
    """Return why a game does not count for ratings; empty where it does.

    A private game does not: a rating that everybody sees would tell of it. `left`: all others
    have left the last player, which is a defeat and no end by agreement.
    """
    reasons = {
        "imported": game.imported,
        "abandoned": counted.abandoned and not left,
        "private": game.private,
        "agreed": not terms_of(game).rated,
        "alone": sum(map(counts, seats)) < _FEWEST_RIVALS,
    }
    return next((why for why, holds in reasons.items() if holds), "")
