"""How quoted mails, forwarded mails and signatures look in the text that mail programs make.

An attribution ("On Monday Anna wrote:") is known less by its words than by what it holds: it ends
with a colon and names two of an address, a date, a time, and the word for writing. Every pattern
here is tried on one line of bounded length.
"""

import re
import unicodedata
from collections.abc import Sequence

ATTRIBUTION_LINES = 4
"""An attribution is wrapped over at most as many lines."""
RULE_LENGTH = 5
RULE_ENDS = 3
HEADER_LINES = 3
"""As many lines of the form `Word: value` in a row are the head of a quoted mail."""


def fold(text: str) -> str:
    """`text` without case, diacritics and width, its blanks single: what comparing goes by."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(c for c in plain if not unicodedata.combining(c)).split())


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
    """Whether a quoted or forwarded mail follows: a rule, words between rules, Apple's words."""
    words = folded.strip(_RULE_CHARACTERS)
    if not words:
        return len(folded) >= RULE_LENGTH
    left = len(folded) - len(folded.lstrip(_RULE_CHARACTERS))
    right = len(folded) - len(folded.rstrip(_RULE_CHARACTERS))
    return min(left, right) >= RULE_ENDS or bool(_FORWARDED.match(folded))


def is_signature(folded: str) -> bool:
    """Whether a signature begins here: its mark, or the line that phones add."""
    if _SIGNATURE.fullmatch(folded):
        return True
    if len(folded) > _PHONE_LENGTH:
        return False
    return bool(_PHONE_STARTS.match(folded) or _PHONE_ENDS.search(folded))


def is_header_block(folded: Sequence[str], at: int) -> bool:
    """Whether the head of a quoted mail begins at this line ("From: … Sent: … To: …")."""
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
    """The line before, where the attribution was wrapped ahead of the year ("On Mon, Nov 30,")."""
    wrapped = first > 0 and _STARTS_ATTRIBUTION.match(folded[first - 1])
    return first - 1 if wrapped and not _STARTS_ATTRIBUTION.match(folded[first]) else first
