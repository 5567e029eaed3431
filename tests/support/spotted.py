"""What went round the catalogues, seen on what is read in the pseudo-language (pseudo.py).

Texts are taken block by block, as a reader sees them: paragraphs, cells, labels, and what readers
of screens are told.
"""

import re
import tomllib
from collections.abc import Collection, Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from zoneinfo import available_timezones

from tests.support.pseudo import CLOSE, OPEN, PAD

NAMES: Final = frozenset(
    """
    Ann Ben Cem Eve Olga Anna Benedikt Clara Dörte Emil Watt Kraftpost Power Grid Recharged
    Slack Discord ntfy Matrix Atom JSON API SHA UTC CET GMT Over Test Friday league The long
    winter of Ruhr Rhine second leg vs OpenStreetMap GeoNames Natural Earth OpenSkill
    """.split()  # noqa: SIM905
)
"""Of people, tables, works and things that are called so in every language."""
COMMANDS: Final = frozenset(
    """
    Cho December January Our accept all at auction begin bid build buy by cancel chat coal days
    decline discard each end every fill for from fuel garbage hello help invite join jump keep
    leave limit mail map money more most name no north note nothing off oil ok once open order
    orders others pass pause plan power quiet ready region rematch resend resume round show
    sitter south status table tables the to took twice undo up uranium vacation who with zone
    """.split()  # noqa: SIM905
)
"""The English words of commands; with them alone no sentence is made."""
ALONE: Final = frozenset(
    """
    accept begin chat decline help leave map orders pass pause ready rematch resend resume status
    tables undo
    """.split()  # noqa: SIM905
)
"""Commands of one word; the other words are no text by themselves."""
LITERAL: Final = (
    "--- Kraftpost: answer above this line ---",  # what the reader of answers looks for
    "kraftpost verify",
    "openapi.json",
)
"""The same in every language, word for word."""

_BLOCKS: Final = frozenset(
    """
    address article aside blockquote body br button caption dd desc details div dl dt fieldset
    figcaption figure footer form g h1 h2 h3 h4 head header hr html img input label legend li
    main nav ol optgroup option output p section select summary svg table tbody td text tfoot th
    thead title tr ul
    """.split()  # noqa: SIM905
)
_VOID: Final = frozenset("area br col hr img input link meta source wbr".split())  # noqa: SIM905
_SILENT: Final = frozenset("code kbd pre samp script style textarea".split())  # noqa: SIM905
_TOLD: Final = frozenset("alt aria-description aria-label label placeholder title".split())  # noqa: SIM905
_EDGE: Final = "\x00"  # of an element within a block
_EXPERT: Final = re.compile(r'<select id="option-.*?</select>|<input id="option-.*?>', re.DOTALL)
"""Values of single rules, which experts give as they stand in the files."""
_OWN: Final = re.compile(r'<(a|button|option)\b[^>]*\blang="[^>]*>.*?</\1>', re.DOTALL)
"""What says of itself in which language it is: languages are called as they call themselves."""
_WORD: Final = re.compile(r"[A-Za-z]{2,}")
_ADDRESS: Final = re.compile(
    r"https?://\S*|\S+@\S+|(?<!\S)/[a-z]\S*|\{\w+\}|\b[0-9a-f]{16,}\b"
    r"|\bregion [A-Z][\w-]+(?: and [A-Z]\w+)?"
)
"""Addresses, places for scripts, fingerprints, and regions as they are typed."""
_JOINED: Final = re.compile(rf"([^{OPEN}{CLOSE}{PAD}]){PAD}*{CLOSE}([^{OPEN}{CLOSE}]*){OPEN}")
_GLUE: Final = re.compile(r" ?| ?[a-z]+ ?")


