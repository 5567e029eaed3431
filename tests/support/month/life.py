"""What happens in the simulated month: people answer, leave and return; things break."""

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.message import EmailMessage
from itertools import count
from random import Random
from zoneinfo import ZoneInfo

from sqlmodel import Session, col, select

from core.game.types import Seat
from core.mail import bounces
from core.store.tables import Draft, Game, Turn, User
from core.table.acts import vacation
from core.table.drive import inbox
from core.table.notify import quiet
from core.table.play import pauses, play
from core.table.play.play import Play
from core.table.record import gamelog
from core.when import NEVER
from tests.support.month.service import Service
from tests.support.month.world import BEGIN, END, Person, open_tables, people
from tests.support.smtp_sink import Received, SmtpSink
from tests.support.table import House

TICK = timedelta(minutes=10)
"""Between two sweeps: just what is no outage."""
Key = tuple[int, int, int]
"""Game, seat and log position of a question."""


@dataclass
class Journal:
    """What was done to the service, told by who did it; the audit trusts this alone."""

    outages: list[tuple[datetime, datetime]] = field(default_factory=list)
    """No sweep ran in between."""
    mute: list[tuple[datetime, datetime]] = field(default_factory=list)
    """The mail server refused in between."""
    vacations: list[tuple[datetime, int, datetime, datetime]] = field(default_factory=list)
    """Known since, whose, from, to; what is known later of the same beginning counts."""
    unreached: list[tuple[datetime, datetime, int]] = field(default_factory=list)
    """From, to, to whom mail came back."""
    pauses: list[tuple[datetime, int, datetime, datetime]] = field(default_factory=list)
    """Known since, game, from, to."""
    answers: dict[Key, datetime] = field(default_factory=dict)
    """When a question was first answered, rightly."""
    deadlines: dict[Key, list[tuple[datetime, datetime]]] = field(default_factory=dict)
    """Known since, deadline: graces, pauses and vacations move it."""
    came: list[tuple[datetime, Received]] = field(default_factory=list)
    """Mails as they came, and when."""


