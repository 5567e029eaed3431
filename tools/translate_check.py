"""Check the catalogues: `make translate-check`, which CI runs as a test, too.

Each language must have every message of the code and no other, translated and not fuzzy, in as
many forms as its plural has; with the same places, tags and line ends as the English; and with the
words of core/locale/glossary.toml.
"""

import re
import string
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator
from contextlib import chdir
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any, Final

from babel.messages.catalog import Catalog, Message
from babel.messages.frontend import CommandLineInterface
from babel.messages.plurals import get_plural
from babel.messages.pofile import read_po

ROOT: Final = Path(__file__).parent.parent
CATALOGUES: Final = ROOT / "core" / "locale"
SHORT: Final = 3
"""A message of so many words, places among them, names a thing; a longer one may call it "it"."""
_TAG: Final = re.compile(r"</?[a-z]\w*[^<>]*>")
_OLD: Final = re.compile(r"%\((\w+)\)[sd]")
_NAMED: Final = re.compile(r"\{\w*\}")
_ENDS: Final = re.compile(r"^\n*|\n*$")


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with one message of a language; `message` is empty for a whole catalogue."""

    language: str
    kind: str
    message: str
    told: str

    def __str__(self) -> str:
        """Return it in one line."""
        message = self.message if len(self.message) <= 100 else self.message[:99] + "…"
        return f"{self.language}: {self.kind}: {message!r}: {self.told}"


def collected() -> Catalog:
    """Return all messages of the code, collected as `make messages` does."""
    make = (ROOT / "Makefile").read_text("utf-8")
    (options,) = re.findall(r"extract (.+) -o \S+\.pot \.", make)
    with tempfile.NamedTemporaryFile(suffix=".pot") as file, chdir(ROOT):
        sys.path.insert(0, str(ROOT))
        try:
            CommandLineInterface().run(
                ["pybabel", "--quiet", "extract", *options.split(), "-o", file.name, "."]
            )
        finally:
            sys.path.remove(str(ROOT))
        return read_po(file)


def faults(folder: Path, template: Catalog) -> Iterator[Fault]:
    """Yield what is wrong with the catalogues in a folder, language by language."""
    words = tomllib.loads((folder / "glossary.toml").read_text("utf-8"))
    for file in sorted(folder.glob("*/LC_MESSAGES/messages.po")):
        language = file.parent.parent.name
        text = file.read_text("utf-8")
        read = read_po(StringIO(text), locale=language)
        yield from _Check(language, read, words).all(template, text)


class _Check:
    """One language against the messages of the code."""

    def __init__(self, language: str, catalogue: Catalog, words: dict[str, Any]) -> None:
        self.language, self.catalogue = language, catalogue
        self.terms = [_Term(entry, language) for entry in words["term"] if language in entry]
        self.spared = {
            (spared["message"], term)
            for spared in words.get("exception", ())
            if language in spared["languages"]
            for term in spared["terms"]
        }

    def all(self, template: Catalog, text: str) -> Iterator[Fault]:
        """Yield every fault of the catalogue, whose file has this `text`."""
        yield from self._plural(text)
        yield from self._stock(template)
        for message in template:
            said = message.id and self.catalogue.get(_first(message), message.context)
            if said and said.id == message.id:
                yield from self._message(said)
        yield from self._letters()

    def _fault(self, kind: str, message: Message | None, told: str) -> Fault:
        return Fault(self.language, kind, _first(message) if message else "", told)

    def _plural(self, text: str) -> Iterator[Fault]:
        """Read the file itself: Babel puts right what it reads."""
        due = get_plural(self.language).num_plurals
        said = re.search(r"Plural-Forms: *nplurals=(\d+)", text)
        if said is None or int(said[1]) != due:
            yield self._fault("plural", None, f"the language has {due} forms, not as its header")
        if any(int(number) >= due for number in re.findall(r"^msgstr\[(\d+)\]", text, re.M)):
            yield self._fault("plural", None, f"a message has more than {due} forms")

    def _stock(self, template: Catalog) -> Iterator[Fault]:
        due = {(message.id, message.context) for message in template if message.id}
        there = {(message.id, message.context) for message in self.catalogue if message.id}
        for kind, ids in (("missing", due - there), ("no longer used", there - due)):
            for one, context in sorted(ids, key=str):
                first = one if isinstance(one, str) else one[0]
                yield Fault(self.language, kind, first, f"context {context}" if context else "")
        if self.catalogue.obsolete:
            yield self._fault("no longer used", None, f"{len(self.catalogue.obsolete)} kept by #~")

    def _message(self, message: Message) -> Iterator[Fault]:
        forms = message.string if isinstance(message.string, tuple) else (message.string,)
        if message.fuzzy:
            yield self._fault("fuzzy", message, "no reader has agreed to it")
        if not all(forms):
            yield self._fault("untranslated", message, "a form is empty" if any(forms) else "")
            return
        for number, form in enumerate(forms):
            yield from self._form(message, form, alone=number == 0 and len(forms) > 1)
        yield from self._words(message, " ".join(forms))

    def _form(self, message: Message, form: str, *, alone: bool) -> Iterator[Fault]:
        """Check one form; the one that stands `alone` may leave the number out, as in English."""
        ids = message.id if isinstance(message.id, tuple) else (message.id,)
        due = _places(ids[-1])
        try:
            found = _places(form)
        except ValueError as error:
            yield self._fault("places", message, f"{form!r}: {error}")
            return
        if found != due and not (alone and found in (_places(ids[0]), due - {"n"})):
            yield self._fault("places", message, f"{sorted(found)}, not {sorted(due)}")
        if Counter(_TAG.findall(form)) != Counter(_TAG.findall(ids[-1])):
            yield self._fault("tags", message, f"{_TAG.findall(form)}")
        if [len(end) for end in _ENDS.findall(form)] != [len(e) for e in _ENDS.findall(ids[-1])]:
            yield self._fault("line ends", message, f"{form[:20]!r} … {form[-20:]!r}")

    def _words(self, message: Message, said: str) -> Iterator[Fault]:
        """Check the words of the glossary; a rival may be the word of another term there."""
        english = " ".join(message.id) if isinstance(message.id, tuple) else message.id
        here = [term for term in self.terms if term.is_in(english)]
        right = [word for term in here for word in term.words]
        plain = _NAMED.sub("", said).casefold()
        for term in here:
            if (_first(message), term.name) in self.spared:
                continue
            for rival in term.rivals:
                if rival in plain and not any(rival in word for word in right):
                    yield self._fault("rival", message, f"{term.name} is {rival!r} in {said!r}")
            short = len(re.findall(r"[A-Za-z{][^\s]*", english)) <= SHORT * _count(message)
            if (short or term.always) and not term.is_said(said):
                told = f"{term.name} is none of {', '.join(term.words)} in {said!r}"
                yield self._fault("word", message, told)

    def _letters(self) -> Iterator[Fault]:
        """Check that what stands for a fuel in a narrow column tells it from the others."""
        letters = [m.string for m in self.catalogue if (m.context or "").startswith("one letter")]
        if len({*letters}) < len(letters) or any(len(letter) > 2 for letter in letters):
            yield self._fault("letters", None, f"not one letter each: {letters}")


class _Term:
    """A word of the glossary in one language."""

    def __init__(self, entry: dict[str, Any], language: str) -> None:
        self.name: str = entry["english"][0]
        self.always: bool = entry.get("always", False)
        self.words = [word.casefold() for word in entry[language]]
        self.rivals = [word.casefold() for word in entry.get("rivals", {}).get(language, ())]
        after = "".join(rf"(?<!\b{word} )" for word in entry.get("not_after", ()))
        before = "|".join(entry.get("not_before", ())) or "(?!)"
        found = "|".join(map(re.escape, entry["english"]))
        self._english = re.compile(rf"{after}\b(?:{found})\b(?![- ](?:{before})\b)", re.IGNORECASE)

    def is_in(self, english: str) -> bool:
        """Tell whether a message speaks of it; places and tags do not count."""
        bare = re.sub(r"\{[^{}]*\}|%\(\w+\)[sd]|<[^<>]*>|“[^”]*”", "§", english)
        return self._english.search(bare) is not None

    def is_said(self, said: str) -> bool:
        """Tell whether one of its words is used."""
        return any(word in said.casefold() for word in self.words)


def _first(message: Message) -> str:
    return message.id if isinstance(message.id, str) else str(message.id[0])


def _count(message: Message) -> int:
    return 1 if isinstance(message.id, str) else len(message.id)


def _places(text: str) -> frozenset[str]:
    """Return the names of what is filled in; raise ValueError for a stray brace."""
    named = {str(name) for _text, name, _spec, _conv in string.Formatter().parse(text) if name}
    return frozenset(named | {*_OLD.findall(text)})


def main() -> int:
    """Print all faults and their number by language; return 1 if there are any."""
    found = list(faults(CATALOGUES, collected()))
    for fault in found:
        print(fault)
    for language, number in sorted(Counter(fault.language for fault in found).items()):
        print(f"{language}: {number} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
