"""The words of the service in the reader's language: plain gettext for core, mails and pages.

The locale belongs to the context (a request, a task, one mail), so that two mails rendered one
after the other may speak two languages. English is the source and needs no catalogue.

>>> with speaking("xx"):
...     ngettext("{n} city", "{n} cities", 2).format(n=2)
'2 cities'
"""

import gettext as _gettext
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

_locale: ContextVar[str] = ContextVar("locale", default=SOURCE)


@contextmanager
def speaking(locale: str) -> Iterator[None]:
    """Speak `locale` (``de``, ``zh_Hant``) inside this block; English where it has no catalogue."""
    token = _locale.set(locale)
    try:
        yield
    finally:
        _locale.reset(token)


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


def one_line(text: str) -> str:
    """Return a text on one line, its blanks single, without control characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


@cache
def _catalogue(locale: str) -> _gettext.NullTranslations:
    return _gettext.translation(DOMAIN, CATALOGUES, [locale], fallback=True)
