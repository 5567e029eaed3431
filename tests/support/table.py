"""A house full of tables for tests: users, games, moves, and a clock that only tests turn."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import count
from types import SimpleNamespace
from unittest import mock

from sqlalchemy import Engine, event
from sqlmodel import Session, SQLModel, select

from core import bots
from core.game import engine as rules
from core.game.judge import judge
from core.game.log.redact import redact
from core.game.notation import text
from core.game.observe import observe
from core.game.state import GameState
from core.store.session import read, write
from core.store.tables import EventRow, Game, OutboxMail, SeatRow, Submission, Turn, User
from core.table.acts import lobby
from core.table.drive.adjudicate import adjudicate
from core.table.people.accounts import user_for
from core.table.play.submissions import submit
from core.table.record import gamelog, turns
from core.terms import Terms
from tests.support.kept import Kept

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
_KEPT: dict[tuple, Kept] = {}
_KEYS = count(1)
"""Of submissions; games that are kept have some already."""


class House:
    """Everything that a table test wants to do, each step in a transaction of its own."""

    def __init__(self, engine: Engine, *, real_time: bool = False) -> None:
        self.engine = engine
        gamelog.forget()  # a game of another house may have the same number and seed
        if engine.dialect.name == "sqlite":  # no test pulls the plug of the machine
            event.listen(engine, "connect", _unsynced)
        self._now = None if real_time else NOON

    @property
    def now(self) -> datetime:
        return self._now or datetime.now(UTC)

    @contextmanager
    def write(self) -> Iterator[Session]:
        with write(self.engine) as session:
            yield session

    @contextmanager
    def read(self) -> Iterator[Session]:
        with read(self.engine) as session:
            yield session

    def pass_time(self, **delta: float) -> None:
        self._now = self.now + timedelta(**delta)

    def user(self, name: str) -> User:
        local = name.lower() if name.isascii() else name.encode("punycode").decode()
        with self.write() as s:
            return user_for(s, f"{local}@example.org", self.now, name)

    def open(self, *names: str, robots: int = 0, **settings) -> int:
        """Open a table: the first is its host. Returns the game's id."""
        people = [self.user(name) for name in names]
        chosen = {
            "title": "Test",
            "map": "germany",
            "players": len(names) + robots,
            "terms": Terms(graces=0),
            **settings,
        }
        with self.write() as s:
            game = lobby.create_table(s, people[0], lobby.TableSettings(**chosen), self.now)
            for person in people[1:]:
                lobby.join(s, game, person, self.now)
            for _ in range(robots):
                lobby.add_bot(s, game, bots.CARETAKER, self.now)
            return game.id

    def start(self, *names: str, robots: int = 0, **settings) -> int:
        """Open a table, start its game and let bots move."""
        game_id = self.open(*names, robots=robots, **settings)
        with self.write() as s:
            lobby.start(s, gamelog.find(s, game_id), self.now)
        self.adjudicate(game_id)
        return game_id

    def played(self, *names: str, moves: int = 10_000, until=None, **settings) -> int:
        """As `start` and `play`: in an empty house the same game each time, and in a moment.

        `until` knows nothing but the state that it is given.
        """
        stop = until and until.__code__
        assert stop is None or not stop.co_freevars
        code = stop and (stop.co_code, stop.co_consts, stop.co_names)
        key = (names, moves, code, repr(sorted(settings.items())))
        alone = not self.all(User)
        if alone and key in _KEPT:
            with self.write() as s:
                _KEPT[key].write(s, self.now)
            gamelog.forget()  # what was of another copy of the game
            return self.all(Game)[0].id
        seed = sha256(
            f"{names} {moves} {stop and stop.co_code} {sorted(settings.items())}".encode()
        )
        dealt = SimpleNamespace(token_hex=lambda _bytes: seed.hexdigest())
        fixed = alone and getattr(lobby.secrets, "fixed", False)  # not where a test has its own
        with mock.patch.object(lobby, "secrets", dealt) if fixed else nullcontext():
            game_id = self.start(*names, **settings)
        self.play(game_id, moves, until)
        if alone:
            with self.read() as s:
                _KEPT[key] = Kept.of(s, self.now)
        return game_id

    def wait_for_others(self, game_id: int, name: str) -> Turn:
        """Play on until somebody else is asked, whoever began; returns their turn."""
        own = self.seat(game_id, name)
        while (turn := self.asked(game_id)[0]).seat == own:
            self.move(game_id, own, self.line(game_id, own))
        return turn

    def adjudicate(self, game_id: int) -> None:
        again = True
        while again:
            with self.write() as s:
                again = adjudicate(s, game_id, self.now)

    def submit(
        self, game_id: int, seat: int, line: str, *, turn: int | None = None, key: str = "",
        channel: str = "web",
    ) -> int:  # fmt: skip
        """Submit a line for the seat's open turn; returns the submission's id."""
        with self.write() as s:
            if turn is None:
                turn = turns.current_turn(s, game_id, seat).turn
            key = key or f"key-{next(_KEYS)}"
            return submit(s, game_id, seat, turn, line, channel, key, self.now).id

    def move(self, game_id: int, seat: int, line: str, **how) -> Submission:
        """Submit a line and have it judged."""
        number = self.submit(game_id, seat, line, **how)
        self.adjudicate(game_id)
        return self.get(Submission, number)

    def asked(self, game_id: int) -> list[Turn]:
        with self.read() as s:
            return [turn for turn in turns.asked(s, game_id) if not turn.plan]

    def line(self, game_id: int, seat: int) -> str:
        """What a sensible bot would answer for this seat."""
        return _sensible(self.state(game_id), seat)

    def play(self, game_id: int, moves: int = 10_000, until=None) -> int:
        """Answer open turns as a sensible player would; returns the number of moves."""
        for done in range(moves):
            with self.write() as s:  # one transaction: quicker, and nothing else happens here
                asked = [turn for turn in turns.asked(s, game_id) if not turn.plan]
                state = gamelog.load(s, game_id)
                if not asked or (until and until(state)):
                    return done
                seat, turn, line = asked[0].seat, asked[0].turn, _sensible(state, asked[0].seat)
                decided = submit(
                    s, game_id, seat, turn, line, "web", f"key-{next(_KEYS)}", self.now
                )
                again = adjudicate(s, game_id, self.now)
            assert decided.status == "accepted", (decided.text, decided.reason)
            if again:
                self.adjudicate(game_id)
        return moves

    def state(self, game_id: int, upto: int | None = None):
        with self.read() as s:
            return gamelog.load(s, game_id, upto)

    def events(self, game_id: int) -> list:
        with self.read() as s:
            return [entry.event for entry in gamelog.events(s, game_id)]

    def kinds(self, game_id: int) -> list[str]:
        return [type(event).__name__ for event in self.events(game_id)]

    def get(self, table, key):
        with self.read() as s:
            return s.get_one(table, key)

    def all(self, table, **where) -> list:
        """The rows in order of their keys: PostgreSQL gives them in any."""
        with self.read() as s:
            keys = table.__mapper__.primary_key
            return list(s.exec(select(table).filter_by(**where).order_by(*keys)))

    def rows(self) -> dict[str, list[tuple]]:
        """Every row of every table but browsers' sessions, which remember when they were seen."""
        tables = [t for t in SQLModel.metadata.sorted_tables if t.name != "web_sessions"]
        with self.read() as s:
            return {t.name: sorted(map(tuple, s.execute(t.select())), key=repr) for t in tables}

    def mails(self, **where) -> list[OutboxMail]:
        return sorted(self.all(OutboxMail, **where), key=lambda mail: mail.id)

    def seat(self, game_id: int, name: str) -> int:
        return next(r.seat for r in self.all(SeatRow, game_id=game_id) if r.name == name)

    def owner(self, game_id: int, seat: int) -> User:
        row = next(r for r in self.all(SeatRow, game_id=game_id) if r.seat == seat)
        return self.get(User, row.user_id)

    def game(self, game_id: int) -> Game:
        return self.get(Game, game_id)

    def log_is_whole(self, game_id: int) -> None:
        """Every event once, in order, folding to a position of the same length, by the rules."""
        rows = self.all(EventRow, game_id=game_id)
        assert sorted(row.seq for row in rows) == list(range(1, len(rows) + 1))
        assert self.game(game_id).seq == len(rows) == self.state(game_id).seq
        assert rules.to_act(self.state(game_id)) is not None
        events, seed = self.events(game_id), self.game(game_id).seed
        for log in (events, redact(events)):  # as it is kept, and as it is told
            found = judge(log, seed if log is events else "")
            assert found.difference is None, str(found.difference)


def _sensible(state: GameState, seat: int) -> str:
    return text(bots.bot(bots.CARETAKER).move(observe(state, seat)), state.ruleset)


def _unsynced(connection, _record) -> None:
    connection.execute("PRAGMA synchronous=OFF")
