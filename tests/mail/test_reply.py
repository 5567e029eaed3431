"""Own lines of an answer (M21): mails as clients make them, and mails as nobody makes them."""

import email
import email.message
import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.mail.commands import read_commands
from core.mail.reply import (
    MARKER,
    MAX_LINE,
    MAX_LINES,
    body_lines,
    html_lines,
    own_lines,
    strip_quotes,
)
from tests.mail.work import work

REPLIES = Path(__file__).parent / "replies"
OURS = ("games@play.example.org", "@play.example.org")

BID = ("bid 15",)
EXPECTED: dict[str, tuple[str, ...]] = {
    "android-gmail-signature": BID,
    "apple-forwarded": (),
    "apple-mail-html": BID,
    "apple-mail-mac": BID,
    "attached-mail": (),
    "attribution-without-marks": (),
    "bars-as-marks": BID,
    "bom-and-no-break-spaces": ("bid 15", "", "Anna"),
    "gmail-bottom": BID,
    "gmail-de": ("biete nichts",),
    "gmail-en-web": BID,
    "gmail-en-wrapped-attribution": ("Bid 15",),
    "gmail-es": ("pass",),
    "gmail-forwarded": ("status",),
    "gmail-fr": ("pass",),
    "gmail-html-bottom": BID,
    "gmail-html-only": ("bid 15", "", "Anna"),
    "gmail-ja": BID,
    "gmail-ko": BID,
    "gmail-pl": BID,
    "gmail-ru": BID,
    "gmail-sw": ("pass",),
    "gmail-th": ("pass",),
    "gmail-zh": BID,
    "gmx-web": BID,
    "hi-and-thanks": ("Hi Kraftpost,", "", "bid 15", "Thanks!", "Anna"),
    "indented-copy-of-a-command": ("bid 15 # you have 43 Elektro",),
    "inline-thunderbird": ("chat too dear for me, that one", "bid 15"),
    "inline-torn-lines": BID,
    "iphone-bottom": BID,
    "iphone-de": ("Passe nicht", "bid 15"),
    "iphone-en": ("Bid 15",),
    "iphone-ja": BID,
    "k9-mail": BID,
    "lotus-notes": BID,
    "mutt": BID,
    "nothing-above-outlook": (),
    "nothing-above-unmarked": (),
    "outlook-desktop-de-html": ("chat Guten Morgen", "bid 15", "", "Gruß, Anna"),
    "outlook-desktop-en": ("bid 15", "", "Kind regards,", "Anna"),
    "outlook-ios": ("pass",),
    "outlook-old-original-message": ("build Köln",),
    "outlook-unknown-language": BID,
    "outlook-web": BID,
    "outlook-web-plain": BID,
    "proton": BID,
    "roundcube": BID,
    "samsung-phone": BID,
    "signed-multipart": BID,
    "thunderbird-de": ("build Köln, Düsseldorf",),
    "thunderbird-html": BID,
    "utf16": ("build Łódź", "", "Anna"),
    "utf8-called-latin1": ("build Köln, Düsseldorf",),
    "wrong-charset": ("build Köln, Düsseldorf",),
    "yahoo-html": BID,
}


def test_every_stored_answer_is_expected_to_be_something():
    assert {path.stem for path in REPLIES.glob("*.eml")} == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
@pytest.mark.parametrize("ours", [OURS, ()], ids=["our address known", "not known"])
def test_m21_own_lines_of_what_clients_make(name: str, ours: tuple[str, ...]):
    message = email.message_from_bytes((REPLIES / f"{name}.eml").read_bytes())
    assert own_lines(message, ours) == EXPECTED[name]


@pytest.mark.parametrize("name", EXPECTED)
def test_line_ends_of_unix_read_the_same(name: str):
    raw = (REPLIES / f"{name}.eml").read_bytes().replace(b"\r\n", b"\n")
    assert own_lines(email.message_from_bytes(raw)) == EXPECTED[name]


# A mail of ours, quoted in every way, with nothing or one line of the person's own above it.

