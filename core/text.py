"""The words of the service in the reader's language: plain gettext for core, mails and pages.

The locale belongs to the context (a request, a task, one mail), so that two mails rendered one
after the other may speak two languages. English is the source and needs no catalogue.

>>> with speaking("xx"):
...     ngettext("{n} city", "{n} cities", 2).format(n=2)
'2 cities'
"""

import gettext as _gettext
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Final

CATALOGUES: Final = Path(__file__).parent / "locale"
"""One folder per language."""
DOMAIN: Final = "messages"
SOURCE: Final = "en"
_TURNING: Final = frozenset(
    "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029\ufeff\ufff9\ufffa\ufffb"
)

_locale: ContextVar[str] = ContextVar("locale", default=SOURCE)


@contextmanager
def speaking(locale: str) -> Iterator[None]:
    """Speak `locale` (``de``, ``zh_Hant``) inside this block; English where it has no catalogue."""
    token = _locale.set(locale)
    try:
        yield
    finally:
        _locale.reset(token)


def language() -> str:
    """Return the language that is spoken here: English where the one asked for is not there."""
    locale = _locale.get()
    return locale if type(_catalogue(locale)) is not _gettext.NullTranslations else SOURCE


def _(message: str) -> str:
    """Translate a message; fill its named places afterwards, with ``str.format``."""
    return _catalogue(_locale.get()).gettext(message)


def N_(message: str) -> str:  # noqa: N802 - the name that gettext's tools know
    """Mark a message for the catalogues; `_` translates it where it is shown."""
    return message


def ngettext(singular: str, plural: str, n: int) -> str:
    """Translate a message that counts `n` things."""
    return _catalogue(_locale.get()).ngettext(singular, plural, n)


def pgettext(context: str, message: str) -> str:
    """Translate a word that means different things in different places."""
    return _catalogue(_locale.get()).pgettext(context, message)


def clean(text: str) -> str:
    r"""Return a text without what nobody can read and programs stumble over; `clean` of it is it.

    Control characters go, but for tab and line end; so do halves of characters, and those that
    turn the direction of what follows.

    >>> clean("a\x00b\x1b[1m\u202ec\r\nd\te"), clean("👨\u200d👩\u200d👧")
    ('ab[1mc\nd\te', '👨\u200d👩\u200d👧')
    """
    if text.isprintable():
        return text
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(c for c in lines if c in "\n\t" or _is_text(c))


def _is_text(char: str) -> bool:
    return unicodedata.category(char) not in ("Cc", "Cs") and char not in _TURNING


def one_line(text: str) -> str:
    """Return a text on one line, its blanks single, without control characters."""
    return " ".join(clean(text).split())


@cache
def _catalogue(locale: str) -> _gettext.NullTranslations:
    return _gettext.translation(DOMAIN, CATALOGUES, [locale], fallback=True)
