"""The words that say how far a row has got, each set of them an enum.

The database keeps them as plain text. They lie outside the rooms because standing orders and the
shapes of core.tableview speak of them too, which may not know the database.
"""

from enum import StrEnum
from typing import Final


class GameStatus(StrEnum):
    """What has become of a table and its game."""

    OPEN = "open"
    """Players join."""
    RUNNING = "running"
    FINISHED = "finished"
    ABANDONED = "abandoned"
    """Ended before its end, so that nobody has won (M43, M48)."""
    CANCELLED = "cancelled"
    """Closed before it began, so that it never was a game."""


GAME_OVER: Final = (GameStatus.FINISHED, GameStatus.ABANDONED)
"""Games that were played here and are over."""


class InvitationStatus(StrEnum):
    """What has become of an invitation."""

    PENDING = "pending"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    """By the host."""


class MailStatus(StrEnum):
    """What has become of a mail that is owed."""

    PENDING = "pending"
    SENT = "sent"
    DROPPED = "dropped"
    FAILED = "failed"
    UNREACHED = "unreached"
    """It waits until mail reaches its user again (core.mail.bounces)."""


class InboundStatus(StrEnum):
    """What has become of a mail that came in."""

    PENDING = "pending"
    DONE = "done"
    IGNORED = "ignored"
    FAILED = "failed"


class CallStatus(StrEnum):
    """What has become of a call that is owed to a webhook."""

    PENDING = "pending"
    SENT = "sent"
    DROPPED = "dropped"


class PictureStatus(StrEnum):
    """How far a picture of a game is."""

    OWED = "owed"
    READY = "ready"
    FAILED = "failed"


class ClosedBy(StrEnum):
    """How a question to a seat was answered, or why it waits no longer."""

    NOTHING = ""
    """It is open."""
    MOVE = "move"
    DRAFT = "draft"
    """The move that the seat had saved (M36)."""
    ORDER = "order"
    """A standing order of the seat."""
    READY = "ready"
    """A planning call, by the word that there are no more plans."""
    FORCED = "forced"
    """The only legal move."""
    MISSED = "missed"
    SKIPPED = "skipped"
    """By the host or a majority (M41)."""
    CORRECTED = "corrected"
    """The move that the host put in the place of a wrong one."""
    CARETAKER = "caretaker"
    REPLACED = "replaced"
    """The seat has a new player."""
    UNDONE = "undone"
    REDONE = "redone"
    ENDED = "ended"
    """The game is over."""


class SubmissionStatus(StrEnum):
    """What has become of a move as it was received."""

    PENDING = "pending"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    STALE = "stale"


class OrderStatus(StrEnum):
    """What has become of a standing order."""

    ACTIVE = "active"
    DONE = "done"
    """It did what it was for."""
    FAILED = "failed"
    """Its condition did not hold (M67)."""
    CANCELLED = "cancelled"
    LAPSED = "lapsed"
    """Its time has passed without it."""
    ENDED = "ended"
    """The game is over."""


class ProposalStatus(StrEnum):
    """What has become of a proposal."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"
    LAPSED = "lapsed"
