"""Messages as they come in: who, which turn, which lines, and whether a person wrote it (M22)."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.mail.addresses import InviteToken, ReplyAddress, TurnToken
from core.mail.inbound import MAX_BYTES, MAX_SUBJECT, MAX_TOKENS, Inbound, read_message
from core.mail.reply import MARKER
from tests.mail.work import work

BOX = ReplyAddress("the secret of these tests", "play.example.org")
TURN = BOX.make(TurnToken(12, 3, 57))
PLAIN = "Content-Type: text/plain; charset=utf-8\n"
REPLIES = Path(__file__).parent / "replies"


def read(
    head: str = "", body: str = "bid 15\n", envelope_from: str | None = "anna@example.com",
    recipients: tuple[str, ...] = (TURN,),
) -> Inbound:  # fmt: skip
    raw = f"From: Anna <Anna@Example.com>\nMIME-Version: 1.0\n{head}{PLAIN}\n{body}"
    return read_message(raw.encode(), envelope_from, recipients, BOX, "games@example.net")


def test_a_persons_answer():
    answer = read("Message-ID: <a.1@example.com>\nSubject: Re: your turn\n")
    assert answer == Inbound(
        message_id="<a.1@example.com>",
        sender="anna@example.com",
        tokens=(TurnToken(12, 3, 57),),
        subject="Re: your turn",
        lines=("bid 15",),
        automatic=None,
    )


@pytest.mark.parametrize("path", sorted(REPLIES.glob("*.eml")), ids=lambda path: path.stem)
def test_the_stored_answers_are_from_people(path: Path):
    answer = read_message(path.read_bytes(), "anna@example.com", [TURN], BOX)
    assert answer.automatic is None
    assert answer.sender == "anna@example.com"
    assert answer.message_id == f"<{path.stem}@mail.example.com>"
    assert "[Kraftpost]" in answer.subject


@pytest.mark.parametrize(
    "head",
    [
        "Auto-Submitted: auto-replied",
        "Auto-Submitted: Auto-Generated; owner=x",
        "auto-submitted:auto-notified",
        "Auto-Submitted: notification",
        "Precedence: bulk",
        "Precedence: LIST",
        "Precedence: junk",
        "Precedence: auto_reply",
        "Return-Path: <>",
        "X-Autoreply: yes",
        "X-Autorespond: x",
        "X-Auto-Reply: 1",
        "X-Mail-Autoreply: 1",
        "X-Failed-Recipients: anna@example.com",
        "X-FC-MachineGenerated: true",
        "X-POST-MessageClass: 9; Autoresponder",
        "Delivered-To: Autoresponder",
        "List-Id: Cats <cats.example.org>",
        "X-Kraftpost-Kind: done",
        "From: MAILER-DAEMON@example.com",
        "From: Mail <postmaster@example.com>",
        "From: no-reply@example.com",
        "Subject: Automatic reply: [Kraftpost] your turn",
        "Subject: =?utf-8?q?R=C3=A9ponse_automatique_=3A_your_turn?=",
        "Subject: Out of Office: gone",
        "Subject: Undeliverable: your turn",
        "Content-Type: multipart/report; report-type=delivery-status; boundary=x",
        "Content-Type: message/delivery-status",
        "Content-Type: message/disposition-notification",
    ],
)
def test_mail_of_programs_is_known(head: str):
    raw = f"{head}\nFrom: anna@example.com\n\nbid 15\n"
    reason = read_message(raw.encode(), "anna@example.com", [TURN], BOX).automatic
    assert reason
    assert reason.isprintable()


@pytest.mark.parametrize(
    "head",
    [
        "Auto-Submitted: no",
        "Auto-Submitted: No (a person)",
        "Precedence: first-class",
        "Return-Path: <anna@example.com>",
        "X-Auto-Response-Suppress: DR",
        "Delivered-To: anna@example.com",
        "Subject: Re: [Kraftpost] autoreply out of office",
        "From: bouncer@example.com",
    ],
)
def test_mail_of_people_is_let_through(head: str):
    raw = f"{head}\nFrom: anna@example.com\n\nbid 15\n"
    assert read_message(raw.encode(), "anna@example.com", [TURN], BOX).automatic is None


@pytest.mark.parametrize("envelope_from, automatic", [
    ("", True), ("<>", True), (" ", True), ("MAILER-DAEMON@example.com", True),
    ("bounces+12-anna=example.com@example.com", True), ("anna@example.com", False), (None, False),
])  # fmt: skip
def test_the_envelope_sender_says_it_too(envelope_from: str | None, automatic: bool):
    assert bool(read(envelope_from=envelope_from).automatic) is automatic


def test_only_genuine_recipients_count_each_once():
    forged = TURN.replace("12.3", "12.2")
    others = (TURN.upper(), forged, "x@play.example.org", BOX.make(InviteToken(4)), TURN)
    assert read(recipients=others).tokens == (TurnToken(12, 3, 57), InviteToken(4))
    many = tuple(BOX.make(InviteToken(n)) for n in range(99))
    assert len(read(recipients=many).tokens) == MAX_TOKENS


@pytest.mark.parametrize("head", [
    f"To: {TURN}\n", f"To: Kraftpost <{TURN.upper()}>\n", f"Cc: x@example.com, <{TURN}>\n",
    f"To: other@example.com\nDelivered-To: {TURN}\n",
    f"To: Ben,\n <{TURN}>\n",
])  # fmt: skip
def test_without_envelope_the_header_says_whom_it_is_for(head: str):
    assert read(head, recipients=()).tokens == (TurnToken(12, 3, 57),)


def test_the_envelope_beats_the_header():
    assert read(f"To: {BOX.make(InviteToken(4))}\n").tokens == (TurnToken(12, 3, 57),)


@pytest.mark.parametrize("head", [
    "", "Message-ID:\n", "Message-ID: <two words>\n", "Message-ID: <ü@x>\n",
    f"Message-ID: <{'x' * 300}@x>\n",
])  # fmt: skip
def test_without_a_usable_message_id_the_contents_make_one(head: str):
    one, same, other = read(head), read(head), read(head, body="bid 16\n")
    assert one.message_id == same.message_id != other.message_id
    assert one.message_id.startswith("sha256:")


@pytest.mark.parametrize("head, subject", [
    ("Subject: =?utf-8?q?K=C3=B6ln?= =?utf-8?b?IQ==?=\n", "Köln!"),
    ("Subject: a\n  b\n", "a b"),
    ("Subject: =?utf-8?q?a=0D=0ABcc:_x?=\n", "a Bcc: x"),
    ("Subject: =?utf-8?q?a=00=1Bb?=\n", "ab"),
    ("Subject: =?nonsense?q?a?=\n", "=?nonsense?q?a?="),
    ("Subject: =?utf-8?b?A?=\n", "=?utf-8?b?A?="),
    ("", ""),
    (f"Subject: {'x' * 9999}\n", "x" * MAX_SUBJECT),
])  # fmt: skip
def test_the_subject_is_one_short_line(head: str, subject: str):
    assert read(head).subject == subject


@pytest.mark.parametrize("given, sender", [
    ("anna@example.com", "anna@example.com"),
    ('"ben@example.com" <Anna@example.com>', "anna@example.com"),
    ("=?utf-8?q?Anna_=3Cben=40example.com=3E?= <anna@example.com>", "anna@example.com"),
    ("", ""),
    ("(" * 5000, ""),
    ("(" * 900 + ")" * 900 + "anna@example.com", ""),
])  # fmt: skip
def test_the_sender_is_the_address_in_from(given: str, sender: str):
    raw = f"From: {given}\n\nbid 15\n".encode()
    assert read_message(raw, None, [TURN], BOX).sender == sender


def test_our_own_addresses_end_the_persons_lines():
    for head in ("Kraftpost games@example.net:", "x@play.example.org", "GAMES@EXAMPLE.NET"):
        assert read(body=f"bid 15\n{head}\npass\n").lines == ("bid 15",), head
    assert read(body=f"chat x\n{MARKER}\npass\n").lines == ("chat x",)


def nested(depth: int) -> bytes:
    levels = (f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(depth))
    return ("From: a@example.com\n" + "".join(levels) + f"{PLAIN}\nbid 15\n").encode()


def test_nesting_is_read_as_deep_as_people_nest():
    assert read_message(nested(5), None, [TURN], BOX).lines == ("bid 15",)
    bomb = read_message(nested(5000), None, [TURN], BOX)
    assert (bomb.sender, bomb.lines) == ("a@example.com", ())


@pytest.mark.parametrize("head", [
    b"X: y\n" * 20_000,
    b"Content-Type: text/plain" + b";" * 5000 + b"\n",
    b"Content-Type: text/plain;\n" + b" x;\n" * 5000,
    b"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: a/b" + b";" * 5000 + b"\n",
    b"Content-Type: message/rfc822\n\n" * 30,
])  # fmt: skip
def test_monstrous_heads_are_not_answered_but_survived(head: bytes):
    answer = read_message(b"From: a@example.com\n" + head + b"\nbid 15\n", None, [TURN], BOX)
    assert answer.sender == "a@example.com"
    assert answer.lines == ()


def test_a_giant_attachment_is_not_read_to_its_end():
    head = "From: a@example.com\nContent-Type: multipart/mixed; boundary=b\n\n"
    text = f"--b\n{PLAIN}\nbid 15\n--b\nContent-Type: image/png\n\n"
    raw = (head + text).encode() + b"x" * 7 * MAX_BYTES
    assert read_message(raw, None, [TURN], BOX).lines == ("bid 15",)
    late = head + "--b\nContent-Type: image/png\n\n" + "x" * MAX_BYTES + "\n" + text
    assert read_message(late.encode(), None, [TURN], BOX).lines == ()


HOSTILE = [
    b"From: " + b"(", b"From: <", b"To: " + b"a@b,", b"Subject: " + b"=?", b"Subject: =?utf-8?q?",
    b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\n", b"Received: a\n",
    b"Content-Type: multipart/mixed; boundary=b\n\n--b\n" + b"A: b\n", b"List-Id: ",
    b"Content-Type: message/rfc822\n\n",
]  # fmt: skip


@pytest.mark.parametrize("bit", HOSTILE)
def test_hostile_messages_take_linear_time(bit: bytes):
    head, last = bit[: bit.rfind(b" ") + 1], bit[bit.rfind(b" ") + 1 :] or b" "
    if b"\n" in bit:
        head, last = bit[: bit[:-1].rfind(b"\n") + 1], bit[bit[:-1].rfind(b"\n") + 1 :]

    def reading(size: int) -> int:
        raw = head + last * (size // len(last))
        return work(lambda: read_message(raw, "", [], BOX))

    small, large = reading(1500), reading(6000)
    assert large <= 4.5 * small + 2000


@given(st.binary(max_size=600), st.none() | st.text(max_size=20), st.lists(st.text(max_size=80)))
def test_no_bytes_break_the_reader(raw: bytes, envelope_from: str | None, recipients: list[str]):
    answer = read_message(raw, envelope_from, recipients, BOX)
    assert answer.message_id
    assert answer.message_id.isprintable()
    assert answer.subject.isprintable()


NAMES = ["From", "To", "Subject", "Message-ID", "Content-Type", "Auto-Submitted", "Return-Path"]


@given(st.lists(st.tuples(st.sampled_from(NAMES), st.binary(max_size=60)), max_size=8))
def test_no_header_breaks_the_reader(fields: list[tuple[str, bytes]]):
    head = b"".join(b"%s: %s\r\n" % (name.encode(), value) for name, value in fields)
    answer = read_message(head + b"\r\nbid 15\r\n", None, [], BOX)
    assert "\n" not in answer.message_id + answer.subject + answer.sender


@pytest.mark.parametrize(("head", "sender"), [
    ("From: Beispiel, Anna <anna@example.com>", "anna@example.com"),
    ("From: Dr. Anna B., Köln (privat) <Anna@Example.com>", "anna@example.com"),
    ('From: "Anna (home)" <anna@example.com>', "anna@example.com"),
    ("From: anna@example.com <anna@example.com>", "anna@example.com"),
    ("From: anna@example.com (Anna)", "anna@example.com"),
    ("From: anna@example.com <mallory@intruder.example>", ""),
    ("From: anna@example.com(x)<mallory@intruder.example>", ""),
    ("From: <anna@example.com> <mallory@intruder.example>", ""),
    ("From: anna@example.com, mallory@intruder.example", ""),
    ("From: mallory@intruder.example <anna@example.com>", ""),
    ("From: anna@example.com\nFrom: mallory@intruder.example", ""),
    ("From: <@intruder.example:anna@example.com>", ""),
    ("From: anna@example.com@intruder.example", ""),
    ("From: undisclosed:anna@example.com;", ""),
])  # fmt: skip
def test_the_sender_is_one_address_and_nothing_that_reads_as_another(head: str, sender: str):
    raw = f"{head}\n\nbid 15\n".encode()
    assert read_message(raw, "anna@example.com", [TURN], BOX).sender == sender


@pytest.mark.parametrize("value", ["All", "DR, OOF, AutoReply", "OOF", "NRN, RN, AutoReply"])
def test_who_asks_us_not_to_answer_by_program_is_a_person(value: str):
    assert read(f"X-Auto-Response-Suppress: {value}\n").automatic is None


MIXED = "Content-Type: multipart/mixed; boundary=x\n\n"
PARTS = {
    "head": "X-Long: " + "x" * (70 << 10) + "\n\nbid 15",
    "nested": "Content-Type: multipart/mixed; boundary=x\n\n" + "boundary=y\n" * 40,
    "encrypted": "Content-Type: multipart/encrypted; boundary=x\n\n--x\n\nabc\n--x--",
    "winmail": f"{MIXED}--x\nContent-Type: application/ms-tnef; name=winmail.dat\n\nabc\n--x--",
    "attached": f"{MIXED}--x\nContent-Type: text/plain\nContent-Disposition: attachment\n\nbid 15"
    "\n--x--",
    "forwarded": f"{MIXED}--x\nContent-Type: message/rfc822\n\nSubject: x\n\nbid 15\n--x--",
    "no text": f"{MIXED}--x\nContent-Type: image/png\n\nabc\n--x--",
    "quoted": "Content-Type: text/plain\n\n> bid 15\n",
    "empty": "Content-Type: text/plain\n\n \n",
}


@pytest.mark.parametrize("why", PARTS)
def test_what_cannot_be_read_says_why(why: str):
    raw = f"From: anna@example.com\nMIME-Version: 1.0\n{PARTS[why]}".encode()
    answer = read_message(raw, "anna@example.com", [TURN], BOX)
    assert answer.lines == ()
    assert answer.unread == why
    assert answer.unread.reason.endswith(".")


@pytest.mark.parametrize("charset", [
    "idna", "punycode", "zlib", "rot13", "unicode_escape", "undefined", "\x00", "x" * 300, "ü", "",
    "utf-8'en'x", "base64", "utf_7",
])  # fmt: skip
@pytest.mark.parametrize(
    "body", [b"bid 15", b"bid 15\n\nGr\xfc\xdfe", b"bid 15\n\nGr\xc3\xbc\xc3\x9fe"]
)
def test_any_charset_is_read(charset: str, body: bytes):
    head = f'From: anna@example.com\nContent-Type: text/plain; charset="{charset}"\n\n'
    answer = read_message(head.encode() + body, "anna@example.com", [TURN], BOX)
    assert answer.lines[0] == "bid 15"


@given(st.binary(max_size=300), st.sampled_from(["8bit", "base64", "quoted-printable", "uue"]))
def test_any_bytes_are_read_or_said_to_be_unreadable(data: bytes, encoding: str):
    head = f"From: anna@example.com\nContent-Transfer-Encoding: {encoding}\n".encode()
    for raw in (data, head + data, head + b"\n" + data):
        answer = read_message(raw, "anna@example.com", [TURN], BOX)
        assert answer.lines or answer.unread


@pytest.mark.parametrize("text", [
    "👍", "❤️", "😀 😀", "Anna Beispiel reacted to your message:\n\n👍",
    "👍\n\nAnna reacted via Gmail.",
])  # fmt: skip
def test_reactions_ask_for_nothing(text: str):
    assert read(body=text).automatic == "reaction"


def test_a_part_that_is_called_a_reaction_is_one():
    raw = (
        "From: anna@example.com\nContent-Type: multipart/alternative; boundary=x\n\n"
        "--x\nContent-Type: text/plain\n\nAnna liked it\n"
        '--x\nContent-Type: text/vnd.google.email-reaction+json\n\n{"emoji": "x"}\n--x--\n'
    )
    assert read_message(raw.encode(), "anna@example.com", [TURN], BOX).automatic == "reaction"


@pytest.mark.parametrize("text", ["bid 15 👍", "👍\nbid 15", "👉 bid 15", "pass", "Thanks"])
def test_a_picture_beside_a_command_is_no_reaction(text: str):
    assert read(body=text).automatic is None
