r"""What a webhook is sent: one short message, in the shape that each kind of service expects.

A message says what the subject of a turn mail says, and where to go; the page asks who you are.

>>> told = Told("turn", 12, "Friday league", "It is your turn.", "https://x.org/games/12")
>>> body("slack", told)
b'{"text": "*Friday league*: It is your turn.\\n<https://x.org/games/12>"}'
"""

import hashlib
import hmac
import json
import re
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Final, Literal, get_args

Kind = Literal["slack", "discord", "generic"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)

TIMESTAMP: Final = "X-Kraftpost-Timestamp"
SIGNATURE: Final = "X-Kraftpost-Signature"
_MARKDOWN: Final = re.compile(r"([\\*_~`|>\[\]()#@:<-])")


@dataclass(frozen=True, slots=True)
class Told:
    """A message. `event`: turn or test; `turn`, `deadline`: of a turn; `id`: one a message."""

    event: str
    table: int | None
    title: str
    text: str
    url: str
    turn: int | None = None
    deadline: datetime | None = None
    id: str = ""


def body(kind: Kind, told: Told) -> bytes:
    """Return the JSON of a call; names of tables can neither call people nor make links in it."""
    return json.dumps(_SHAPES[kind](told)).encode()


def headers(kind: Kind, sent: bytes, secret: str, now: datetime) -> dict[str, str]:
    """Return the headers of a call.

    A generic one is signed, so that its receiver knows who sent it.
    """
    common = {"Content-Type": "application/json", "User-Agent": "Kraftpost"}
    if kind != "generic":
        return common
    timestamp = str(int(now.timestamp()))
    return {**common, TIMESTAMP: timestamp, SIGNATURE: signature(secret, timestamp, sent)}


def signature(secret: str, timestamp: str, sent: bytes) -> str:
    """Return ``sha256=`` and the HMAC, in hex, of timestamp, a full stop and the body."""
    signed = timestamp.encode() + b"." + sent
    return "sha256=" + hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()


def instant(at: datetime) -> str:
    """ISO 8601 in UTC, to the second: ``2026-12-01T17:00:00Z``."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _slack(told: Told) -> dict[str, Any]:
    title, text = (
        words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        for words in (told.title, told.text)
    )
    return {"text": f"*{title}*: {text}\n<{told.url}>"}


def _discord(told: Told) -> dict[str, Any]:
    title, text = (_MARKDOWN.sub(r"\\\1", words) for words in (told.title, told.text))
    # "parse": nobody is called by name, whatever the title of a table says
    return {"content": f"**{title}**: {text}\n{told.url}", "allowed_mentions": {"parse": []}}


def _generic(told: Told) -> dict[str, Any]:
    deadline = instant(told.deadline) if told.deadline else None
    return {**asdict(told), "deadline": deadline}


_SHAPES: Final = {"slack": _slack, "discord": _discord, "generic": _generic}
