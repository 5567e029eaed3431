"""The text of a MIME message as lines, whatever its client made of it.

Everything here takes time linear in the size of the message. That is why the HTML is not read by
`html.parser`: on Python 3.11 it is quadratic on unclosed comments and tags, and fails on `<![`.
"""

import codecs
import html
import re
from collections.abc import Iterator
from email.message import Message

MAX_LINES = 2000
MAX_LINE = 500
"""Characters of a line that are looked at."""
MAX_PARTS = 100

RULE = "_" * 32
"""What a mark for "from here on the quoted mail" in HTML becomes in text: the rule of Outlook."""
SIGNATURE = "-- "

_TRUST_UTF_8_MORE = re.compile(r"us-ascii|ascii|iso-?8859-?\d+|latin.*|windows-?\d+|cp\d+")
_SLOW_CODECS = {"idna", "punycode"}  # quadratic, and no charset of any mail
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def body_lines(message: Message) -> list[str]:
    """Lines of the text part, else of the HTML part; a quoted line begins with `>`.

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
        payload = part.get_payload()
        if isinstance(payload, list):
            if part.get_content_maintype() == "multipart":
                waiting += [p for p in reversed(payload[:MAX_PARTS]) if isinstance(p, Message)]
        elif _is_shown_text(part):
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
    declared = str(part.get_content_charset("utf-8"))
    guesses = [declared, "utf-8"]
    if _TRUST_UTF_8_MORE.fullmatch(declared) and not data.isascii():
        guesses.reverse()  # text in another charset is almost never valid UTF-8
    for charset in guesses:
        try:
            if codecs.lookup(charset).name not in _SLOW_CODECS:
                return data.decode(charset)
        except (LookupError, ValueError):
            continue
    return data.decode("cp1252", "replace")


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
