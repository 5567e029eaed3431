"""One game at the real table: rows in a database in memory, and a clock that jumps."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from sqlalchemy import Engine
from sqlmodel import Session, SQLModel, col, select

from core.game import notation
from core.game.chance import Chance
from core.game.observe import observe
from core.game.types import Seat
from core.statuses import ClosedBy, GameStatus
from core.store.session import make_engine, write
from core.store.tables import OutboxMail, Turn
from core.table.acts import absence, lobby
from core.table.drive.adjudicate import adjudicate
from core.table.people.accounts import user_for
from core.table.play import play, submissions
from core.table.record import gamelog, standing_orders, turns
from core.terms import Terms
from webapp.instruments.pace.regimes import REGIMES, Asked, Regime

_BEGIN: Final = datetime(2026, 1, 5, 8, tzinfo=UTC)
_MINUTE: Final = timedelta(minutes=1)
_AWAY: Final = range(3, 6)
"""Rounds for which one person is away."""
_MOST_STEPS: Final = 20_000


@dataclass(frozen=True, slots=True)
class Pace:
    """What one game asked of its people.

    `asked`: times somebody was asked. `hand_offs`: steps at which somebody was newly asked, and
    the table then waited for them. `mails`: all that were owed. `waits`: steps at which only time
    helped.
    """

    regime: str
    seed: str
    rounds: int
    asked: int
    hand_offs: int
    mails: int
    waits: int


def play_seed(map_: str, variant: str, players: int, seed: str) -> Iterator[Pace]:
    """Play one seed under all regimes, each at a table of its own."""
    engine = make_engine("sqlite://")
    SQLModel.metadata.create_all(engine)
    for regime in REGIMES:
        table = Table(engine, regime, seed, lobby.TableSettings(
            title=regime.name, map=map_, variant=variant, players=players, auction=regime.auction,
            terms=Terms(planning=regime.planning),
        ))  # fmt: skip
        yield table.play()
    engine.dispose()


class Table:
    """A game of people who answer at once, when they are there."""

    def __init__(
        self, engine: Engine, regime: Regime, seed: str, settings: lobby.TableSettings
    ) -> None:
        """Seat the people and begin with this seed, which gives every regime the same cards."""
        self.engine, self.regime, self.seed = engine, regime, seed
        self.now, self.waits = _BEGIN, 0
        with write(engine) as s:
            names = [f"person{n}" for n in range(settings.players)]
            people = [user_for(s, f"{name}@example.org", self.now, name) for name in names]
            game = lobby.create_table(s, people[0], settings, self.now)
            for person in people[1:]:
                lobby.join(s, game, person, self.now)
            lobby.start(s, game, self.now, seed=seed)
            self.game_id = game.id
        self._away = Chance(seed).shuffled([Seat(n) for n in range(settings.players)], "away")[0]
        self._adjudicate()

    def play(self) -> Pace:
        """Play to the end and count."""
        for _ in range(_MOST_STEPS):
            if not self.step():
                return self._count()
        raise RuntimeError(f"{self.regime.name}, seed {self.seed}: does not end")

    def step(self) -> bool:
        """Let the next person answer, or time pass; False when the game is over."""
        self.now += _MINUTE
        with write(self.engine) as s:
            game = gamelog.lock(s, self.game_id)
            if game.status != GameStatus.RUNNING:
                return False
            self._come_back(s)
            waiting = turns.asked(s, self.game_id)
            there = [turn for turn in waiting if not self._absent(s, Seat(turn.seat))]
            if there:
                self._answer(s, there[0])
            elif waiting:
                self.waits += 1
                self.now = max(self.now, min(turn.deadline for turn in waiting))
        self._adjudicate()
        return True

    def _answer(self, s: Session, turn: Turn) -> None:
        """Send what the person of an open turn answers: orders, and a move or "ready"."""
        state, game, seat = (
            gamelog.load(s, self.game_id),
            gamelog.find(s, self.game_id),
            Seat(turn.seat),
        )
        mine = [
            standing_orders.standing(row, state.ruleset)
            for row in standing_orders.rows(s, game.id, seat)
        ]
        asked = Asked(observe(state, seat), turn.plan, tuple(row.order for row in mine))
        answer = self.regime.answer(asked)
        for said in answer.orders:
            standing_orders.give(s, game, state, seat, said, self.now)
        if turn.plan:
            play.ready(s, game, seat, self.now)
        elif answer.move is not None:
            line = notation.text(answer.move, state.ruleset)
            key = f"pace:{turn.id}"
            submissions.submit(s, game.id, seat, turn.turn, line, "web", key, self.now)

    def _adjudicate(self) -> None:
        again = True
        while again:
            with write(self.engine) as s:
                again = adjudicate(s, self.game_id, self.now)

    def _absent(self, s: Session, seat: Seat) -> bool:
        rounds = _AWAY if self.regime.away else ()
        return seat == self._away and gamelog.load(s, self.game_id).round in rounds

    def _come_back(self, s: Session) -> None:
        """Let an absent player play again, from the next question on."""
        state = gamelog.load(s, self.game_id)
        if state.players[self._away].caretaker and state.round not in _AWAY:
            absence.return_owner(s, self.game_id, self._away, self.now)

    def _count(self) -> Pace:
        with write(self.engine) as s:
            rows = s.exec(
                select(Turn).where(
                    Turn.game_id == self.game_id, col(Turn.closed_by) != ClosedBy.FORCED
                )
            ).all()
            mails = s.exec(select(OutboxMail.id).where(OutboxMail.game_id == self.game_id)).all()
            rounds = gamelog.load(s, self.game_id).round
        hand_offs = len({turn.asked_at for turn in rows})
        return Pace(
            self.regime.name, self.seed, rounds, len(rows), hand_offs, len(mails), self.waits
        )
