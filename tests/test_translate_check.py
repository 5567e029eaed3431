"""`make translate-check` finds what is wrong with a catalogue, and nothing where all is right."""

from collections.abc import Callable
from pathlib import Path
from shutil import copy

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from tests.support import pseudo
from tools.translate_check import CATALOGUES, Fault, faults

GOOD = {
    "Pick a plant": "Ein Kraftwerk wählen",
    "{name} passed.\n": "{name} passt.\n",
    "Press <b>Send</b>.": "<b>Senden</b> drücken.",
    "The round ends, and the next turn begins.": "Die Runde endet, der nächste Zug beginnt.",
}
PLURAL = ("{n} city", "{n} cities")


def _template() -> Catalog:
    made = Catalog()
    for english in (*GOOD, PLURAL):
        made.add(english)
    made.add("C", context="one letter for coal")
    made.add("G", context="one letter for garbage")
    return made


@pytest.fixture
def check(tmp_path: Path) -> Callable[..., list[Fault]]:
    """Check a German catalogue that has been changed by a function."""

    def run(change: Callable[[Catalog], object], language: str = "de") -> list[Fault]:
        made = Catalog(locale=language)
        for english, german in GOOD.items():
            made.add(english, german)
        made.add(PLURAL, ("{n} Stadt", "{n} Städte"))
        made.add("C", "K", context="one letter for coal")
        made.add("G", "M", context="one letter for garbage")
        change(made)
        file = tmp_path / language / "LC_MESSAGES" / "messages.po"
        file.parent.mkdir(parents=True)
        with file.open("wb") as out:
            write_po(out, made)
        copy(CATALOGUES / "glossary.toml", tmp_path)
        return list(faults(tmp_path, _template()))

    return run


def _say(english: str, german: object) -> Callable[[Catalog], None]:
    def change(catalogue: Catalog) -> None:
        catalogue[english].string = german

    return change


def test_a_whole_catalogue_has_no_faults(check: Callable[..., list[Fault]]):
    assert check(lambda _catalogue: None) == []


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("missing", lambda catalogue: catalogue.delete("Press <b>Send</b>.")),
        ("no longer used", lambda catalogue: catalogue.add("Gone", "Weg")),
        ("untranslated", _say("Pick a plant", "")),
        ("untranslated", _say("{n} city", ("{n} Stadt", ""))),
        ("fuzzy", lambda catalogue: catalogue["Pick a plant"].flags.add("fuzzy")),
        ("places", _say("{name} passed.\n", "{wer} passt.\n")),
        ("places", _say("{name} passed.\n", "{name passt.\n")),
        ("places", _say("{n} city", ("{n} Stadt", "Städte"))),
        ("line ends", _say("{name} passed.\n", "{name} passt.")),
        ("tags", _say("Press <b>Send</b>.", "<i>Senden</i> drücken.")),
        ("word", _say("Pick a plant", "Ein Werk wählen")),
        ("rival", _say("Pick a plant", "Ein Kraftwerk, eine Anlage, wählen")),
        ("rival", _say("The round ends, and the next turn begins.", "Der Durchgang endet.")),
    ],
)
def test_each_fault_of_a_message_is_found(
    check: Callable[..., list[Fault]], kind: str, change: Callable[[Catalog], object]
):
    assert [fault.kind for fault in check(change)] == [kind]


def test_a_number_may_be_left_out_where_there_is_one(check: Callable[..., list[Fault]]):
    assert check(_say("{n} city", ("eine Stadt", "{n} Städte"))) == []


def test_letters_of_two_fuels_are_two(check: Callable[..., list[Fault]]):
    def same(catalogue: Catalog) -> None:
        catalogue.get("C", "one letter for coal").string = "M"

    assert [fault.kind for fault in check(same)] == ["letters"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("nplurals=2", "nplurals=1"),
        ('msgstr[1] "{n} Städte"', 'msgstr[1] "{n} Städte"\nmsgstr[2] "x"'),
    ],
)
def test_plural_forms_are_those_of_the_language(
    check: Callable[..., list[Fault]], tmp_path: Path, old: str, new: str
):
    assert check(lambda _catalogue: None) == []
    file = tmp_path / "de" / "LC_MESSAGES" / "messages.po"
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")
    assert "plural" in {fault.kind for fault in faults(tmp_path, _template())}


def test_a_rival_may_be_the_word_of_another_term_of_the_message(tmp_path: Path):
    """回合 is a turn in Taiwan, and must not be a round: but a message may speak of both."""
    rounds = {"Each round": "每輪，每回合", "Each round, each turn order": "每輪，順序"}
    template, made = Catalog(), Catalog(locale="zh_Hant")
    for english, said in rounds.items():
        template.add(english)
        made.add(english, said)
    file = tmp_path / "zh_Hant" / "LC_MESSAGES" / "messages.po"
    file.parent.mkdir(parents=True)
    with file.open("wb") as out:
        write_po(out, made)
    copy(CATALOGUES / "glossary.toml", tmp_path)
    assert [(f.kind, f.message) for f in faults(tmp_path, template)] == [("rival", "Each round")]


def test_a_declared_exception_is_spared(check: Callable[..., list[Fault]], tmp_path: Path):
    wrong = _say("Pick a plant", "Ein Werk wählen")
    assert [fault.kind for fault in check(wrong)] == ["word"]
    with (tmp_path / "glossary.toml").open("a", encoding="utf-8") as file:
        file.write(
            '[[exception]]\nmessage = "Pick a plant"\nterms = ["plant"]\nlanguages = ["de"]\n'
        )
    assert list(faults(tmp_path, _template())) == []


def test_the_catalogues_are_whole():
    """As `make translate-check` says of those that are here."""
    found = list(faults(CATALOGUES, pseudo.template()))
    assert not found, "\n".join(map(str, found))