class _Blocks(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._now: list[str] = []
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._turn(tag)
        if tag not in _VOID:
            self._open.append(tag)
        told = {name: value for name, value in attrs if value}
        self.texts += [value for name, value in told.items() if name in _TOLD]
        self.texts += [v for k, v in told.items() if k.startswith("data-") and OPEN in v]
        if tag == "input" and told.get("type") in ("submit", "button"):
            self.texts.append(told.get("value", ""))
        if told.get("name") == "description":
            self.texts.append(told.get("content", ""))

    def handle_endtag(self, tag: str) -> None:
        self._turn(tag)
        while tag in self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not _SILENT & {*self._open}:
            self._now.append(data)

    def close(self) -> None:
        super().close()
        self._turn("body")

    def _turn(self, tag: str) -> None:
        if tag not in _BLOCKS:
            self._now.append(_EDGE)
            return
        text = " ".join("".join(self._now).split()).strip(_EDGE + " ")
        self._now = []
        if text:
            self.texts.append(text)


def texts_of_page(html: str) -> list[str]:
    """Return the texts of a page or picture."""
    reader = _Blocks()
    reader.feed(_OWN.sub("", _EXPERT.sub("", html)))
    reader.close()
    return reader.texts


def texts_of_mail(plain: str, given: Collection[str] = ()) -> list[str]:
    """Return the lines and cells of a plain text; a message that was folded is one of them."""
    texts, depth, plain = [""], 0, _without(plain, given)
    for part in re.split(rf"(\n(?:- )?| {{2,}}|(?<={CLOSE}) (?={OPEN}))", plain):
        if depth or part.strip(" \n-"):
            texts[-1] += part if part.strip() else " "
        elif texts[-1]:
            texts.append("")
        depth += part.count(OPEN) - part.count(CLOSE)
    return texts


def faults(texts: list[str], given: Collection[str] = ()) -> list[str]:
    """Return what is wrong with some texts, each with its kind before it.

    What tests have `given` to be shown is as it is.
    """
    found = []
    for whole in texts:
        text = _without(whole, given)
        for kind, wrong in (
            ("untranslated", untranslated(text)),
            ("joined", joined(text)),
            ("cut", text.count(OPEN) != text.count(CLOSE)),
        ):
            if wrong:
                found.append(f"{kind}: {text.replace(_EDGE, '')}")
    return found


def _without(text: str, given: Collection[str]) -> str:
    """Return a text with a mark for each of some others, however they are folded in it."""
    for words in sorted(given, key=len, reverse=True):
        pattern = r"\s+(?:# )?".join(map(re.escape, words.split()))
        text = re.sub(rf"(?<!\w){pattern}(?!\w)", "§", text, flags=re.IGNORECASE)
    return text


def untranslated(text: str) -> list[str]:
    """Return the words of a text that are no names and no commands."""
    for known in LITERAL:
        text = text.replace(known, "")
    text = _ADDRESS.sub(" ", text)
    words = [word for word in _WORD.findall(text) if word not in named()]
    if {*words} <= ALONE or re.search(r"[⟦\d§]|\w \w", text):
        return [word for word in words if word not in COMMANDS]
    return words


def joined(text: str) -> bool:
    """Tell whether code put a sentence of this text together from several messages."""
    return any(_parts(text)) or any(
        end not in ".!?:…" and _GLUE.fullmatch(glue) for end, glue in _JOINED.findall(_flat(text))
    )


def _parts(text: str) -> Iterator[bool]:
    """Tell of messages in messages whether they begin as no message of its own would."""
    for inner in re.findall(rf"(?<={OPEN})([^{OPEN}{CLOSE}])", text):
        yield inner in ",;.) "


def _flat(text: str) -> str:
    """Return a text without the brackets of messages in messages."""
    depth, kept = 0, []
    for char in text:
        depth += (char == OPEN) - (char == CLOSE)
        if char not in OPEN + CLOSE or depth == (char == OPEN):
            kept.append(char)
    return "".join(kept)


@cache
def named() -> frozenset[str]:
    """Return the words of names: of people, things, cities and zones."""
    maps = Path(__file__).parents[2] / "core" / "game" / "data" / "maps"
    cities = (
        city["name"]
        for file in maps.glob("*.toml")
        for city in tomllib.loads(file.read_text("utf-8"))["cities"].values()
    )
    return NAMES.union(_WORD.findall(" ".join((*cities, *available_timezones(), *NAMES))))
