"""The kinds of mails: how each is written, and when it goes.

A new kind is an entry here with its model (core.mail.message), a template of its name in
templates/email, and a function in core.table.views.render that makes the model from a row.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal

from core.mail import message
from core.mail.addresses import Scope
from core.mail.message import Topic


class MailKind(StrEnum):
    """What a mail is, as its row in the outbox stores it."""

    TURN = "turn"
    PLAN = "plan"
    """A turn in which a standing order is asked for; its row is a TURN."""
    REMINDER = "reminder"
    DIGEST = "digest"
    GATHERED = "together"
    """As version 0.1 stored several mails that were one; see core.table.notify.sending."""
    START = "start"
    END = "end"
    INVITE = "invite"
    DONE = "done"
    REFUSED = "refused"
    STATUS = "status"
    HELP = "help"
    SEAT_NOTICE = "notice"
    USER_NOTICE = "word"
    CHAT = "chat"
    SITTER = "sitter"
    SIGN_IN = "signin"
    NEW_ADDRESS = "address"
    OLD_ADDRESS = "moved"
    TEST = "test"
    WEBHOOK_OFF = "hook"
    HEALTH = "health"
    STOPPED = "off"
    """Turn mails have ended: what goes on without their reader, and how they come back."""
    ANSWER = "answer"
    """Answers a mail about no table."""


@dataclass(frozen=True, slots=True)
class Kind:
    """How mails of one kind are written, and when they go.

    `header`: X-Kraftpost-Kind, by which mail filters sort. `scope`: what its reader unsubscribes
    from. `board`: it carries the picture. `hurry`: sent before all others. `at_night`: sent in
    quiet hours, too. `gather`: several that were held become one mail. `unreached`: what becomes
    of it while mails to its reader come back; kinds to `send` show whether an address works, or
    let its owner change it. `lasting`: it can be written again when it has come back, as its row
    needs no context.
    """

    name: MailKind
    model: type[Topic]
    template: str
    header: str
    scope: Scope | None = None
    board: bool = False
    hurry: bool = False
    at_night: bool = False
    gather: bool = False
    unreached: Literal["send", "keep", "drop"] = "drop"
    lasting: bool = False


_ALL: Final = (
    Kind(
        MailKind.TURN, message.Turn, "turn", "turn", "turns",
        board=True, gather=True, unreached="keep", lasting=True,
    ),
    Kind(MailKind.PLAN, message.Plan, "plan", "turn", "turns", board=True),
    Kind(MailKind.REMINDER, message.Reminder, "reminder", "reminder", "turns",
         board=True, gather=True),
    Kind(MailKind.DIGEST, message.Digest, "digest", "digest", "turns"),
    Kind(MailKind.GATHERED, message.Digest, "digest", "digest", "turns", unreached="keep"),
    Kind(
        MailKind.START, message.Start, "start", "start", "games",
        board=True, gather=True, unreached="keep", lasting=True,
    ),
    Kind(MailKind.END, message.End, "end", "end", "games",
         board=True, unreached="keep", lasting=True),
    Kind(MailKind.INVITE, message.Invite, "invite", "invite", "games", unreached="keep"),
    Kind(MailKind.DONE, message.Done, "done", "done", "answers", at_night=True),
    Kind(MailKind.REFUSED, message.Refused, "refused", "refused", "answers", at_night=True),
    Kind(MailKind.STATUS, message.Status, "status", "done", "answers", board=True, at_night=True),
    Kind(MailKind.HELP, message.Help, "help", "done", "answers", at_night=True),
    Kind(MailKind.SEAT_NOTICE, message.Notice, "notice", "notice", "notices",
         gather=True, unreached="keep"),
    Kind(MailKind.USER_NOTICE, message.Memo, "memo", "notice", gather=True, unreached="keep"),
    Kind(MailKind.CHAT, message.Chat, "chat", "chat", "chat", gather=True),
    Kind(MailKind.SITTER, message.Memo, "memo", "notice", gather=True, unreached="keep"),
    Kind(MailKind.SIGN_IN, message.SignIn, "sign_in", "signin",
         hurry=True, at_night=True, unreached="send"),
    Kind(MailKind.NEW_ADDRESS, message.NewAddress, "new_address", "signin",
         hurry=True, at_night=True, unreached="send"),
    Kind(MailKind.OLD_ADDRESS, message.OldAddress, "old_address", "notice",
         at_night=True, unreached="send"),
    Kind(MailKind.TEST, message.Trial, "test", "notice",
         hurry=True, at_night=True, unreached="send"),
    Kind(MailKind.WEBHOOK_OFF, message.Memo, "memo", "notice", gather=True, unreached="keep"),
    Kind(MailKind.HEALTH, message.Memo, "memo", "notice", hurry=True, at_night=True),
    Kind(MailKind.STOPPED, message.Memo, "memo", "notice", at_night=True),
    Kind(MailKind.ANSWER, message.Memo, "memo", "notice", at_night=True),
)  # fmt: skip
KINDS: Final[Mapping[str, Kind]] = {kind.name: kind for kind in _ALL}

_BY_MODEL: Final = {kind.model: kind for kind in reversed(_ALL)}


def written_as(topic: Topic) -> Kind:
    """Return the kind by which a topic is written; kinds of one model are written alike."""
    return _BY_MODEL[type(topic)]
