"""What a person wrote in an answer, without the mail that is quoted in it.

Read from the top: the person's own lines end where a signature or the quoted mail begins. Only
where nothing stands above the quote, and the quote is marked line by line, do the unmarked lines
among and below it count (people who answer below or between). After the marker, a rule, a head
"From: … Sent: …" or an attribution with no `>` below it nothing is read at all: from there on the
text may be ours, and a quoted mail must never be read as a command.
"""

import codecs
import html
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from email.message import Message
from enum import Enum, auto

from core.mail.spelling import fold, is_seen
from core.mail.verbs import BY_WORD

MAX_LINES = 2000
MAX_LINE = 500
"""Characters of a line that are looked at."""
MAX_PARTS = 100

RULE = "_" * 32
"""What a mark for "from here on the quoted mail" in HTML becomes in text: the rule of Outlook."""
SIGNATURE = "-- "

_TRUST_UTF_8_MORE = re.compile(r"us-ascii|ascii|iso-?8859-?\d+|latin.*|windows-?\d+|cp\d+")
_NO_CHARSETS = {"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined"}
"""Codecs that are no charset of any mail: quadratic, or not about letters."""
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def body_lines(message: Message) -> list[str]:
    """Return lines of the text part, else of the HTML part; a quoted line begins with `>`.

    At most MAX_LINES of MAX_LINE characters each. Attached files and messages do not count.
    """
    pages: list[str] = []
    for part in _text_parts(message):
        text = _decoded(part)
        if part.get_content_subtype() == "html":
            pages.append(text)
            continue
        lines = [line[:MAX_LINE] for line in text.splitlines()[:MAX_LINES]]
        if str(part.get_param("format", "")).lower() == "flowed":
            lines = _unflowed(lines, str(part.get_param("delsp", "")).lower() == "yes")
        if any(not line.isspace() for line in lines if line):
            return lines
    return html_lines(pages[0]) if pages else []


def _text_parts(message: Message) -> Iterator[Message]:
    """Text parts shown with the message, in order; what lies inside an attached message is not."""
    waiting = [message]
    for _ in range(MAX_PARTS):
        if not waiting:
            return
        part = waiting.pop()
        if part.is_multipart():
            payload = part.get_payload()
            if isinstance(payload, list) and part.get_content_maintype() == "multipart":
                waiting += [p for p in reversed(payload[:MAX_PARTS]) if isinstance(p, Message)]
        elif _is_shown_text(part):  # an undecoded payload would be asked for by its charset
            yield part


def _is_shown_text(part: Message) -> bool:
    is_text = part.get_content_type() in ("text/plain", "text/html")
    return is_text and part.get_content_disposition() != "attachment"


def _decoded(part: Message) -> str:
    """Text of a part; its charset is believed as far as the bytes agree."""
    payload = part.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    for mark, charset in _BOMS:
        if data.startswith(mark):
            return data.decode(charset, "replace").lstrip("\ufeff")
    declared = _charset(part)
    guesses = [declared, "utf-8"]
    if _TRUST_UTF_8_MORE.fullmatch(declared) and not data.isascii():
        guesses.reverse()  # text in another charset is almost never valid UTF-8
    for charset in guesses:
        try:
            if codecs.lookup(charset).name not in _NO_CHARSETS:
                return data.decode(charset)
        except (LookupError, ValueError):
            continue
    return data.decode("cp1252", "replace")


def _charset(part: Message) -> str:
    try:
        return str(part.get_content_charset("utf-8"))
    except (LookupError, ValueError):  # the parameter is itself encoded, in no charset
        return "utf-8"


def _unflowed(lines: list[str], delete_space: bool) -> list[str]:
    """Join the soft line breaks of format=flowed (RFC 3676)."""
    joined: list[str] = []
    soft_depth = -1  # quote depth of the last line if it flows on, else -1
    for line in lines:
        text = line.lstrip(">")
        depth = len(line) - len(text)
        text = text.removeprefix(" ")
        flows = text.endswith(" ") and text != SIGNATURE
        shown = text[:-1] if flows and delete_space else text
        if depth == soft_depth and text != SIGNATURE:
            joined[-1] = (joined[-1] + shown)[:MAX_LINE]
        else:
            joined.append(">" * depth + shown)
        soft_depth = depth if flows else -1
    return joined