TURN_MAIL = [
    MARKER,
    "",
    'It is your turn in "Ruhr by night".',
    "Deadline: Tuesday 1 December 2026, 18:00.",
    "You can answer with:",
    "",
    "    bid 14              # of 43 Elektro",
    "    pass",
    "",
    "https://play.example.org/games/12",
]
ATTRIBUTIONS = [
    [],
    ["On Mon, 30 Nov 2026 at 10:12, Kraftpost <games@play.example.org> wrote:"],
    ["On Mon, Nov 30,", "2026 at 10:12 AM Kraftpost <games@play.example.org>", "wrote:"],
    ["On Mon, Nov 30, 2026 at 10:12 AM", "Kraftpost <games@play.example.org> wrote:"],
    ["Le 30/11/2026 à 10:12, Kraftpost a écrit :"],
    ["Am 30.11.2026 um 10:12 schrieb Kraftpost:"],
    ["El lun, 30 nov 2026 a las 10:12, Kraftpost", "(<games@play.example.org>) escribió:"],
    ["W dniu 30.11.2026 o 10:12, Kraftpost pisze:"],
    ["Il giorno lun 30 nov 2026 alle ore 10:12 Kraftpost <g@x.example> ha scritto:"],
    ["Op ma 30 nov 2026 om 10:12 schreef Kraftpost <g@x.example>:"],
    ["30.11.2026 10:12, Kraftpost пишет:"],
    ["Kraftpost schrieb:"],
    ["Kraftpost <games@play.example.org> 於 2026年11月30日 週一 上午10:12寫道："],
    ["เมื่อ จ. 30 พ.ย. 2569 เวลา 10:12 Kraftpost <g@x.example> เขียนว่า:"],
    ["-----Original Message-----", "From: Kraftpost"],
    ["---------- Forwarded message ---------", "From: Kraftpost <g@x.example>"],
    ["________________________________", "Von: Kraftpost"],
    ["*From:* Kraftpost <g@x.example>", "*Sent:* Monday", "*To:* Anna", "*Subject:* your turn"],
    ["Kraftpost <g@x.example> Monday 10:12:"],
    ["Kraftpost, 2026-11-30 10.12:"],
    ["差出人: Kraftpost <g@x.example>", "送信日時: 2026年11月30日", "宛先: Anna", "件名: turn"],
]
MARKS = ["> ", ">", " > ", ">> ", "| ", "AB> ", "＞ ", "    ", ""]
SIGNATURES = [
    [],
    ["-- ", "pass", "Anna"],
    ["Sent from my iPhone"],
    ["Wysłane z iPhone'a"],
    ["发自我的 iPhone"],
    ["iPhoneから送信"],
    ["Enviado desde mi iPhone"],
    ["Отправлено с iPhone"],
    ["Imetumwa kutoka iPhone yangu"],
    ["ส่งจาก iPhone ของฉัน"],
]

OWN = [[], ["bid 15"], ["chat hello, all", "bid 15"], ["", "build Köln", ""]]


@pytest.mark.parametrize("ours", [OURS, ()], ids=["our address known", "not known"])
@pytest.mark.parametrize("attribution", ATTRIBUTIONS, ids=" ".join)
def test_a_quoted_mail_is_never_read(attribution: list[str], ours: tuple[str, ...]):
    for own, gap, mark in itertools.product(OWN, ([], [""]), MARKS):
        quoted = [(mark + line).rstrip() for line in TURN_MAIL]
        for between in ([], [""], ["", ""]):
            lines = [*own, *gap, *attribution, *between, *quoted]
            expected = tuple(line for line in own if line)
            assert strip_quotes(lines, ours) == expected, lines


@pytest.mark.parametrize("signature", SIGNATURES, ids=" ".join)
def test_a_signature_is_never_read(signature: list[str]):
    for own, attribution, mark in itertools.product(OWN, ATTRIBUTIONS, MARKS):
        quoted = [(mark + line).rstrip() for line in TURN_MAIL]
        expected = tuple(line for line in own if line)
        assert strip_quotes([*own, *signature, *attribution, *quoted]) == expected
        assert strip_quotes([*own, *signature]) == expected


def _as_html(lines: list[str]) -> str:
    return "".join(f"<div>{line or '<br>'}</div>" for line in lines)


HTML_QUOTES = [
    "<blockquote type='cite'>{}</blockquote>",
    "<div class='gmail_quote'>{}</div>",
    '<DIV CLASS="x yahoo_quoted">{}</DIV>',
    "<div id='divRplyFwdMsg'>From: Kraftpost</div>{}",
    "<div id=appendonsend></div><hr>{}",
    "<p id='reply-intro'>Kraftpost</p>{}",
    "<div name='quote'>{}</div>",
    "<hr>{}",
    "{}",
]


@given(
    st.sampled_from([[], ["bid 15"], ["chat a < b & c", "", "bid 15"]]),
    st.booleans(),
    st.sampled_from(HTML_QUOTES),
)
def test_a_mail_quoted_as_html_is_never_read(own: list[str], marker: bool, box: str):
    if box == "{}" and not marker:
        return  # nothing at all tells it from the person's own words
    page = _as_html(own) + box.format(_as_html(TURN_MAIL if marker else TURN_MAIL[1:]))
    assert strip_quotes(html_lines(page)) == tuple(own)


def test_the_marker_is_known_after_clients_have_set_it():
    for shown in (MARKER, MARKER.replace("---", "—"), MARKER.upper(), f"  {MARKER} ", MARKER[4:-4]):
        assert strip_quotes(["bid 15", shown, "pass"]) == BID, shown


