"""A language made by machine, in which whatever nobody translates stands out.

Each message of the code becomes itself in foreign letters, a third longer, in brackets:
``{name} bids.`` is ``⟦{name} ƀîîđš.⟧``. Read in it, a page shows an ordinary letter only where a
text went round gettext, a bracket in a bracket where a message was filled with another, and an
open bracket where a text was cut. To the code it is a catalogue like others. It lies under a
language whose own letters are not Latin, so that what Babel writes is told from English as well.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final
from unittest import mock

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from core import text
from tools.translate_check import CATALOGUES, collected

LANGUAGE: Final = "el"
OPEN, CLOSE, PAD = "⟦", "⟧", "~"

_PLAIN: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_FOREIGN: Final = "åƀçđéƒĝĥîĵķļɱñöþɋŕšţûṽŵẋýžÅƁÇĐÉƑĜĤÎĴĶĻṀÑÖÞɊŔŠŢÛṼŴẊÝŽ"
_LETTERS: Final = str.maketrans(_PLAIN, _FOREIGN)
_VOWEL: Final = re.compile("[åéîöû]")
_KEPT: Final = re.compile(r"\{[^{}]*\}|%\(\w+\)[sd]|<[^<>]+>|&\w+;")
"""Places, tags and entities."""


def foreign(message: str) -> str:
    """Return a message in this language; blanks and line ends around it stay outside."""
    inner = message.strip()
    if not inner:
        return message
    parts, at = [], 0
    for kept in _KEPT.finditer(inner):
        parts += [_said(inner[at : kept.start()]), kept.group()]
        at = kept.end()
    words = "".join([*parts, _said(inner[at:])])
    words += PAD * (len(inner) + len(inner) // 3 - len(words))
    before = message[: len(message) - len(message.lstrip())]
    after = message[len(message.rstrip()) :]
    return f"{before}{OPEN}{words}{CLOSE}{after}"


def _said(words: str) -> str:
    return _VOWEL.sub(lambda vowel: vowel.group() * 2, words.translate(_LETTERS))


template = cache(collected)
"""All messages of the code."""


def write(folder: Path, language: str = LANGUAGE, mark: str = "") -> None:
    """Write this language below a folder of catalogues.

    It can stand in for a `language` that has no catalogue yet, with a `mark` in every message.
    """
    made = Catalog(locale=language)
    for message in template():
        if not message.id:
            continue
        ids = message.id if isinstance(message.id, tuple) else (message.id,)
        said = tuple(foreign(one).replace(OPEN, OPEN + mark) for one in ids)
        made.add(
            message.id,
            said[-made.num_plurals :] if len(said) > 1 else said[0],
            context=message.context,
        )
    file = folder / language / "LC_MESSAGES" / f"{text.DOMAIN}.mo"
    file.parent.mkdir(parents=True)
    with file.open("wb") as out:
        write_mo(out, made)


def languages() -> list[str]:
    """Return the languages whose catalogues are in the code."""
    return sorted(file.parent.parent.name for file in CATALOGUES.glob("*/LC_MESSAGES/*.po"))


def compile_all(folder: Path) -> None:
    """Build the catalogues of the code below a folder."""
    for name in languages():
        parts = (name, "LC_MESSAGES", f"{text.DOMAIN}.mo")
        folder.joinpath(*parts[:2]).mkdir(parents=True)
        read = read_po((CATALOGUES / name / "LC_MESSAGES" / f"{text.DOMAIN}.po").open("rb"), name)
        with folder.joinpath(*parts).open("wb") as out:
            write_mo(out, read)


@contextmanager
def catalogue(folder: Path, *, others: bool = False) -> Iterator[str]:
    """Let the code find no language but this one, in a folder of its own; gives its name.

    With `others` it finds those of the code, too.
    """
    write(folder)
    if others:
        compile_all(folder)
    text._catalogue.cache_clear()
    with mock.patch.object(text, "CATALOGUES", folder):
        yield LANGUAGE
    text._catalogue.cache_clear()
