"""A game's log in the database: lock it, read it, fold it, append to it."""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from threading import Lock
from typing import Final, Generic, TypeVar

from sqlmodel import Session

from core.game.errors import LogError
from core.game.events import Event, Rewound, SeatTaken
from core.game.evolve import replay
from core.game.log import codec
from core.game.state import GameState
from core.statuses import GameStatus
from core.store.tables import Game
from core.table.record import prepared
from core.table.record.errors import TableError
from core.tableview import Logged
from core.text import _

_WRITTEN: Final = "logs written"
_BROKEN: Final = (LookupError, ValueError, TypeError, ArithmeticError, AttributeError)
"""What comes of folding events that this version does not know, or that make no sense to it."""
_LOCKED: Final = "games locked"
T = TypeVar("T")


class Kept(Generic[T]):
    """What a process remembers of the games that it saw last, so that only what is new is folded.

    The key holds the game's secret seed, or the digest of an imported one: the same number in
    another database is another game. Its edition makes void what still shows a name that is gone.
    """

    def __init__(self, most: int) -> None:
        """Remember so many games."""
        self._most, self._games = most, OrderedDict[tuple[int, str, int], T]()
        self._lock = Lock()

    def get(self, game: Game) -> T | None:
        """Return what is known of a game."""
        with self._lock:
            return self._games.get((game.id, game.digest or game.seed, game.edition))

    def put(self, session: Session, game: Game, known: T) -> None:
        """Remember it, unless this session has written to its log: that may yet be undone."""
        if game.id in session.info.get(_WRITTEN, ()):
            return
        key = (game.id, game.digest or game.seed, game.edition)
        with self._lock:
            self._games[key] = known
            self._games.move_to_end(key)
            while len(self._games) > self._most:
                self._games.popitem(last=False)

    def clear(self) -> None:
        """Forget all games."""
        with self._lock:
            self._games.clear()


_positions: Final = Kept[GameState](64)
_logs: Final = Kept[tuple[Logged, ...]](64)


def forget() -> None:
    """Remember no log and no position any more: another database is looked at."""
    _positions.clear()
    _logs.clear()


def find(session: Session, game_id: int) -> Game:
    """Return the game's row as it is now; TableError (`no-such-game`) if there is none."""
    held = _held(session).get(game_id)
    return held or _there(session.get(Game, game_id, populate_existing=True))


def lock(session: Session, game_id: int) -> Game:
    """Return the game's row, held until the transaction ends: only one writes to a log at a time.

    Rows that refer to the game can be written meanwhile: its key is not locked. On SQLite the
    write scope itself is the lock.
    """
    if held := _held(session).get(game_id):
        return held
    game = _there(session.scalar(prepared.LOCK, {"game_id": game_id}))
    if session.get_nested_transaction() is None:  # to undo a savepoint lets go of its locks
        _held(session)[game_id] = game
    return game


def _held(session: Session) -> dict[int, Game]:
    """Games whose rows this transaction has locked: they need not be read again."""
    transaction = session.get_transaction()
    known: tuple[object, dict[int, Game]] = session.info.get(_LOCKED, (None, {}))
    if known[0] is not transaction:
        known = session.info[_LOCKED] = (transaction, {})
    return known[1]


def _there(game: Game | None) -> Game:
    if game is None:
        raise TableError("no-such-game", _("There is no such game."))
    return game


def demand_running(game: Game, *, even_stopped: bool = False) -> None:
    """Raise TableError `not-running` unless the game runs and the service has not stopped it."""
    if game.status != GameStatus.RUNNING or (game.stopped_reason and not even_stopped):
        raise TableError("not-running", _("This game is not running."))


def events(
    session: Session, game_id: int, upto: int | None = None, after: int = 0
) -> Sequence[Logged]:
    """Return the log from event `after` + 1 up to event `upto`, both counted from 1."""
    game = session.get(Game, game_id)
    if game is None:
        return ()
    last = game.seq if upto is None else min(upto, game.seq)
    known = _logs.get(game) or ()
    if len(known) < last and len(known) < after:  # a part of the log that need not be whole
        return _stored(session, game_id, after, last)
    if len(known) < last:
        known = (*known, *_stored(session, game_id, len(known), game.seq))
        if len(known) != game.seq:
            return [entry for entry in known if after < entry.seq <= last]  # it has a hole
        _logs.put(session, game, known)
    return known[after:last]  # others may have kept more than this session sees


def _stored(session: Session, game_id: int, after: int, last: int) -> list[Logged]:
    rows = session.execute(prepared.EVENTS, {"game_id": game_id, "after": after, "last": last})
    with _readable(game_id):
        return [Logged(seq, at, codec.decode(dict(body))) for seq, at, body in rows]


def handovers(session: Session, game_id: int, after: int) -> list[Event]:
    """Return the changes of players behind event `after`."""
    later = (entry.event for entry in events(session, game_id, after=after))
    return [event for event in later if isinstance(event, SeatTaken)]


@contextmanager
def _readable(game_id: int) -> Iterator[None]:
    """Raise LogError for whatever goes wrong in reading a log, naming its game."""
    try:
        yield
    except (LogError, *_BROKEN) as error:
        why = error if isinstance(error, LogError) else repr(error)
        raise LogError(f"game {game_id}: {why}") from error


def load(session: Session, game_id: int, upto: int | None = None) -> GameState:
    """Return the position after event `upto`, or the present one; LogError if it is unreadable."""
    game = find(session, game_id)
    if upto is not None and upto < game.seq:
        then = events(session, game_id, upto)
        with _readable(game_id):
            return replay(entry.event for entry in then)
    known = _positions.get(game)
    if known is not None and known.seq > game.seq:
        known = None
    new = events(session, game_id, after=known.seq if known else 0)
    if known is not None and any(isinstance(entry.event, Rewound) for entry in new):
        known, new = None, events(session, game_id)  # it may go back beyond what is remembered
    with _readable(game_id):
        state = replay((entry.event for entry in new), known)
    if state.seq != game.seq:
        raise LogError(f"game {game_id}: the log has {state.seq} events, its row says {game.seq}")
    _positions.put(session, game, state)
    return state


def append(
    session: Session,
    game: Game,
    happened: Sequence[Event],
    now: datetime,
    submission_id: int | None = None,
) -> None:
    """Write events to the end of the log. The game must be locked; (game, seq) is unique."""
    session.info.setdefault(_WRITTEN, set()).add(game.id)
    rows = [
        {
            "game_id": game.id,
            "seq": seq,
            "at": now,
            "body": codec.encode(event),
            "submission_id": submission_id,
        }
        for seq, event in enumerate(happened, game.seq + 1)
    ]
    if rows:
        session.connection().execute(prepared.APPEND, rows)
    game.seq += len(happened)
    session.add(game)


def rewritten(session: Session, game: Game) -> None:
    """Make void what is remembered of a log that a name was taken from; the game must be locked."""
    session.info.setdefault(_WRITTEN, set()).add(game.id)
    game.edition += 1
    session.add(game)