@pytest.mark.parametrize(
    "lines, expected",
    [
        ([], ()),
        (["", " ", "\u00a0"], ()),
        (["bid 15", "", "", "", "chat hi", ""], ("bid 15", "", "chat hi")),
        (["\tbid\u00a0 15\u200b", "\x00chat\x07 hi"], ("bid 15", "chat hi")),
        (["chat at 10:12, as she said:", "bid 15"], ("chat at 10:12, as she said:", "bid 15")),
        (["chat a: b", "chat c: d", "chat e: f"], ("chat a: b", "chat c: d", "chat e: f")),
        (["chat I sent from here - with love -"], ("chat I sent from here - with love -",)),
        (["chat gone until 30.11.2026:", "bid 15"], ("chat gone until 30.11.2026:", "bid 15")),
        (["chat it is so ---"], ("chat it is so ---",)),
        (["chat 30.11.2026", "", "Anna wrote:", "> x"], ("chat 30.11.2026",)),
        # below the quote, only where nothing stands above and every quoted line is marked
        (["> pass", "bid 15"], BID),
        (["> pass", "", "bid 15", "", "chat hi", "", "> bid 14"], ("bid 15", "", "chat hi")),
        (["chat hi", "> pass", "bid 15"], ("chat hi",)),
        (["On Monday Anna wrote:", "> pass", "bid 15"], BID),
        (["On Monday Anna wrote:", "pass", "bid 15"], ()),
        (["> pass", "bid 15", "-- ", "pass"], BID),
        (["-- ", "Anna", "> pass", "bid 15"], BID),
        (["> a", "", "bid 15", "", "> b", "", "chat hi"], ("bid 15", "chat hi")),
        (["> a", "bid 15", "-- ", "Anna", "> b", "pass"], BID),
        (["> a", "-- ", "pass", "> b", "bid 15"], BID),
        (["> pass", "--- Original Message ---", "bid 15"], ()),
        (["> pass", "On Monday Anna wrote:", "bid 15"], ()),
        ([MARKER, "> pass", "bid 15"], ()),
    ],
)
def test_rules_of_reading(lines: list[str], expected: tuple[str, ...]):
    assert strip_quotes(lines) == expected


def test_a_line_torn_off_a_quoted_one_is_not_the_persons_own():
    long = "> " + "a long line of the mail " * 3
    assert strip_quotes([long, "pass", "> more", "bid 15"]) == BID
    assert strip_quotes([long, "bid 15"]) == BID
    assert strip_quotes(["> short", "pass", "> more", "bid 15"]) == ("pass", "bid 15")


@pytest.mark.parametrize(
    "markup, lines",
    [
        ("bid 15<br>chat hi", ["bid 15", "chat hi"]),
        ("<p>bid 15</p><p>&nbsp;</p><p>Anna</p>", ["bid 15", "\u00a0", "Anna"]),
        ("<div>bid\n 15</div><div><br></div>\n<div>Anna</div>", ["bid 15", "", "Anna"]),
        ("<pre>bid 15\n  chat hi</pre>", ["bid 15", "chat hi"]),
        ("a <b>b</b><!-- bid 14 --><style>bid {13}</style><script>'<b>bid 12'</script>", ["a b"]),
        ("bid 15<!-- unclosed pass", ["bid 15"]),
        ("<table><tr><td>bid</td><td>15</td></tr><tr><td>x</td></tr></table>", ["bid  15", "x"]),
        ("chat 1 < 2 > 0 &lt;b&gt; &#1234567890123; &amp;", ["chat 1 < 2 > 0 <b> &"]),
        ("<![if !mso]><p>bid 15</p><![endif]><?xml x?>", ["bid 15"]),
        ("<blockquote>a<div>b</blockquote>c</div></blockquote>d", ["> a", "> b", "c", "d"]),
        ("<div>a</div><div class='gmail_signature'>pass</div>", ["a", "--", "pass"]),
        ("<img alt='pass'>bid 15", ["bid 15"]),
    ],
)
def test_html_as_lines(markup: str, lines: list[str]):
    assert [line.strip(" ") for line in html_lines(markup)] == lines


def _message(head: str, body: bytes) -> email.message.Message:
    return email.message_from_bytes(f"MIME-Version: 1.0\n{head}\n\n".encode() + body)


