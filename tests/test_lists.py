"""Lists, "and" and "or" come from the reader's language, by CLDR."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from core import text
from core.lists import both, chain, clauses, either, sentences, series
from core.text import speaking

LANGUAGES = ("de", "th", "sw", "zh_Hant", "zh_Hans")


@pytest.fixture(autouse=True)
def languages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for locale in LANGUAGES:
        catalogue = Catalog(locale=locale)
        catalogue.add("{sentence} {next}", "{sentence}{next}" if "zh" in locale else "")
        file = tmp_path / locale / "LC_MESSAGES" / "messages.mo"
        file.parent.mkdir(parents=True)
        with file.open("wb") as out:
            write_mo(out, catalogue)
    monkeypatch.setattr(text, "CATALOGUES", tmp_path)
    text._catalogue.cache_clear()
    yield
    text._catalogue.cache_clear()


@pytest.mark.parametrize(
    ("locale", "two", "three", "one_of", "counted"),
    [
        ("en", "Ann and Ben", "Ann, Ben and 王明", "Ann, Ben or 王明", "4, 13, 21"),
        ("de", "Ann und Ben", "Ann, Ben und 王明", "Ann, Ben oder 王明", "4, 13, 21"),
        ("th", "Ann และ Ben", "Ann Ben และ王明", "Ann, Ben หรือ 王明", "4 13 21"),
        ("sw", "Ann na Ben", "Ann, Ben na 王明", "Ann, Ben au 王明", "4, 13, 21"),
        ("zh_Hant", "Ann 和 Ben", "Ann、Ben 和王明", "Ann、Ben 或王明", "4、13、21"),
        ("zh_Hans", "Ann 和 Ben", "Ann、Ben 和王明", "Ann、Ben 或王明", "4、13、21"),
        ("xx", "Ann and Ben", "Ann, Ben and 王明", "Ann, Ben or 王明", "4, 13, 21"),
        ("fr", "Ann and Ben", "Ann, Ben and 王明", "Ann, Ben or 王明", "4, 13, 21"),
    ],
)
def test_words_are_joined_as_the_language_does(
    locale: str, two: str, three: str, one_of: str, counted: str
):
    """French has no catalogue here: its reader is spoken to in English, lists and all."""
    with speaking(locale):
        assert both(["Ann", "Ben"]) == two
        assert both(["Ann", "Ben", "王明"]) == three
        assert either(["Ann", "Ben", "王明"]) == one_of
        assert series([4, 13, 21]) == counted
        assert (both([]), both(["Ann"]), series([])) == ("", "Ann", "")


def test_sentences_stand_apart_only_where_the_language_sets_them_apart():
    said = ["一。", "", "二。", "三。"]
    assert sentences(said) == "一。 二。 三。"
    with speaking("zh_Hant"):
        assert sentences(said) == "一。二。三。"


def test_what_follows_and_clauses_are_put_in_patterns_of_the_catalogue():
    assert chain(["Ann", "Ben", "Cem"]) == "Ann, then Ben, then Cem"
    assert clauses(["{a}", "b"]) == "{a}; b"