class Life:
    """Drives a house and its service from the beginning to the end of the month."""

    def __init__(self, house: House, service: Service, sink: SmtpSink) -> None:
        self.house, self.service, self.sink = house, service, sink
        self.clock = service.clock
        self.journal = Journal()
        self.chance = Random(1)
        self.people: dict[int, Person] = {}
        self.games: list[int] = []
        self.known: dict[int, Turn] = {}
        self._plans: list[tuple[datetime, int, Callable[[], None]]] = []
        self._numbers = count(1)
        self._read = 0

    def live(self) -> None:
        """Live through the month."""
        self.clock.turn(BEGIN)
        self.people = people(self.house)
        self.games = open_tables(self.house, self.people)
        self._plan_misfortunes()
        for game in self.games:
            self.service.ring("adjudicate", game)
        now = BEGIN
        while now < END:
            self.clock.turn(now)
            self._tick()
            self._look()
            now += TICK
            while self._plans and self._plans[0][0] < now:
                at, _number, act = heapq.heappop(self._plans)
                self.clock.turn(at)
                act()
                self._settle()
                self._look()

    def _tick(self) -> None:
        """The beat; often there are two of them, and every task may come twice."""
        self.service.ring("tick", times=1 if self.chance.random() < 0.95 else 2)
        self._settle()

    def _settle(self) -> None:
        self.service.rest()
        while self._read < len(self.sink.messages):
            self.journal.came.append((self.clock.now, self.sink.messages[self._read]))
            self._read += 1

    def at(self, when: datetime, act: Callable[[], None]) -> None:
        """Let something happen at an instant, a whole minute."""
        heapq.heappush(self._plans, (when, next(self._numbers), act))

    def _look(self) -> None:
        """Everybody finds out what he is asked, and makes up his mind when to answer."""
        newest = max(self.known, default=0)
        with self.house.read() as session:
            new = session.exec(select(Turn).where(col(Turn.id) > newest)).all()
            hours = {g.id: g.turn_hours for g in session.exec(select(Game))}
            for turn in session.exec(select(Turn).where(col(Turn.closed_at).is_(None))):
                self._note(turn)
        for turn in new:
            self.known[turn.id] = turn
            person = self.people.get(turn.user_id or 0)
            if turn.closed_at is None and person is not None:
                self._intend(turn, person, hours[turn.game_id])

    def _note(self, turn: Turn) -> None:
        told = self.journal.deadlines.setdefault((turn.game_id, turn.seat, turn.turn), [])
        if not told or told[-1][1] != turn.deadline:
            told.append((self.clock.now, turn.deadline))

    def _intend(self, turn: Turn, person: Person, hours: int) -> None:
        gone = person.kind == "gone" and self.clock.now > BEGIN + timedelta(days=9)
        if gone or person.kind == "never":
            return
        chance = Random(f"{turn.game_id} {turn.seat} {turn.turn}")
        when = turn.asked_at + person.delay(chance, hours)
        self.at(max(when, self.clock.now), lambda: self._answer(turn, person))

    def _answer(self, asked: Turn, person: Person) -> None:
        """Answer a question, if it is still open; who finds the service down tries again later."""
        if not self.service.up:
            self.at(self.clock.now + timedelta(minutes=37), lambda: self._answer(asked, person))
            return
        turn = self.house.get(Turn, asked.id)
        if turn.closed_at is not None or turn.user_id != person.user.id:
            return
        key = (turn.game_id, turn.seat, turn.turn)
        letter = self._letter(person, key) if person.by_mail else None
        if letter is not None:
            self._reply(letter, person, self._line(turn))
        elif turn.plan:
            with self.house.write() as session:
                game = gamelog.lock(session, turn.game_id)
                play.ready(session, game, Seat(turn.seat), self.clock.now)
        else:
            line = self._line(turn)
            with self.house.write() as session:
                quiet.acted(session, turn.game_id, person.user.id, self.clock.now)
            for _ in range(self.chance.choice((1, 1, 2))):  # some click twice
                self.house.submit(*key[:2], line, turn=turn.turn, key=f"form {turn.id}")
        self.journal.answers.setdefault(key, self.clock.now)
        if self.chance.random() < 0.95:  # some rings are lost: the sweep finds the move
            self.service.ring("adjudicate", turn.game_id, times=self.chance.choice((1, 1, 1, 2)))

    def _line(self, turn: Turn) -> str:
        return "ready" if turn.plan else self.house.line(turn.game_id, turn.seat)

    def _letter(self, person: Person, key: Key) -> EmailMessage | None:
        """The mail that asks this, if it has come."""
        wanted = f"turn+{key[0]}.{key[1]}.{key[2]}."
        for _at, received in reversed(self.journal.came[-400:]):
            if received.recipients == (person.user.email,) and wanted.encode() in received.raw:
                return received.message
        return None

    def _reply(self, letter: EmailMessage, person: Person, line: str) -> None:
        """Answer by mail; some mail servers deliver a mail twice."""
        message = EmailMessage()
        message["From"], message["To"] = person.user.email, str(letter["Reply-To"])
        message["Subject"] = f"Re: {letter['Subject']}"
        message["Message-ID"] = f"<{next(self._numbers)}@reader.example.com>"
        message.set_content(f"{line}\n\n> what was asked\n")
        for _ in range(self.chance.choice((1, 2))):
            with self.house.write() as session:
                numbers = inbox.receive(
                    session,
                    message.as_bytes(),
                    person.user.email,
                    [str(letter["Reply-To"])],
                    self.clock.now,
                )
            for number in numbers:
                self.service.ring("process_mail", number, times=self.chance.choice((1, 2)))

    def _plan_misfortunes(self) -> None:
        day = timedelta(days=1)
        for first, hours in ((2, 5), (11, 9), (24, 3)):
            start = BEGIN + first * day + timedelta(hours=7)
            self._mail_server_refuses(start, start + timedelta(hours=hours))
        self._service_is_down(BEGIN + 3 * day + timedelta(hours=3), timedelta(hours=7))
        self._service_is_down(BEGIN + 21.9 * day, timedelta(hours=3, minutes=30))
        self._service_is_down(BEGIN + 29 * day, timedelta(minutes=30))
        everybody = list(self.people.values())
        for n, person in enumerate(everybody[2::10]):
            self._mail_comes_back(BEGIN + (1.5 + 4 * n) * day, 1.25 * day, person)
        for n, person in enumerate(everybody[::5]):
            start = BEGIN + (1 + 2 * n) * day + timedelta(hours=9 + n, minutes=7 * n)
            self._vacation(start, person, 3 + n % 9, early=n % 4 == 3)
        for n in (n for n in (4, 12, 21) if n < len(self.games)):
            start = BEGIN + n * 0.9 * day + timedelta(hours=1)
            self._pause(self.games[n], start.replace(minute=13, second=0), timedelta(hours=57))
        for game in range(4, len(self.games), 8):  # tables that play what is saved
            for hour in range(0, 31 * 24, 11):
                self.at(BEGIN + timedelta(hours=hour, minutes=3), lambda g=game: self._save(g))

    def _mail_server_refuses(self, start: datetime, end: datetime) -> None:
        self.at(start, lambda: self.sink.refuse(1e9))
        self.at(end, lambda: self.sink.refuse(0))
        self.journal.mute.append((start, end))

    def _service_is_down(self, start: datetime, length: timedelta) -> None:
        """Nothing ticks; when it comes back, games may be rung before the first sweep."""
        start = BEGIN + (start - BEGIN) // TICK * TICK
        end = start + length

        def down() -> None:
            self.service.up = False

        def back() -> None:
            self.service.up = True
            for game in self.games:
                self.service.ring("adjudicate", game)
            self._settle()

        self.at(start + timedelta(minutes=1), down)
        self.at(end - timedelta(minutes=1), back)
        self.journal.outages.append((start, end))

    def _mail_comes_back(self, start: datetime, length: timedelta, person: Person) -> None:
        def change(act: Callable[[Session, User], None]) -> None:
            with self.house.write() as session:
                act(session, session.get_one(User, person.user.id))

        end = start + length
        self.at(start, lambda: change(lambda s, u: bounces.mark(s, u, "550 5.1.1", self.clock.now)))
        self.at(end, lambda: change(lambda s, u: bounces.lift(s, u, self.clock.now)))
        self.journal.unreached.append((start, end, person.user.id))

    def _vacation(self, start: datetime, person: Person, days: int, *, early: bool) -> None:
        local = start.astimezone(ZoneInfo(person.user.zone))
        end = (local + timedelta(days=days)).astimezone(start.tzinfo)

        def take() -> None:
            with self.house.write() as session:
                user = session.merge(person.user)
                vacation.take(session, user, vacation.Plan(days), self.clock.now)
            self.journal.vacations.append((start, person.user.id, start, end))

        def home() -> None:
            with self.house.write() as session:
                vacation.end(session, session.merge(person.user), self.clock.now)
            self.journal.vacations.append((self.clock.now, person.user.id, start, self.clock.now))

        self.at(start, take)
        if early:
            self.at(start + (end - start) / 2 // TICK * TICK, home)

    def _pause(self, game: int, start: datetime, length: timedelta) -> None:
        def stop() -> None:
            if self.house.game(game).status == "running":
                with self.house.write() as session:
                    pauses.pause(
                        Play.running(session, game, self.clock.now, even_stopped=True),
                        "host",
                        "a trip",
                    )
                self.journal.pauses.append((start, game, start, NEVER))
                self.at(start + length, go_on)

        def go_on() -> None:
            if self.house.game(game).status == "running":
                with self.house.write() as session:
                    pauses.resume(
                        Play.running(session, game, self.clock.now, even_stopped=True),
                        "host",
                        "back again",
                    )
                self.journal.pauses.append((self.clock.now, game, start, self.clock.now))

        self.at(start, stop)

    def _save(self, number: int) -> None:
        """Somebody fills in a form and does not send it."""
        game = self.games[number]
        for turn in self.house.asked(game):
            fields = {"line": [self.house.line(game, turn.seat)]}
            row = Draft(
                game_id=game, seat=turn.seat, turn=turn.turn, fields=fields, saved_at=self.clock.now
            )
            with self.house.write() as session:
                session.merge(row)
