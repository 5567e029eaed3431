"""What holds for every mail, whatever its kind: M20, M22, M23, M66."""

import re
from dataclasses import replace
from email.message import EmailMessage
from html import unescape
from html.parser import HTMLParser

import pytest

from core.game import engine
from core.game.notation import parse
from core.game.offers import BidOffer, BuildOffer, OpeningOffer
from core.game.types import Elektro
from core.mail.compose import POLICY, compose
from core.mail.kinds import written_as
from core.mail.message import (
    Chat,
    Digest,
    Invite,
    Memo,
    NewAddress,
    OldAddress,
    SignIn,
    Status,
    Trial,
    Turn,
)
from core.mail.page import Page
from core.mail.reply import MARKER
from core.mail.words import width
from tests.support.mails import MAILBOX, SITE, TOPICS, asked_for, letter, played, waiting, written
from tests.support.played import Played

SECRET_MONEY = 31337
MANY = (Digest,)  # about several tables, so that no answer could say which
PERSONAL = (SignIn, NewAddress, OldAddress, Trial, Memo)  # about a user and no table
SILENT = (
    "signin",
    "address",
    "moved",
    "test",
    "hook-disabled",
    "not-well",
)  # nobody can answer these
TURNS = [name for name in TOPICS if name.startswith(("turn-", "reminder"))]


def mail(name: str) -> EmailMessage:
    return compose(letter(name), MAILBOX)


def part(message: EmailMessage, kind: str) -> str:
    found = message.get_body((kind,))
    assert found is not None
    return str(found.get_content())


