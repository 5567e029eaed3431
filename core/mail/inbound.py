"""A message as it came in: its sender, what it answers, what it says. Nothing is stored here.

Mail from outside may be of any shape; what is looked at is bounded, and no bytes make it fail.
"""

import logging
import re
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message
from email.parser import BytesHeaderParser, BytesParser
from email.policy import compat32
from email.utils import getaddresses, parsedate_to_datetime
from hashlib import sha256

from core.mail.addresses import ReplyAddress, Token
from core.mail.reply import own_lines
from core.mail.sender import the_address
from core.mail.unread import Unread, why_unread
from core.text import one_line

MAX_BYTES = 10 << 20
"""Bytes of a message that are taken in, and looked at."""
MAX_HEAD = 64 << 10
MAX_FIELD = 2000
"""Characters of a header field that are looked at."""
MAX_SUBJECT = 200
MAX_MESSAGE_ID = 250
MAX_TOKENS = 20

_log = logging.getLogger(__name__)

_MAX_NESTING = 24
_MAX_CONTENT_TYPE = 4096


@dataclass(frozen=True, slots=True)
class Inbound:
    """What a message says, for `core.table` to act on."""

    message_id: str
    """As the sender's mail program set it; where it set none, a hash of the message."""
    sender: str
    """Address in From, lower case; empty if there is none. Not proven by anything."""
    tokens: tuple[Token, ...]
    """What the genuine addresses among the recipients say, without doubles."""
    subject: str
    lines: tuple[str, ...]
    """The person's own lines, see `core.mail.reply`; none of a message made to choke a reader."""
    automatic: str | None
    """Why no person wrote this (RFC 3834, M22), or None. Must not be answered nor acted on."""
    unread: Unread | None = field(default=None, compare=False)
    """Why there are no lines, where that is not because nothing was written."""
    sent: datetime | None = field(default=None, compare=False)
    """When, by the Date that the sender's program wrote, in its zone."""
    name: str = field(default="", compare=False)
    """The sender's name in From; not proven by anything."""


def read_message(
    raw: bytes,
    envelope_from: str | None,
    recipients: Sequence[str],
    box: ReplyAddress,
    mail_from: str = "",
) -> Inbound:
    """Read one message as the mail server hands it over.

    `envelope_from` is empty for the null sender of bounces and None if it is not known; without
    `recipients` the header says who the message is for. `mail_from` is the address that our own
    mails are from, by which the head of a quoted one is known.
    """
    seen = raw[:MAX_BYTES]
    monstrous = monster(seen)
    if monstrous:
        message = BytesHeaderParser(policy=compat32).parsebytes(seen[:MAX_HEAD])
    else:
        message = BytesParser(policy=compat32).parsebytes(seen)
    sender, name = _sender(message)
    ours = [address for address in (mail_from.lower(), f"@{box.domain}") if address]
    lines, unread = ((), monstrous) if monstrous else _read(message, ours)
    return Inbound(
        message_id=_message_id(message, raw),
        sender=sender,
        tokens=_tokens(recipients or _addressed(message), box),
        subject=_field(message, "Subject")[:MAX_SUBJECT],
        lines=lines,
        automatic=_why_automatic(message, sender, envelope_from) or _reaction(message, lines),
        unread=unread,
        sent=_sent(message),
        name=name,
    )


def _read(message: Message, ours: Sequence[str]) -> tuple[tuple[str, ...], Unread | None]:
    try:
        if message.get_content_type() == "multipart/encrypted":
            return (), Unread.ENCRYPTED
        lines = own_lines(message, ours)
        return lines, None if lines else why_unread(message)
    except Exception:  # any bytes are read or answered, whatever a parser thinks of them
        _log.exception("a mail could not be read")
        return (), Unread.BROKEN


def is_monstrous(raw: bytes) -> bool:
    """Return True if only an attack looks like this: a giant head, deep nesting, a giant type.

    The parser would take long over it, so of such a message the head alone is read.
    """
    return monster(raw) is not None


def monster(raw: bytes) -> Unread | None:
    """Return what is monstrous about a message, or None."""
    lower = raw.lower()
    head = re.search(rb"\r?\n\r?\n", lower)
    if (head.start() if head else len(lower)) > MAX_HEAD:
        return Unread.HEAD
    if lower.count(b"boundary") + lower.count(b"message/") > _MAX_NESTING:
        return Unread.NESTED
    for kind in re.finditer(rb"^content-type[ \t]*:", lower, re.MULTILINE):
        value = lower[kind.end() : kind.end() + _MAX_CONTENT_TYPE]
        if len(value) == _MAX_CONTENT_TYPE and not re.search(rb"\n[^ \t]", value):
            return Unread.HEAD
    return None


def _sent(message: Message) -> datetime | None:
    with suppress(ValueError, TypeError, OverflowError):
        sent = parsedate_to_datetime(_raw_field(message, "Date"))
        return sent if sent.tzinfo is not None else None  # "-0000": no zone is told
    return None


