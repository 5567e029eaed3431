"""Lists of tables for the lobby: read only, and nothing that a reader may not see."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, func, or_, select

from core.statuses import GAME_OVER, GameStatus, InvitationStatus
from core.store.tables import Game, Invitation, SeatRow, Turn, User
from core.when import NEVER
from webapp.play import open_seats

SHOWN = 30
"""Tables of a kind that the lobby lists."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A table in a list: who sits there, and since when somebody is waited for."""

    game: Game
    seats: Sequence[SeatRow]
    waiting: Sequence[str]
    deadline: datetime | None
    my_turn: bool = False

    @property
    def asleep(self) -> bool:
        """Are all its people away?"""
        people = [row for row in self.seats if row.user_id is not None]
        return bool(people) and all(row.open for row in people)

    @property
    def people(self) -> int:
        """Players without bots; every place while the table waits for players."""
        bots = sum(bool(row.bot) for row in self.seats)
        return self.game.players - bots

    @property
    def free(self) -> int:
        """Places not yet taken."""
        return self.game.players - len(self.seats)


@dataclass(frozen=True, slots=True)
class Lobby:
    """Everything the lobby lists."""

    mine: Sequence[Listed]
    past: Sequence[Listed]
    invitations: Sequence[tuple[Invitation, Listed]]
    joinable: Sequence[Listed]
    vacant: Sequence[Listed]
    running: Sequence[Listed]
    finished: Sequence[Listed]


def lobby(session: Session, user: User | None) -> Lobby:
    """The lobby as a user, or a stranger, sees it."""
    mine = _mine(session, user) if user else []
    own = {entry.game.id for entry in mine}
    return Lobby(
        mine=[
            entry for entry in mine if entry.game.status in (GameStatus.OPEN, GameStatus.RUNNING)
        ],
        past=[entry for entry in mine if entry.game.status in GAME_OVER],
        invitations=_invitations(session, user) if user else [],
        joinable=_public(session, own, GameStatus.OPEN),
        vacant=_listed(session, open_seats.vacant(session, user, SHOWN), None),
        running=_public(session, own, GameStatus.RUNNING),
        finished=_public(session, own, *GAME_OVER),
    )


def _mine(session: Session, user: User) -> list[Listed]:
    at_table = select(SeatRow.game_id).where(SeatRow.user_id == user.id)
    games = session.exec(
        select(Game)
        .where(or_(col(Game.id).in_(at_table), Game.host_id == user.id))
        .order_by(col(Game.id).desc())
        .limit(4 * SHOWN)
    ).all()
    listed = _listed(session, games, user)
    return sorted(
        listed, key=lambda entry: (not entry.my_turn, entry.game.status != GameStatus.RUNNING)
    )


def _public(session: Session, own: set[int], *statuses: GameStatus) -> list[Listed]:
    games = session.exec(
        select(Game)
        .where(
            col(Game.status).in_(statuses),
            col(Game.private).is_(False),
            col(Game.id).not_in(own),
        )
        .order_by(col(Game.id).desc())
        .limit(SHOWN)
    ).all()
    return _listed(session, games, None)


def _invitations(session: Session, user: User) -> list[tuple[Invitation, Listed]]:
    rows = session.exec(
        select(Invitation, Game)
        .join(Game, col(Game.id) == col(Invitation.game_id))
        .where(
            Invitation.email == user.email,
            Invitation.status == InvitationStatus.PENDING,
            Game.status == GameStatus.OPEN,
        )
    ).all()
    listed = _listed(session, [game for _row, game in rows], user)
    return [(row, entry) for (row, _game), entry in zip(rows, listed, strict=True)]


def _listed(session: Session, games: Sequence[Game], user: User | None) -> list[Listed]:
    ids = [game.id for game in games]
    seats = session.exec(
        select(SeatRow).where(col(SeatRow.game_id).in_(ids)).order_by(col(SeatRow.id))
    ).all()
    turns = session.exec(
        select(Turn).where(col(Turn.game_id).in_(ids), col(Turn.closed_at).is_(None))
    ).all()
    return [_entry(game, seats, turns, user) for game in games]


def _entry(
    game: Game, seats: Sequence[SeatRow], turns: Sequence[Turn], user: User | None
) -> Listed:
    at_table = [row for row in seats if row.game_id == game.id]
    asked = [turn for turn in turns if turn.game_id == game.id]
    waited_for = {turn.seat for turn in asked}
    waiting = [row for row in at_table if row.seat in waited_for]
    return Listed(
        game=game,
        seats=at_table,
        waiting=[row.name for row in waiting],
        deadline=min((t.deadline for t in asked if t.deadline < NEVER), default=None),
        my_turn=user is not None and any(row.user_id == user.id for row in waiting),
    )


def counts(session: Session) -> dict[str, int]:
    """Tables by status."""
    rows = session.exec(select(Game.status, func.count()).group_by(Game.status)).all()
    return dict(rows)
