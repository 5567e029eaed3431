"""The reader's language belongs to the context."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from core import text
from core.text import _, ngettext, pgettext, speaking


@pytest.fixture(autouse=True)
def german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Read a catalogue of three German messages."""
    catalogue = Catalog(locale="de")
    catalogue.add("Pass", "Passen")
    catalogue.add(("{n} city", "{n} cities"), ("{n} Stadt", "{n} Städte"))
    catalogue.add("Order", "Reihenfolge", context="turn")
    file = tmp_path / "de" / "LC_MESSAGES" / "messages.mo"
    file.parent.mkdir(parents=True)
    with file.open("wb") as out:
        write_mo(out, catalogue)
    monkeypatch.setattr(text, "CATALOGUES", tmp_path)
    text._catalogue.cache_clear()
    yield
    text._catalogue.cache_clear()


def test_a_block_speaks_its_language_and_the_one_around_it_its_own() -> None:
    with speaking("de"):
        assert _("Pass") == "Passen"
        with speaking("en"):
            assert _("Pass") == "Pass"
        assert _("Pass") == "Passen"
    assert _("Pass") == "Pass"


@pytest.mark.parametrize(("n", "words"), [(1, "{n} Stadt"), (2, "{n} Städte")])
def test_counted_things_take_the_plural_of_the_language(n: int, words: str) -> None:
    with speaking("de"):
        assert ngettext("{n} city", "{n} cities", n) == words


def test_a_word_with_a_context_is_another_message_than_without() -> None:
    with speaking("de"):
        assert pgettext("turn", "Order") == "Reihenfolge"
        assert _("Order") == "Order"


def test_a_language_without_catalogue_speaks_english() -> None:
    with speaking("xx"):
        assert _("Pass") == "Pass"
