"""What webhooks are sent, and that a stranger can tell who sent it."""

import hashlib
import hmac
import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from core.channels.webhook_text import SIGNATURE, TIMESTAMP, Told, body, headers, instant

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
TOLD = Told(
    "turn", 12, "Friday league", "round 5 · your turn: building", "https://x.org/games/12",
    turn=57, deadline=NOW + timedelta(hours=20), id="call-9",
)  # fmt: skip
HOSTILE = "<!channel> **@everyone** [x](https://evil.example) `a` _b_ & <@U123>"


def sent(kind: Any, told: Told = TOLD) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(body(kind, told))
    return found


def test_slack() -> None:
    line = "*Friday league*: round 5 · your turn: building\n<https://x.org/games/12>"
    assert sent("slack") == {"text": line}


def test_discord() -> None:
    assert sent("discord") == {
        "content": "**Friday league**: round 5 · your turn\\: building\nhttps://x.org/games/12",
        "allowed_mentions": {"parse": []},
    }


def test_generic() -> None:
    assert sent("generic") == {
        "event": "turn",
        "table": 12,
        "title": "Friday league",
        "text": "round 5 · your turn: building",
        "url": "https://x.org/games/12",
        "turn": 57,
        "deadline": "2026-12-01T08:00:00Z",
        "id": "call-9",
    }


def test_a_title_calls_nobody() -> None:
    told = Told("turn", 1, HOSTILE, "text", "https://x.org/games/1")
    slack = sent("slack", told)["text"]
    assert "<!" not in slack
    assert "<@" not in slack
    discord = sent("discord", told)
    assert discord["allowed_mentions"] == {"parse": []}
    assert "[x](" not in discord["content"]
    assert "**@" not in discord["content"]


def test_m24_a_stranger_can_check_the_signature() -> None:
    """As docs/channels.md tells it."""
    raw = body("generic", TOLD)
    given = headers("generic", raw, "s" * 64, NOW)
    assert given[TIMESTAMP] == "1796040000"
    expected = hmac.new(b"s" * 64, given[TIMESTAMP].encode() + b"." + raw, hashlib.sha256)
    assert given[SIGNATURE] == "sha256=" + expected.hexdigest()
    other = headers("generic", raw + b" ", "s" * 64, NOW)
    assert other[SIGNATURE] != given[SIGNATURE]


@pytest.mark.parametrize("kind", ["slack", "discord"])
def test_services_that_know_no_signature_get_none(kind: Any) -> None:
    assert SIGNATURE not in headers(kind, b"", "s" * 64, NOW)


def test_an_instant_is_written_in_utc() -> None:
    assert instant(NOW.astimezone(timezone(timedelta(hours=7)))) == "2026-11-30T12:00:00Z"
