"""Mail by HTTP: as it is, and as three services deliver it (D3)."""

import json

import pytest

from core.mail.addresses import TableToken
from core.mail.message import Mailbox
from core.store.tables import InboundMail
from tests.support.site import Site, open_site

SECRET = "thirty-two characters and some more"
MAIL = (
    b"From: Ann <ann@example.org>\r\nTo: %b\r\nMessage-ID: <1@x>\r\nSubject: Re\r\n\r\nstatus\r\n"
)


@pytest.fixture
def site(tmp_path, monkeypatch):
    monkeypatch.setattr("tasks.enqueue.process_mail", lambda _row: None)
    with open_site(tmp_path, monkeypatch, INBOUND_SECRET=SECRET) as opened:
        yield opened


def address(site: Site) -> str:
    """An address of ours that takes mail."""
    return Mailbox.of(site.settings).reply.make(TableToken(1, 0))


def plain(site, raw, to):
    return {"path": "/mail-in/raw", "data": raw, "content_type": "message/rfc822"}


def enveloped(site, raw, to):
    headers = {"X-Envelope-From": "ann@example.org", "X-Envelope-To": to}
    return {**plain(site, raw, to), "headers": headers}


def mailgun(site, raw, to):
    form = {"recipient": to, "sender": "ann@example.org", "body-mime": raw.decode()}
    return {"path": "/mail-in/mailgun-mime", "data": form}


def sendgrid(site, raw, to):
    envelope = json.dumps({"to": [to], "from": "ann@example.org"})
    return {"path": "/mail-in/sendgrid", "data": {"envelope": envelope, "email": raw.decode()}}


def postmark(site, raw, to):
    told = {"RawEmail": raw.decode(), "OriginalRecipient": to, "From": "ann@example.org"}
    return {"path": "/mail-in/postmark", "json": told}


DOORS = [plain, enveloped, mailgun, sendgrid, postmark]


def call(site: Site, door, to: str, raw: bytes = b"", secret: str = SECRET):
    how = door(site, raw or MAIL % to.encode(), to)
    headers = {**how.pop("headers", {}), "Authorization": f"Bearer {secret}"}
    return site.app.test_client().post(how.pop("path"), headers=headers, **how)


@pytest.mark.parametrize("door", DOORS)
def test_a_mail_is_stored_once_with_its_envelope(site, door):
    to = address(site)
    for _ in range(2):  # a service tries again where our answer was lost
        answer = call(site, door, to)
        assert (answer.status_code, answer.json) == (200, {"stored": 1})
    (row,) = site.house.all(InboundMail)
    assert row.recipients == [to] and b"status" in row.raw
    told = "?" if door in (plain, postmark) else "ann@example.org"
    assert row.envelope_from == told


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("to", ["someone@example.org", "turn+1.0.3.aaaaaaaaaaaaaaaaaaaaaaaa@x.org"])
def test_mail_for_others_is_refused_for_good(site, door, to):
    answer = call(site, door, to)
    assert answer.status_code == 406 and "answer a mail of ours" in answer.json["description"]
    assert site.house.all(InboundMail) == []


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("secret", ["", "wrong", SECRET[:-1], SECRET + "x"])
def test_without_the_secret_nothing_is_taken(site, door, secret):
    assert call(site, door, address(site), secret=secret).status_code == 401
    assert site.house.all(InboundMail) == []


def test_the_secret_may_stand_in_the_address(site):
    to, client = address(site), site.app.test_client()
    told = {"data": MAIL % to.encode(), "content_type": "message/rfc822"}
    assert client.post("/mail-in/raw", auth=("kraftpost", SECRET), **told).status_code == 200
    assert client.post(f"/mail-in/raw?secret={SECRET}", **told).status_code == 200
    assert client.post("/mail-in/raw", auth=("kraftpost", "x"), **told).status_code == 401


@pytest.mark.parametrize(
    ("path", "how"),
    [
        ("raw", {"data": b""}),
        ("mailgun-mime", {"data": {"recipient": "x"}}),
        ("sendgrid", {"data": {"envelope": "[]", "email": "x"}}),
        ("sendgrid", {"data": {"envelope": "{"}}),
        ("postmark", {"data": b"{"}),
        ("postmark", {"json": {"RawEmail": 3}}),
        ("postmark", {"json": []}),
    ],
)
def test_what_is_no_mail_is_named(site, path, how):
    headers = {"Authorization": f"Bearer {SECRET}"}
    answer = site.app.test_client().post(f"/mail-in/{path}", headers=headers, **how)
    assert answer.status_code == 400 and answer.json["description"]


def test_a_mail_of_ten_megabytes_is_taken_and_a_larger_request_is_not(site):
    to = address(site)
    body = MAIL % to.encode() + b"x" * 70 + b"\r\n"
    big = body + (b"y" * 76 + b"\r\n") * (10 * 2**20 // 78)
    assert call(site, plain, to, big).status_code == 200
    assert call(site, plain, to, big + big).status_code == 413


def test_where_no_secret_is_set_there_is_no_such_door(tmp_path, monkeypatch):
    with open_site(tmp_path / "plain", monkeypatch) as site:
        assert call(site, plain, address(site)).status_code == 404
