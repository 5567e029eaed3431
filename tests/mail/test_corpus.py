"""Some hundred answers as people and their programs write them are read as they are meant (M21).

The answers and the programs are data, tests/mail/corpus; each answer comes by another program.
"""

import base64
import html
import quopri
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from core.mail.addresses import ReplyAddress, TurnToken
from core.mail.commands import (
    Accept,
    CancelOrder,
    Chat,
    Command,
    Consent,
    Decline,
    GameMove,
    GiveOrder,
    GoAway,
    Help,
    ListOrders,
    Ready,
    Status,
    Undo,
    Unknown,
    read_commands,
)
from core.mail.inbound import read_message

FOLDER = Path(__file__).parent / "corpus"
BOX = ReplyAddress("the secret of these tests", "play.example.org")
TURN = BOX.make(TurnToken(12, 3, 57))
CITIES = ("Köln", "Düsseldorf", "Halle")


@dataclass(frozen=True)
class Frame:
    """How one program sends an answer."""

    name: str
    charset: str
    encoding: str
    text: str


@cache
def frames() -> tuple[Frame, ...]:
    sections = FOLDER.joinpath("frames.txt").read_text("utf-8").split("\n== ")[1:]
    found = []
    for section in sections:
        head, _end, text = section.partition("\n")
        found.append(Frame(*head.split(" "), text))
    return tuple(found)


def answers() -> list[tuple[str, str]]:
    lines = FOLDER.joinpath("answers.txt").read_text("utf-8").split("\n")
    parted = [line.rpartition(" => ") for line in lines if " => " in line]
    return [(said, meant) for said, _arrow, meant in parted]


def written(frame: Frame, said: str) -> bytes:
    lines = said.replace("//", "/ /").split("/")
    shown = [html.escape(line.strip()) or "<br>" for line in lines]
    body = frame.text.format(
        charset="{charset}",
        answer="\n".join(lines),
        html="".join(f"<p>{line}</p>" for line in shown),
        divs="".join(f"<div>{line}</div>" for line in shown),
    )
    head, _blank, text = body.partition("\n\n")
    charset = frame.charset
    try:
        data = text.encode(charset)
    except UnicodeEncodeError:  # as programs do
        charset, data = "utf-8", text.encode()
    encoding = "8bit" if frame.encoding == "7bit" and charset == "utf-8" else frame.encoding
    if encoding == "base64":
        data = base64.encodebytes(data)
    elif encoding == "quoted-printable":
        data = quopri.encodestring(data)
    first = (
        "From: Beispiel, Anna <anna@example.com>\nMIME-Version: 1.0\n"
        f"X-Auto-Response-Suppress: All\nContent-Transfer-Encoding: {encoding}\n"
    )
    return (first + head.replace("{charset}", charset) + "\n\n").encode() + data + b"\n"


def told(command: Command) -> str:  # noqa: PLR0911 - one form for each kind
    match command:
        case GameMove(text) | GiveOrder(text):
            return text
        case Chat(text):
            return f"chat {text}"
        case CancelOrder(number):
            return f"cancel {number}"
        case Consent(number, agrees):
            return f"{'ok' if agrees else 'no'} {number}"
        case GoAway(_, first, last) if first and last:
            return f"vacation {first.day}.{first.month}-{last.day}.{last.month}"
        case GoAway(days):
            return f"vacation {days or 'end'}"
        case Unknown():
            return "?"
        case Status() | Help() | Accept() | Decline() | ListOrders() | Ready() | Undo():
            return type(command).__name__.lower().replace("listorders", "orders")
        case _:
            return repr(command)


CASES = [
    pytest.param(frames()[number % len(frames())], said, meant, id=f"{number}")
    for number, (said, meant) in enumerate(answers())
]


def test_it_holds_at_least_three_hundred_answers_in_thirty_programs() -> None:
    assert len({said for said, _meant in answers()}) >= 300
    assert len(frames()) >= 30


@pytest.mark.parametrize(("frame", "said", "meant"), CASES)
def test_m21_it_is_read_as_it_is_meant(frame: Frame, said: str, meant: str) -> None:
    mail = read_message(
        written(frame, said), "anna@example.com", [TURN], BOX, "games@play.example.org"
    )
    assert mail.sender == "anna@example.com"
    read = "; ".join(told(command) for command in read_commands(mail.lines, CITIES))
    assert (read or "-") == meant, (frame.name, mail.lines)
    assert mail.automatic is None or meant == "-"
