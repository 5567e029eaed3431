"""Every mail, as its reader reads it. UPDATE_GOLDEN=1 writes tests/mail/golden afresh: read it."""

import os
import re
from email.message import EmailMessage
from functools import cache
from pathlib import Path

import pytest

from core.mail.compose import compose
from tests.support.mails import MAILBOX, TOPICS, letter

GOLDEN = Path(__file__).parent / "golden"
HEADERS = ("Subject", "From", "To", "Reply-To", "X-Kraftpost-Kind", "X-Kraftpost-Game")


@cache
def mail(name: str) -> EmailMessage:
    return compose(letter(name), MAILBOX)


def text_of(message: EmailMessage) -> str:
    part = message.get_body(("plain",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


@pytest.mark.parametrize("name", TOPICS)
def test_it_reads_as_it_did(name: str) -> None:
    message = mail(name)
    heads = [f"{field}: {message[field]}" for field in HEADERS if message[field]]
    written = "\n".join(heads) + "\n\n" + text_of(message)
    file = GOLDEN / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        file.write_text(written, "utf-8")
    assert written == file.read_text("utf-8")


def test_no_golden_file_is_left_over() -> None:
    assert {file.stem for file in GOLDEN.glob("*.txt")} == set(TOPICS)


@pytest.mark.parametrize("name", TOPICS)
def test_the_links_at_its_foot_stand_in_one_row(name: str) -> None:
    html = mail(name).get_body(("html",)).get_content()
    for row in re.findall(
        r'<p[^>]*>((?:(?!</p>).)*class="link".*?)</p>', html.partition('"foot"')[2]
    ):
        assert row.startswith("<a"), row
        assert row.count(" · ") == row.count("<a") - 1