def _reaction(message: Message, lines: Sequence[str]) -> str | None:
    """Say that a message is but a reaction to one of ours, such as a thumb: nobody asks anything.

    Mail programs mark it, or write a picture, alone or below a sentence on whose it is.
    """
    for part in [message, *list(message.walk())[:MAX_TOKENS]]:
        if "reaction" in part.get_content_subtype():
            return "reaction"
    written = [line for line in lines if line][:4]
    words = [word for line in written for word in line.split()]
    pictures = [line for line in written if not any(map(str.isalnum, line)) and _is_picture(line)]
    others = [line for line in written if line not in pictures]
    alone = not others or (len(others) == 1 and others[0].rstrip().endswith((":", "：", ".")))
    begins = bool(words) and _is_picture(words[0]) and len(written) == 1 and _quotes(written[0])
    return "reaction" if (pictures and alone and len(written) < 4) or begins else None


def _is_picture(text: str) -> bool:
    return any(unicodedata.category(char) == "So" for char in text)


def _quotes(text: str) -> bool:
    return bool(re.search(r"[“\"«„]\[Kraftpost\]|[“\"«„].{20}", text))


def _fields(message: Message, name: str) -> Iterator[str]:
    """Values of a header field, decoded, on one line each, without control characters."""
    for value in message.get_all(name, []):
        text = str(value)[:MAX_FIELD]
        with suppress(HeaderParseError, LookupError, ValueError):  # else shown as it stands
            text = str(make_header(decode_header(text)))
        yield one_line(text)


def _field(message: Message, name: str) -> str:
    return next(_fields(message, name), "")


def _raw_field(message: Message, name: str) -> str:
    """Return a field that holds addresses or identifiers: decoding it could make others of them."""
    return " ".join(str(message.get(name, ""))[:MAX_FIELD].split())


def _sender(message: Message) -> tuple[str, str]:
    """Return address and name of the one sender; two empty texts where it is not plainly one."""
    fields = message.get_all("From", [])
    if len(fields) != 1:
        return "", ""
    address = the_address(" ".join(str(fields[0])[:MAX_FIELD].split()))
    if not address:
        return "", ""
    shown = _field(message, "From")
    name = shown[: shown.rfind("<")] if "<" in shown else ""
    name = name.strip(" \"'")
    return address, "" if "@" in name else name[:MAX_SUBJECT]


def _message_id(message: Message, raw: bytes) -> str:
    given = _raw_field(message, "Message-ID")
    fits = given.isascii() and given.isprintable() and " " not in given
    if given and fits and len(given) <= MAX_MESSAGE_ID:
        return given
    return f"sha256:{sha256(raw).hexdigest()}"


def _addressed(message: Message) -> list[str]:
    names = ("Delivered-To", "X-Original-To", "To", "Cc")
    fields = [field for name in names if (field := _raw_field(message, name))]
    try:
        return [address for _, address in getaddresses(fields)]
    except RecursionError:
        return []


def _tokens(recipients: Sequence[str], box: ReplyAddress) -> tuple[Token, ...]:
    read = (box.read(address) for address in recipients)
    return tuple(dict.fromkeys(token for token in read if token))[:MAX_TOKENS]


_PROGRAMS = re.compile(
    r"(?:mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounces?)(?:[+=-].*)?@.*"
)
_PROGRAM_FIELDS = {
    # field: what its value must match, in lower case, for the message to be a program's
    "Auto-Submitted": r"(?!no(?:\W|$)).+",
    "Precedence": r"bulk|list|junk|auto_reply",
    "Return-Path": r"< ?>",
    "X-Autoreply": r".+",
    "X-Autoreply-From": r".+",
    "X-Autorespond": r".+",
    "X-Auto-Reply": r".+",
    "X-Mail-Autoreply": r".+",
    "X-Failed-Recipients": r".+",
    "X-FC-MachineGenerated": r"true",
    "X-POST-MessageClass": r".*autoresponder.*",
    "Delivered-To": r"autoresponder",
    "List-Id": r".+",
    "X-Kraftpost-Kind": r".+",  # our own mail come back
    "Content-Type": r"(?:multipart/report|message/(?:delivery|disposition)|message/feedback).*",
    # Autoresponders that mark nothing still say in the subject what they are.
    "Subject": r"(?:automatic reply|auto-?reply|out of (?:the )?office|automatische antwort"
    r"|abwesenheit|réponse automatique|respuesta automática|risposta automatica"
    r"|resposta automática|odpowiedź automatyczna|autoodpowiedź|автоответ|автоматический ответ"
    r"|自動応答|自動返信|自动回复|自動回覆|ตอบกลับอัตโนมัติ|undeliver|delivery status notification"
    r"|mail delivery failed|returned mail|failure notice).*",
}


def _why_automatic(message: Message, sender: str, envelope_from: str | None) -> str | None:
    if envelope_from is not None and envelope_from.strip() in ("", "<>"):
        return "null sender"
    for name, pattern in _PROGRAM_FIELDS.items():
        for value in _fields(message, name):
            if re.fullmatch(pattern, value.lower()):
                return f"{name}: {value[:MAX_SUBJECT]}"
    named = [the_address(" ".join(str(f)[:MAX_FIELD].split())) for f in message.get_all("From", [])]
    for address in (sender, *named, (envelope_from or "").lower()):
        if _PROGRAMS.fullmatch(address):
            return f"sender: {address[:MAX_SUBJECT]}"
    return None
