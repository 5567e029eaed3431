"""Mail as only programs and attackers write it is stored and put aside, on every database."""

import pytest

from core.mail.addresses import TableToken
from core.store.tables import InboundMail
from core.table.drive import inbox
from tests.support.mails import MAILBOX

TO = MAILBOX.reply.make(TableToken(1, 0))


@pytest.mark.parametrize(("raw", "sender"), [
    (b"Message-ID: <a\x00b@c>\r\n\r\nhelp", "a@b.org"),
    (b"Message-ID: <a\xffb@c>\r\n\r\nhelp", "a@b.org"),
    (b"Message-ID: <a\x7f@c>\r\n\r\nhelp", "a@b.org"),
    (b"Subject: x\r\n\r\nMessage-ID: <body@c>\r\n", "a@b.org"),
    (b"Message-ID: <fine@c>\r\n\r\nhelp", "a" * 400 + "@b.org"),
    (b"Message-ID: <fine@c>\r\n\r\nhelp", "a\x00b@b.org"),
    (b"Message-ID: <fine@c>\r\n\r\nhelp", "no-reply\x00@b.org"),
    (b"Message-ID: <fine@c>\r\n\r\nhelp", "a\udcff@b.org"),
    (b"From: no-reply\x00x@b.org\r\n\r\nhelp", "a@b.org"),
    (b"From: <a@b\x00.org>\r\nAuto-Submitted: auto\x00\r\n\r\n\x00", None),
    (b"", ""),
])  # fmt: skip
def test_it_is_stored_and_answered_by_nobody(house, raw, sender):
    with house.write() as s:
        (number,) = inbox.receive(s, raw, sender, [TO], house.now)
    with house.write() as s:
        inbox.process(s, number, house.now, MAILBOX)
    row = house.get(InboundMail, number)
    assert (row.raw, row.status) == (raw, "ignored")
    assert row.message_id.isascii()
    assert row.message_id.isprintable()
    assert ("fine" in row.message_id) == (b"fine" in raw)
    assert "body" not in row.message_id
    assert house.mails() == []
