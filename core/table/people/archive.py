"""Games as files: a stored game written as JSON Lines, and a finished one read back in."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Final

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, select

from core.game.events import GameAbandoned, closing
from core.game.evolve import replay
from core.game.judge import judge
from core.game.log.jsonl import GameLog, dump, log_of
from core.game.rules import check
from core.game.rules.check import PLAYERS
from core.game.rules.knobs import Ruleset
from core.statuses import GameStatus
from core.store.tables import Game, Result, SeatRow, User
from core.table.people.accounts import clean_name
from core.table.record import corpus, gamelog, results, seats
from core.table.record.errors import TableError
from core.table.record.telling import as_told
from core.text import _

_LONGEST_TITLE: Final = 80
_LONGEST_KEY: Final = 60
_EARLIEST: Final = datetime(2000, 1, 1, tzinfo=UTC)
_CLOCKS_DIFFER: Final = timedelta(days=1)


def export(session: Session, game: Game) -> Iterator[str]:
    """Yield the lines of a game's file; while it runs, unseen cards and the seed are blanked.

    TableError `not-begun` for a table whose game has no log yet.
    """
    log = gamelog.events(session, game.id)
    if not log:
        raise TableError("not-begun", _("This game has not begun; there is nothing to export."))
    names = [row.name for row in seats.seats(session, game.id)]
    told = log if closing([entry.event for entry in log]) else as_told(log)
    return dump(log_of([e.event for e in told], names, [entry.at for entry in told]))


def import_log(
    session: Session,
    log: GameLog,
    now: datetime,
    owner: User | None = None,
    *,
    private: bool = False,
) -> Game:
    """Store a game that is over, to be listed and looked at like any other; nobody owns its seats.

    The same log again is the game that is there already: a public one is everybody's, a `private`
    one its `owner`'s alone, and public once they bring it again and says so. Events without a time
    get that of the one before, or `now`. An imported game is never rated.

    Raises:
        TableError: the game is not over (`log-unfinished`), cannot be shown (`log-unfit`), or was
            not played by its rules (`log-unruly`); then nothing has been stored.
    """
    public = sha256("".join(dump(log)).encode()).hexdigest()
    own = sha256(f"{public} of {owner.id}".encode()).hexdigest() if owner else public
    if found := _known(session, public, own, private=private):
        return found
    digest = own if private else public
    names = _checked_names(log)
    _check_times(log, now)
    if wrong := judge(log.events).difference:
        text = _("This game was not played by its rules: {difference}.")
        raise TableError("log-unruly", text.format(difference=wrong))
    game = _row(log, digest, names, now)
    game.host_id, game.private = owner.id if owner else None, private
    try:
        with session.begin_nested():
            session.add(game)
    except IntegrityError:  # somebody else imported it in this moment
        return session.exec(select(Game).where(Game.digest == digest)).one()
    rows = [SeatRow(game_id=game.id, name=name, joined_at=game.created_at) for name in names]
    seats.mark(rows)
    session.add_all(rows)
    for entry, at in zip(log.entries, _times(log, now), strict=True):
        gamelog.append(session, game, [entry.event], at)
    results.record(session, game)
    corpus.keep(session, game, replay(log.events), now)
    return game


def _known(session: Session, public: str, own: str, *, private: bool) -> Game | None:
    """Return the game of this file if it is there; its owner may make their own public."""
    if found := session.exec(select(Game).where(Game.digest == public)).first():
        return found
    found = session.exec(select(Game).where(Game.digest == own)).first()
    if found is not None and not private:
        found.private, found.digest = False, public
        session.add(found)
        if result := session.get(Result, found.id):
            result.private = False
            session.add(result)
    return found


def _row(log: GameLog, digest: str, names: list[str], now: datetime) -> Game:
    rules, times = _rules(log), _times(log, now)
    title = _("{map}: {names}").format(map=rules.map.name, names=", ".join(names))
    return Game(
        title=clean_name(title, _LONGEST_TITLE),
        map=rules.map.key[:_LONGEST_KEY],
        variant=rules.variant[:_LONGEST_KEY],
        options={"auction": rules.auction},
        players=len(names),
        turn_hours=0,
        chat=False,
        status=GameStatus.ABANDONED
        if isinstance(closing(log.events), GameAbandoned)
        else GameStatus.FINISHED,
        imported=True,
        digest=digest,
        created_at=now,
        started_at=times[0],
        ended_at=times[-1],
    )


def _checked_names(log: GameLog) -> list[str]:
    """Return the players' names, once all is well with the log."""
    if closing(log.events) is None:
        text = _("Event {n} is the last, and the game is not over; only finished games are taken.")
        raise TableError("log-unfinished", text.format(n=len(log.entries)))
    for problem in check.problems(_rules(log)):
        text = _("Event 1: {key}: {reason}")
        raise TableError("log-unfit", text.format(key=problem.key, reason=problem.reason))
    if len(log.header.names) not in PLAYERS:
        text = _("Line 1: names: {least} to {most} can play.")
        raise TableError("log-unfit", text.format(least=PLAYERS[0], most=PLAYERS[-1]))
    try:
        return [clean_name(name) for name in log.header.names]
    except TableError as error:
        raise TableError("log-unfit", _("Line 1: names: one is empty.")) from error


def _check_times(log: GameLog, now: datetime) -> None:
    """Refuse a year that no clock has shown: it could not be shown in every zone."""
    for entry in log.entries:
        if entry.at and not _EARLIEST <= entry.at <= now + _CLOCKS_DIFFER:
            text = _("Event {n}: it happened in {year}; a game is played between 2000 and now.")
            raise TableError("log-unfit", text.format(n=entry.seq, year=entry.at.year))


def _rules(log: GameLog) -> Ruleset:
    return replay(log.events[:1]).ruleset


def _times(log: GameLog, now: datetime) -> list[datetime]:
    """Return when each event happened, as far as the log knows."""
    at = next((entry.at for entry in log.entries if entry.at is not None), now)
    times = []
    for entry in log.entries:
        at = entry.at or at
        times.append(at)
    return times