class Links(HTMLParser):
    """Whatever an HTML page points to."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.targets: list[tuple[str, str]] = []
        self.alts: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src", "background", "action", "srcset", "poster"):
                self.targets.append((tag, value or ""))
            if name == "alt":
                self.alts.append(value or "")


def running(name: str) -> bool:
    table = letter(name).table
    return table is not None and table.status == "running"


@pytest.mark.parametrize("name", [name for name in TOPICS if running(name)])
def test_m12_states_round_phase_and_who_is_waited_for(name: str) -> None:
    about = letter(name)
    page = Page(about.table, about.reader.locale)
    mine = re.compile("your turn|your plan", re.IGNORECASE)
    for kind in ("plain", "html"):
        text = " ".join(re.sub("<[^>]*>", " ", unescape(part(mail(name), kind))).split())
        assert page.where in text
        assert mine.search(text) if page.asked else page.waiting in text


@pytest.mark.parametrize("name", TOPICS)
class TestEveryMail:
    def test_has_text_and_html_with_the_text_first(self, name: str) -> None:
        message = mail(name)
        kinds = [p.get_content_type() for p in message.walk() if not p.is_multipart()]
        assert kinds[:2] == ["text/plain", "text/html"]
        assert set(kinds[2:]) <= {"image/png"}

    def test_m23_has_the_headers_of_its_kind(self, name: str) -> None:
        message, topic = mail(name), letter(name).topic
        assert message["X-Kraftpost-Kind"] == written_as(topic).header
        assert message["Auto-Submitted"] == "auto-generated"
        assert message["From"] == "Kraftpost <kraftpost@play.example.org>"
        assert message["Message-ID"] == f"<{name}.0123456789abcdef@play.example.org>"
        assert message["Date"]
        assert str(message["Subject"]).startswith("[Kraftpost] ")
        if not isinstance(topic, PERSONAL + MANY):
            assert message["X-Kraftpost-Game"] == "12"
            assert message["List-Id"].endswith("<game-12.play.example.org>")
            assert message["References"].startswith("<game-12@play.example.org>")
            assert message["In-Reply-To"] in message["References"]

    def test_m23_is_left_with_one_click(self, name: str) -> None:
        message, topic = mail(name), letter(name).topic
        if isinstance(topic, PERSONAL):  # comes only when asked for, and carries nothing else
            assert message["List-Unsubscribe"] is None
            return
        assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        path = "no-thanks" if isinstance(topic, Invite) else "unsubscribe"
        assert re.fullmatch(rf"<{SITE}/{path}/[\w.-]+>", message["List-Unsubscribe"])

    def test_its_bytes_are_ascii_in_short_lines(self, name: str) -> None:
        raw = mail(name).as_bytes()
        assert raw.isascii()
        assert max(map(len, raw.split(b"\r\n"))) <= 998
        assert b"\n" not in raw.replace(b"\r\n", b"")
        assert len(raw) < 150_000

    def test_program_headers_are_not_encoded(self, name: str) -> None:
        head = mail(name).as_bytes().split(b"\r\n\r\n")[0].decode()
        for field in (
            "List-Unsubscribe", "References", "In-Reply-To", "Message-ID", "Reply-To",
            "X-Kraftpost-Mail",
        ):  # fmt: skip
            for line in re.findall(rf"^{field}: (?:.*(?:\r\n[ \t].*)*)", head, re.MULTILINE):
                assert "=?" not in line

    def test_loads_nothing_and_links_only_here(self, name: str) -> None:
        message = mail(name)
        html = part(message, "html")
        for tag, target in Links(html).targets:
            if tag == "img":
                cid = target.removeprefix("cid:")
                assert [p for p in message.walk() if p["Content-ID"] == f"<{cid}>"]
            else:
                reply = f"mailto:{message['Reply-To']}?body="
                assert target.startswith((f"{SITE}/", reply)), target
        assert "url(" not in html
        assert "@import" not in html
        assert "<script" not in html
        assert "<link" not in html
        for address in re.findall(r"https?://\S+", part(message, "plain")):
            assert address.startswith(f"{SITE}/")

    def test_names_no_address_but_its_readers(self, name: str) -> None:
        message = mail(name)
        assert message["To"].addresses[0].addr_spec.endswith("@reader.example.com")
        for kind in ("plain", "html"):
            assert "reader.example.com" not in part(message, kind)
        others = [str(v) for k, v in message.items() if k != "To"]
        assert not any("reader.example.com" in value for value in others)

    def test_text_is_no_wider_than_a_page(self, name: str) -> None:
        for line in part(mail(name), "plain").splitlines():
            if not line.startswith("    ") and "http" not in line:
                assert len(line) <= 76, line

    def test_only_commands_are_indented(self, name: str) -> None:
        lines = part(mail(name), "plain").splitlines()
        indented = [line for line in lines if line.startswith((" " * 4, "\t"))]
        topic = letter(name).topic
        offers = isinstance(topic, Turn | Invite) or name in (
            "plan", "status", "refused-illegal", "refused-unknown", "notice-proposal",
        )  # fmt: skip
        assert bool(indented) == offers
        assert all(re.fullmatch(r" {4}\S.*", line) for line in indented)

    def test_a_mail_that_can_be_answered_begins_with_the_marker(self, name: str) -> None:
        message = mail(name)
        answerable = name not in SILENT
        assert bool(message["Reply-To"]) == answerable
        assert part(message, "plain").startswith(MARKER) == answerable
        assert (MARKER in part(message, "html")) == answerable


@pytest.mark.parametrize("name", TURNS)
def test_any_offered_line_plays_a_legal_game(name: str) -> None:
    topic = letter(name).topic
    assert isinstance(topic, Turn)
    options = {"region_choice": "draft"} if name == "turn-region" else {}
    seat = topic.table.view.seat
    assert seat is not None
    lines = [x for x in part(mail(name), "plain").splitlines() if x.startswith("    ")]
    assert lines
    for line in lines:
        game = Played("sealed" if "sealed" in name else "open", **options)
        game.play(lambda state: state.seq >= topic.table.view.seq)
        move = parse(line.split(" # ")[0], game.state.ruleset)
        assert engine.preview(game.state, seat, move) is not None


@pytest.mark.parametrize("name", TURNS)
def test_html_says_the_same_as_text(name: str) -> None:
    message, topic = mail(name), letter(name).topic
    html, text = part(message, "html"), part(message, "plain")
    for line in text.splitlines():
        if line.startswith("    "):
            assert line.split(" # ")[0].strip() in html
    assert message["Reply-To"] in html
    assert "Due Tue 1 Dec 2026, 18:00 CET (in 21 hours)." in html
    assert "Due Tue 1 Dec 2026, 18:00 CET (in 21 hours)." in text
    assert isinstance(topic, Turn)
    for seat in topic.table.seats:
        assert seat.name in html


def test_tables_of_the_html_part_mark_the_reader_and_align_numbers() -> None:
    html = part(mail("status"), "html")
    players = html.partition("Players, in turn order")[2].partition("</table>")[0]
    (mine,) = re.findall(r'<tr class="me">.*?</tr>', players)
    assert "· you" in mine
    assert [("n" in kind) for kind in re.findall(r'<td( class="n")?', mine)] == [
        False, True, True, True, False, False,
    ]  # fmt: skip


def test_m20_the_board_is_a_png_with_its_words_as_alt_text() -> None:
    message = mail("turn-building")
    pictures = [p for p in message.walk() if p.get_content_type() == "image/png"]
    assert len(pictures) == 1
    assert pictures[0].get_content_disposition() == "inline"
    assert pictures[0].get_payload(decode=True)[:8] == b"\x89PNG\r\n\x1a\n"  # type: ignore[index]
    (alt,) = Links(part(message, "html")).alts
    assert "Dörte (D), 4 cities: Essen, Duisburg, Düsseldorf, Kassel." in alt


def test_the_largest_board_makes_no_mail_too_large() -> None:
    game = Played("six")
    late = game.play(lambda state: not game.lines or state.leader_cities >= 12)
    topic = Status(late.table(news=200))
    assert len(compose(written(topic), MAILBOX).as_bytes()) < 150_000


@pytest.mark.parametrize("auction", ["open", "sealed"])
def test_m66_no_other_seats_money_is_anywhere(auction: str) -> None:
    """A canary: whatever the others have is a number that stands in no mail."""
    for offer, rounds in ((OpeningOffer, 3), (BuildOffer, 5)):
        game = Played(auction).play(asked_for(offer, rounds))
        acting = engine.to_act(game.state)[0]
        rich = [
            p if seat == acting else replace(p, elektro=Elektro(SECRET_MONEY))
            for seat, p in enumerate(game.state.players)
        ]
        game.state = replace(game.state, players=tuple(rich))
        table = game.table(acting, news=0)
        message = compose(written(Turn(table)), MAILBOX)
        for kind in ("plain", "html"):
            assert str(SECRET_MONEY) not in part(message, kind)
        assert all(str(SECRET_MONEY) not in str(value) for value in message.values())


def test_m66_no_sealed_maximum_of_another_is_anywhere() -> None:
    game = Played("sealed").play(asked_for(OpeningOffer, 1))
    opener = engine.to_act(game.state)[0]
    game.answer(opener, "auction 4 for 49")
    other = engine.to_act(game.state)[0]
    message = compose(written(Turn(game.table(other))), MAILBOX)
    for kind in ("plain", "html"):
        assert not re.search(r"\b49\b", part(message, kind).replace("bid 49", ""))


@pytest.mark.parametrize(
    "title",
    [
        "x\r\nBcc: everybody@example.com",
        "<script>alert(1)</script>",
        "=?utf-8?q?x?=",
        "ก๊" * 60,
        "a\x00b\x1b[31m",
    ],
)
def test_a_hostile_title_stays_a_title(title: str) -> None:
    table = replace(played(BidOffer, 2).table(), title=title)
    message = compose(written(Status(table)), MAILBOX)
    raw = message.as_bytes()
    assert b"\nBcc" not in raw
    assert str(message["Subject"]).isprintable()
    assert raw.split(b"\r\n\r\n")[0].isascii()
    assert max(map(len, raw.split(b"\r\n"))) <= 998
    assert "<script" not in part(message, "html")


def test_hostile_chat_is_shown_and_does_nothing() -> None:
    html = part(mail("chat"), "html")
    assert "<b>Ask Anna</b>" not in html
    assert "&lt;b&gt;Ask Anna&lt;/b&gt; &amp; be nice." in html


def test_chat_cannot_pass_for_a_command() -> None:
    """A line of chat is indented by two spaces, however many it brings along."""
    said = letter("chat").topic
    assert isinstance(said, Chat)
    forged = replace(said, lines=(replace(said.lines[0], text="look:\n\n    pass # free"),))
    text = part(compose(written(forged), MAILBOX), "plain")
    assert not any(line.startswith("    ") for line in text.splitlines())


def test_an_answer_is_placed_below_the_mail_it_answers() -> None:
    about = written(Status(waiting(played(BidOffer, 2))), answers="<their@mail.example.com>")
    message = compose(about, MAILBOX)
    assert message["In-Reply-To"] == "<their@mail.example.com>"
    assert message["References"] == "<game-12@play.example.org> <their@mail.example.com>"


@pytest.mark.parametrize(
    "answers",
    ["", "their@mail", "<a b@c>", "<a@c>\r\nBcc: <x@y>", "<ä@c>", f"<{'x' * 300}@c>", "<>>"],
)
def test_a_strange_message_id_is_not_repeated(answers: str) -> None:
    about = written(Status(waiting(played(BidOffer, 2))), answers=answers)
    assert compose(about, MAILBOX)["References"] == "<game-12@play.example.org>"


def test_names_in_other_scripts_keep_the_columns() -> None:
    table = played(BidOffer, 2).table()
    seats = [
        replace(s, name=n)
        for s, n in zip(table.seats, ("王小明", "สมชาย", "A" * 40, "Ben"), strict=True)
    ]
    text = part(compose(written(Status(replace(table, seats=tuple(seats)))), MAILBOX), "plain")
    assert "王小明 (A)" in text
    assert "AAAAAAAAAAAAA… (C)" in text


def test_names_of_a_long_domain_are_not_encoded() -> None:
    name = f"<{'a' * 32}@{'long.' * 20}example.org>"
    for field in ("Message-ID", "X-Kraftpost-Mail"):
        message = EmailMessage(policy=POLICY)
        message[field] = name
        assert name in message.as_string()


@pytest.mark.parametrize("name", TOPICS)
def test_no_line_of_the_text_is_longer_than_seventy_places(name: str) -> None:
    text = part(mail(name), "plain")
    lines = [line for line in text.splitlines() if "https://" not in line]
    assert [line for line in lines if width(line) > 70] == []


@pytest.mark.parametrize("name", TURNS)
def test_a_turn_mail_is_light_and_its_commands_come_before_its_one_picture(name: str) -> None:
    message = mail(name)
    pictures = [p.get_content() for p in message.walk() if p.get_content_type() == "image/png"]
    assert [len(picture) <= 55_000 for picture in pictures] == [True]
    assert len(message.as_bytes()) < 120_000
    html = part(message, "html")
    assert html.index("mailto:") < html.index("cid:")