_TAG = re.compile(r"<([^<>]*)>")
_TAG_NAME = re.compile(r"(/?)([a-z][a-z0-9:]{0,30})")
_LONG_NUMBER = re.compile(r"&#[xX]?[0-9a-fA-F]{8,};?")  # no character, but slow to convert
_BLANKS = re.compile(r"[ \t\r\n\f]+")
_SKIPPED = {"script", "style", "title", "xml", "svg"}
_BLOCKS = {
    *("address", "article", "blockquote", "body", "center", "dd", "div", "dl", "dt", "footer"),
    *("form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "li", "ol", "p", "pre", "section"),
    *("table", "tbody", "tr", "ul"),
}
# What clients write around the mail they quote (it closes with its element) …
_QUOTE_BOX = re.compile(
    r"gmail_quote|yahoo_quoted|protonmail_quote|moz-cite-prefix|zmail_extra|tutanota_quote|"
    r"name=[\"']?quote|mail-editor-reference-message-container"
)
# … or before it (all that follows is the quoted mail), and around a signature.
_QUOTE_START = re.compile(r"divrplyfwdmsg|appendonsend|olk_src_body_section|id=[\"']?reply-intro")
_SIGNATURE_BOX = re.compile(
    r"gmail_signature|moz-signature|signature_block|outlook-mobile-signature|"
    r"id=[\"']?(?:x_)?(?:applemail)?signature"
)


def html_lines(page: str) -> list[str]:
    """Reduce HTML to lines; those inside a quoted mail begin with `>`.

    A paragraph is one line, as the person typed it; only an empty one is an empty line.
    """
    reader = _HtmlReader()
    at = 0
    page = _without_comments(page)
    for tag in _TAG.finditer(page):
        reader.text(page[at : tag.start()])
        at = tag.end()
        reader.tag(tag[1])
    reader.text(page[at:])
    reader.end_line()
    return reader.lines[:MAX_LINES]


def _without_comments(page: str) -> str:
    kept, at = [], 0
    while (start := page.find("<!--", at)) >= 0:
        kept.append(page[at:start])
        end = page.find("-->", start)
        if end < 0:  # an unclosed comment hides the rest, as in a browser
            return "".join(kept)
        at = end + 3
    kept.append(page[at:])
    return "".join(kept)


class _HtmlReader:
    """Takes texts and tags in turn and keeps the lines a reader would see."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._line: list[str] = []
        self._quoting = 0
        # Whether each open element of a name quotes: one stack a name, so closing needs no search.
        self._open: dict[str, list[bool]] = {"div": [], "blockquote": []}
        self._skipping = ""
        self._preformatted = 0

    def text(self, text: str) -> None:
        if self._skipping or not text:
            return
        text = html.unescape(_LONG_NUMBER.sub("", text))
        if not self._preformatted:
            self._line.append(_BLANKS.sub(" ", text))
            return
        first, *others = text.split("\n")
        self._line.append(first)
        for other in others[:MAX_LINES]:
            self.end_line(always=True)
            self._line.append(other)

    def tag(self, inside: str) -> None:
        lower = inside[:MAX_LINE].lower()
        match = _TAG_NAME.match(lower)
        if not match:
            if inside[:1] not in ("!", "?"):
                self.text(f"<{inside}>")  # "a < b > c" is no tag
            return
        closing, name = bool(match[1]), match[2]
        if self._skipping or name in _SKIPPED:
            self._skip(name, closing)
        elif name == "br":
            self.end_line(always=True)
        elif name in ("td", "th"):
            self._line.append(" ")
        elif name == "hr":
            self._lone_line(RULE)
        else:
            self._element(name, closing, lower)

    def _skip(self, name: str, closing: bool) -> None:
        if not self._skipping and not closing:
            self._skipping = name
        elif closing and name == self._skipping:
            self._skipping = ""

    def _element(self, name: str, closing: bool, attributes: str) -> None:
        if name in _BLOCKS:
            self.end_line()
        if name == "pre":
            self._preformatted = max(0, self._preformatted + (-1 if closing else 1))
        if closing:
            if self._open.get(name):
                self._quoting -= self._open[name].pop()
            return
        if _QUOTE_START.search(attributes):
            self._lone_line(RULE)
        elif _SIGNATURE_BOX.search(attributes):
            self._lone_line(SIGNATURE)
        if name in self._open:
            quotes = name == "blockquote" or bool(_QUOTE_BOX.search(attributes))
            self._open[name].append(quotes)
            self._quoting += quotes

    def _lone_line(self, text: str) -> None:
        self.end_line()
        self._line.append(text)
        self.end_line()

    def end_line(self, always: bool = False) -> None:
        """End the line that is being written; `always` even if nothing stands on it."""
        text = "".join(self._line)[:MAX_LINE]
        self._line.clear()
        # An ordinary blank is layout of the source; a no-break space was put there as a line.
        if always or text.strip(" "):
            self.lines.append(f"> {text}" if self._quoting else text)


ATTRIBUTION_LINES = 4
"""An attribution is wrapped over at most as many lines."""
RULE_LENGTH = 5
RULE_ENDS = 3
HEADER_LINES = 3
"""As many lines of the form `Word: value` in a row are the head of a quoted mail."""


def _any_of(words: str) -> str:
    """Pattern for any of some words that are parted by `|`."""
    return "(?:" + "|".join(re.escape(fold(word)) for word in words.split("|")) + ")"


_WROTE = _any_of(
    """wrote|writes|schrieb|schreibt|a écrit|écrit|escribió|napisał|napisała|napisal|pisze
    |написал|написала|пишет|написав|写道|寫道|のメール|書きました|เขียน|aliandika|ameandika
    |ha scritto|scrive|escreveu|schreef|skrev|kirjoitti|napsal|napsala|napísal|yazdı|작성|썼습니다
    |đã viết|menulis|írta|a scris|έγραψε|كتب|כתב|parašė|je napisao"""
)
_STARTS_ATTRIBUTION = re.compile(
    _any_of("on|am|le|el|il|em|op|w|den|dne|dnia|pada|vào|mnamo|tarehe|в|на|στις|在|เมื่อ")
    + r"\b.*\d"
)
_ENDS_WITH_WROTE = re.compile(_WROTE + r"\S{0,6} ?[:：]$")
_DATE = re.compile(  # 25xx: years of the Thai calendar
    r"(?<!\d)(?:(?:19|20|25)\d\d(?!\d)|\d{1,2}[./-]\d{1,2}[./-]\d{2})"
)
_ADDRESS = re.compile(r"\S@\S")
_TIME = re.compile(r"(?<![\d.])\d{1,2}[:.h時时시]\d\d(?![\d.]\d)")
_SIGNALS = (_ADDRESS, _DATE, _TIME, re.compile(_WROTE))
_HEADER = re.compile(r"\W{0,3}[^:：]{2,30}[:：]\W{0,3}\S")
_RULE_CHARACTERS = "-–—_=*"
_FORWARDED = re.compile(
    _any_of(
        """begin forwarded message|forwarded message|anfang der weitergeleiteten nachricht
        |début du message|inicio del mensaje reenviado|inizio messaggio inoltrato
        |początek przekazywanej wiadomości|начало переадресованного сообщения
        |転送されたメッセージ|以下是转发的邮件"""
    )
)
_SIGNATURE = re.compile(r"--|–|—|---|____?")
_PHONE_STARTS = re.compile(
    _any_of(
        """sent from|sent via|sent with|sent using|get outlook for|yahoo mail:
        |outlook für|laden sie outlook|télécharger outlook|obtenez outlook|obtener outlook
        |von meinem|gesendet von|gesendet mit|gesendet über|diese nachricht wurde von meinem
        |envoyé de|envoyé depuis|envoyé à partir|enviado desde|enviado do|enviado de
        |enviado a partir|enviado via|wysłane z|wysłano z|pobierz outlook
        |отправлено с|отправлено из|надіслано з|发自|從我的|从我的|ส่งจาก|imetumwa kutoka
        |nimetuma kutoka|inviato da|inviata da|verstuurd vanaf|verzonden vanaf|verzonden met
        |skickat från|sendt fra|lähetetty|odesláno z|odoslané z|dikirim dari|được gửi từ
        |đã gửi từ|trimis de pe|στάλθηκε από|أرسلت من|נשלח מ"""
    )
)
_PHONE_ENDS = re.compile(_any_of("から送信|에서 보냄|gönderildi|发送|傳送") + r"[.。]?$")
_PHONE_LENGTH = 120


def is_separator(folded: str) -> bool:
    """Return True if a quoted or forwarded mail follows: a rule, words in rules, Apple's words."""
    words = folded.strip(_RULE_CHARACTERS)
    if not words:
        return len(folded) >= RULE_LENGTH
    left = len(folded) - len(folded.lstrip(_RULE_CHARACTERS))
    right = len(folded) - len(folded.rstrip(_RULE_CHARACTERS))
    return min(left, right) >= RULE_ENDS or bool(_FORWARDED.match(folded))


def is_signature(folded: str) -> bool:
    """Return whether a signature begins here: its mark, or the line that phones add."""
    if _SIGNATURE.fullmatch(folded):
        return True
    if len(folded) > _PHONE_LENGTH:
        return False
    return bool(_PHONE_STARTS.match(folded) or _PHONE_ENDS.search(folded))


def is_header_block(folded: Sequence[str], at: int) -> bool:
    """Return whether the head of a quoted mail begins at this line ("From: … Sent: … To: …")."""
    block = folded[at : at + HEADER_LINES]
    shaped = len(block) == HEADER_LINES and all(map(_HEADER.match, block))
    return shaped and any(_ADDRESS.search(line) or _DATE.search(line) for line in block)


def attribution_start(folded: Sequence[str], end: int) -> int | None:
    """First line of the attribution whose last line is `end`, or None if there is none.

    The fewest lines that hold a date; where no date is near, the fewest that are enough.
    """
    if not folded[end].endswith((":", "：")):
        return None
    start = None
    for first in range(end, max(-1, end - ATTRIBUTION_LINES), -1):
        if not folded[first]:
            break
        text = " ".join(folded[first : end + 1])
        enough = _ENDS_WITH_WROTE.search(text) or sum(bool(s.search(text)) for s in _SIGNALS) > 1
        if enough and start is None:
            start = first
        if enough and _DATE.search(text):
            return _with_opening(folded, first)
    return start


def _with_opening(folded: Sequence[str], first: int) -> int:
    """Return the line before, where "On Mon, Nov 30," was wrapped ahead of the year."""
    wrapped = first > 0 and _STARTS_ATTRIBUTION.match(folded[first - 1])
    return first - 1 if wrapped and not _STARTS_ATTRIBUTION.match(folded[first]) else first


MARKER = "--- Kraftpost: answer above this line ---"
"""First line of every mail that can be answered; what stands below it was written by us."""

WRAP, MAX_WRAP = 72, 80
"""Characters among which mail programs break lines."""

_MARKER_WORDS = "kraftpost: answer above this line"
_QUOTED = re.compile(r"\s*\w{0,3}[>|»]")


class _Kind(Enum):
    OWN = auto()
    BLANK = auto()
    QUOTED = auto()  # marked as quoted by itself
    ATTRIBUTION = auto()
    SIGNATURE = auto()
    END = auto()  # the quoted mail follows, unmarked


_GAPS = (_Kind.BLANK, _Kind.ATTRIBUTION)
_LOOK_AHEAD = 8


def own_lines(message: Message, ours: Collection[str] = ()) -> tuple[str, ...]:
    """Return the person's own lines, blanks single, empty lines kept between them (M21).

    `ours` are addresses, or their `@domain`, that only the head of a mail of ours would hold.
    """
    return strip_quotes(body_lines(message), ours)


def strip_quotes(lines: Iterable[str], ours: Collection[str] = ()) -> tuple[str, ...]:
    """Return the own ones among the lines of a text; what `own_lines` does once it has the text."""
    raw = ["".join(filter(is_seen, line)) for line in lines]
    kinds = _kinds(raw, tuple(fold(address) for address in ours))
    return _above(raw, kinds) or _among(raw, kinds)


def _kinds(raw: list[str], ours: tuple[str, ...]) -> list[_Kind]:
    folded = [fold(line) for line in raw]
    kinds = [_kind(folded, at, ours) for at in range(len(folded))]
    for at, kind in enumerate(kinds):
        if kind is _Kind.ATTRIBUTION:
            start = attribution_start(folded, at)
            for wrapped in range(at if start is None else start, at):
                kinds[wrapped] = _Kind.ATTRIBUTION
    return kinds


def _kind(folded: list[str], at: int, ours: tuple[str, ...]) -> _Kind:
    line = folded[at]
    if not line:
        return _Kind.BLANK
    if _QUOTED.match(line):
        return _Kind.QUOTED
    if _MARKER_WORDS in line or is_separator(line) or is_header_block(folded, at):
        return _Kind.END
    if any(address in line for address in ours) or attribution_start(folded, at) is not None:
        return _Kind.ATTRIBUTION
    return _Kind.SIGNATURE if is_signature(line) else _Kind.OWN


def _above(raw: list[str], kinds: list[_Kind]) -> tuple[str, ...]:
    """Return the lines ahead of everything that is not the person's own."""
    first = next((at for at, k in enumerate(kinds) if k not in (_Kind.OWN, _Kind.BLANK)), len(raw))
    return _tidy(raw[:first])


def _among(raw: list[str], kinds: list[_Kind]) -> tuple[str, ...]:
    """Return the unmarked lines among and below a quote that is marked line by line."""
    own: list[str] = []
    marked = False  # whether quoted lines are known to be marked where we are
    for at, kind in enumerate(kinds):
        if kind is _Kind.QUOTED:
            marked = True
        elif kind is _Kind.END or (kind is _Kind.SIGNATURE and own):
            break
        elif kind is _Kind.SIGNATURE:
            marked = False
        elif kind is _Kind.ATTRIBUTION and not _leads_to_marked(kinds, at):
            break
        elif marked and kind is _Kind.OWN and not _torn(raw, kinds, at):
            own += [""] * _is_apart(kinds, at) + [raw[at]]
    return _tidy(own)


def _is_apart(kinds: list[_Kind], at: int) -> bool:
    """Return whether an empty line parts this own line from one before.

    Beside a quote it is layout.
    """
    before = at - 1
    while before > 0 and kinds[before] is _Kind.BLANK:
        before -= 1
    return before < at - 1 and kinds[before] is _Kind.OWN


def _leads_to_marked(kinds: list[_Kind], at: int) -> bool:
    """Return whether the mail that this attribution announces is marked line by line."""
    follows = kinds[at + 1 : at + 1 + _LOOK_AHEAD]
    return next((k for k in follows if k not in _GAPS), _Kind.END) is _Kind.QUOTED


def _torn(raw: list[str], kinds: list[_Kind], at: int) -> bool:
    """Return True if this line is the rest of a quoted line, broken without a mark.

    More of the quote follows, or, after the end of the quote, what the person wrote; a line that
    begins with a verb there is theirs.
    """
    if kinds[at - 1] is not _Kind.QUOTED:
        return False
    word = raw[at].split()[0]
    if len(raw[at - 1].rstrip()) + 1 + len(word) <= WRAP:
        return False
    follows = kinds[at + 1 : at + 2]
    if follows == [_Kind.BLANK] and _Kind.OWN in kinds[at + 1 :]:
        return fold(word).strip(":") not in BY_WORD
    return follows == [_Kind.QUOTED]


def _tidy(lines: Iterable[str]) -> tuple[str, ...]:
    """Return lines with single blanks, at most one empty line in a row, none at the ends."""
    tidy: list[str] = []
    for line in (" ".join(line.split()) for line in lines):
        if line or (tidy and tidy[-1]):
            tidy.append(line)
    if tidy and not tidy[-1]:
        tidy.pop()
    return tuple(tidy)