@pytest.mark.parametrize(
    "head, body, lines",
    [
        (
            "Content-Type: text/plain; format=flowed",
            b"chat one \ntwo\n> a \n> b\n>> c \n-- \nx \n",
            ["chat one two", ">a b", ">>c ", "-- ", "x "],
        ),
        ("Content-Type: text/plain; format=flowed; delsp=yes", b"ch \nat hi", ["chat hi"]),
        ("Content-Type: text/plain; charset=nonsense", "grün".encode(), ["grün"]),
        ("Content-Type: text/plain; charset=punycode", b"grn-hoa", ["grn-hoa"]),
        ("Content-Type: text/plain; charset=hex", b"bid 15", ["bid 15"]),
        (
            "Content-Type: text/plain; charset=shift_jis",
            "チャット".encode("shift_jis"),
            ["チャット"],
        ),
        ("Content-Type: text/plain; charset=gb2312", "聊天".encode("gb2312"), ["聊天"]),
        ("Content-Type: text/plain\nContent-Transfer-Encoding: base64", b"!!!", []),
        ("Content-Type: text/plain\nContent-Transfer-Encoding: x-uuencode", b"begin", ["begin"]),
        ("Content-Type: text/plain; charset=utf-8", "Köln".encode("utf-16"), ["Köln"]),
        ("Content-Type: text/plain; charset=latin1", b"\xef\xbb\xbfbid 15", ["bid 15"]),
        (
            "Content-Type: multipart/mixed; boundary=b",
            b"--b\n\nbid 15\n--b\n\npass\n--b--",
            ["bid 15"],
        ),
        ("Content-Type: image/png", b"bid 15", []),
        ("Content-Type: text/plain\nContent-Disposition: attachment", b"bid 15", []),
        ("Content-Type: multipart/mixed", b"bid 15", []),
        ("Content-Type: nonsense", b"bid 15", ["bid 15"]),
    ],
)
def test_bodies_as_lines(head: str, body: bytes, lines: list[str]):
    assert body_lines(_message(head, body)) == lines


def test_reading_is_capped():
    lines = body_lines(_message("Content-Type: text/plain", b"x" * 9999 + b"\ny" * 9999))
    assert len(lines) == MAX_LINES
    assert len(lines[0]) == MAX_LINE
    page = "<p>" + "x" * 9999 + "<br>y" * 9999
    lines = body_lines(_message("Content-Type: text/html", page.encode()))
    assert len(lines) == MAX_LINES
    assert len(lines[0]) == MAX_LINE


bits = st.sampled_from(
    [
        *(
            b"bid 15",
            b"\n",
            b"\r\n",
            b"\n\n",
            b"> ",
            b"| ",
            b"-- ",
            b"On ",
            b"wrote:",
            b"\x00",
            b";",
        ),
        *(b"<", b">", b"<div>", b"</div>", b"<!--", b"<blockquote>", b"</blockquote>", b"<pre>"),
        *(
            b"&#",
            b"&nbsp;",
            b"<![",
            b"Content-Type: ",
            b"multipart/mixed; boundary=b",
            b"--b",
            b"--b--",
        ),
        *(
            b"text/html",
            b"text/plain; charset=",
            b"utf-16",
            b"utf-7",
            b"iso-2022-jp",
            b"charset*=x''%",
        ),
        *(
            b"Content-Transfer-Encoding: ",
            b"base64",
            b"x-uuencode",
            b"quoted-printable",
            b"=3D",
            b"=\n",
        ),
        *(b"=?utf-8?q?", b"?=", b"From: ", b"\xff\xfe", b"\xc3\xbc", b"message/rfc822"),
        *(b"format=flowed", b"Content-Disposition: "),
    ]
)


@given(st.binary(max_size=400) | st.lists(bits | st.binary(max_size=4), max_size=60).map(b"".join))
def test_no_bytes_break_the_reader(raw: bytes):
    lines = own_lines(email.message_from_bytes(raw))
    assert all(line == " ".join(line.split()) and len(line) <= MAX_LINE for line in lines)
    assert not any(line.startswith(">") for line in lines)
    read_commands(lines)


@given(st.text(max_size=300))
def test_no_markup_breaks_the_reader(markup: str):
    assert all("\n" not in line for line in html_lines(markup))


HOSTILE = [
    *("\n", "On ", "> ", ">\n", "wrote:\n", "On 30.11.2026 10:12\n", "---", "--- a ", "-\n", " "),
    *("a@b ", ": ", "a: b@c\n", "_", "<", "<!--", "<a ", "<a b='", "</div>", "<div>", "<!["),
    *("<blockquote>", "<style>", "<pre>\n", "&#1", "&#123456789", "<br>", "x "),
]


@pytest.mark.parametrize("kind", ["plain", "plain; format=flowed", "html"])
@pytest.mark.parametrize("bit", HOSTILE)
def test_hostile_texts_take_linear_time(bit: str, kind: str):
    def read(size: int) -> int:
        raw = f"Content-Type: text/{kind}\n\n{bit * (size // len(bit))}".encode()
        return work(lambda: own_lines(email.message_from_bytes(raw), OURS))

    small, large = read(1500), read(6000)
    assert large <= 4.5 * small + 2000
