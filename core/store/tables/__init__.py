"""Every table of the database. SQL is the truth; whatever else is kept can be made again.

Times are UTC and aware. Unique keys carry the promises of the service: an event once, a
submission once, a mail once. Change a table together with a migration (core/store/migrations).
"""

from core.store.tables.games import (
    Game,
    Invitation,
    Outage,
    Pause,
    Presence,
    SeatRow,
    TablePreference,
)
from core.store.tables.mails import (
    ChatLine,
    Digest,
    Heartbeat,
    InboundMail,
    Note,
    OutboxMail,
)
from core.store.tables.people import (
    SignInToken,
    User,
    Vacation,
    Webhook,
    WebhookCall,
    WebSession,
)
from core.store.tables.pictures import Picture
from core.store.tables.play import (
    Draft,
    EventRow,
    PositionRow,
    Proposal,
    ProposalAnswer,
    SealedBidRow,
    StandingOrder,
    Submission,
    Turn,
)
from core.store.tables.results import Rating, Result, ResultCount, ResultSeat

__all__ = [
    "ChatLine",
    "Digest",
    "Draft",
    "EventRow",
    "Game",
    "Heartbeat",
    "InboundMail",
    "Invitation",
    "Note",
    "Outage",
    "OutboxMail",
    "Pause",
    "Picture",
    "PositionRow",
    "Presence",
    "Proposal",
    "ProposalAnswer",
    "Rating",
    "Result",
    "ResultCount",
    "ResultSeat",
    "SealedBidRow",
    "SeatRow",
    "SignInToken",
    "StandingOrder",
    "Submission",
    "TablePreference",
    "Turn",
    "User",
    "Vacation",
    "WebSession",
    "Webhook",
    "WebhookCall",
]
