"""The statements of a move, made once: to build them anew takes longer than to run them.

What a move reads of its table and what it adds to the log stands here together; their parameters
are named in capitals beside them. tests/table/play/test_statements.py counts what a move needs.
"""

from typing import Any, Final

from sqlalchemy import (
    CompoundSelect,
    Integer,
    bindparam,
    cast,
    literal,
    null,
    or_,
    select,
    union_all,
)
from sqlmodel import col

from core.statuses import OrderStatus, SubmissionStatus
from core.store.tables import (
    EventRow,
    Game,
    Outage,
    Pause,
    SeatRow,
    StandingOrder,
    Submission,
    TablePreference,
    Turn,
    User,
    UtcDateTime,
    Vacation,
    Webhook,
)

_GAME: Final = bindparam("game_id", type_=Integer)
_NOW: Final = bindparam("now", type_=UtcDateTime)

LOCK: Final = (
    select(Game)
    .where(col(Game.id) == _GAME)
    .with_for_update(key_share=True)
    .execution_options(populate_existing=True)
)
"""The game's row, held; asks for game_id, as do the next four."""
PENDING: Final = (
    select(Submission)
    .where(col(Submission.game_id) == _GAME, col(Submission.status) == SubmissionStatus.PENDING)
    .order_by(col(Submission.id))
)
PLAYERS: Final = (
    select(SeatRow, User)
    .outerjoin(User, col(SeatRow.user_id) == col(User.id))
    .where(col(SeatRow.game_id) == _GAME)
    .order_by(col(SeatRow.seat))
)
ASKED: Final = (
    select(Turn)
    .where(col(Turn.game_id) == _GAME, col(Turn.closed_at).is_(None))
    .order_by(col(Turn.turn), col(Turn.seat))
)
ORDERS: Final = (
    select(StandingOrder)
    .where(col(StandingOrder.game_id) == _GAME, col(StandingOrder.status) == OrderStatus.ACTIVE)
    .order_by(col(StandingOrder.seat), col(StandingOrder.number))
)
EVENTS: Final = (
    select(col(EventRow.seq), col(EventRow.at), col(EventRow.body))
    .where(
        col(EventRow.game_id) == _GAME,
        col(EventRow.seq) > bindparam("after", type_=Integer),
        col(EventRow.seq) <= bindparam("last", type_=Integer),
    )
    .order_by(col(EventRow.seq))
)
"""A part of the log; asks for game_id, after and last."""
APPEND: Final = EventRow.__table__.insert()  # type: ignore[attr-defined]
"""One event, or many at once: their columns."""

_PEOPLE: Final = select(col(SeatRow.user_id)).where(col(SeatRow.game_id) == _GAME)
_MUTED: Final = select(col(TablePreference.user_id)).where(
    col(TablePreference.game_id) == _GAME, col(TablePreference.mode) == "mute"
)
_NOBODY: Final = cast(null(), Integer)
AROUND: Final[CompoundSelect[Any]] = union_all(
    select(
        literal("pause").label("kind"), _NOBODY.label("user_id"), col(Pause.id).label("number"),
        col(Pause.starts_at).label("starts_at"), col(Pause.ends_at).label("ends_at"),
    ).where(
        col(Pause.game_id) == _GAME, or_(col(Pause.ends_at).is_(None), col(Pause.ends_at) > _NOW)
    ),
    select(
        literal("outage"), _NOBODY, col(Outage.id), col(Outage.starts_at), col(Outage.ends_at)
    ).where(col(Outage.ends_at) > _NOW),
    select(
        literal("vacation"), col(Vacation.user_id), col(Vacation.sitter_id),
        col(Vacation.starts_at), col(Vacation.ends_at),
    ).where(col(Vacation.user_id).in_(_PEOPLE), col(Vacation.ends_at) > _NOW),
    select(
        literal("hook"), col(Webhook.user_id), col(Webhook.id), col(Webhook.created_at),
        cast(null(), UtcDateTime),
    ).where(
        col(Webhook.user_id).in_(_PEOPLE), col(Webhook.user_id).not_in(_MUTED),
        col(Webhook.disabled_at).is_(None),
    ),
)  # fmt: skip
"""What lies around a table, in one look (core.table.record.around); asks for game_id and now."""
