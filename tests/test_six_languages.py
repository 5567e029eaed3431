"""One table, six readers, six languages: each page and mail in its reader's, one log for all.

A language whose catalogue is not in the code is stood in for by a marked pseudo-language.
"""

import gettext
import re
from collections.abc import Iterator
from itertools import count, pairwise
from pathlib import Path

import pytest

from core import text
from core.mail.outbox import NotWanted
from core.store.tables import OutboxMail, User
from core.table.views.render import renderer
from tests.support import pseudo
from tests.support.mails import MAILBOX
from tests.support.site import Site, open_site
from tests.support.spotted import COMMANDS, named, texts_of_mail, texts_of_page

READERS = {
    "Ann": "en", "Dieter": "de", "Somchai": "th", "Juma": "sw", "Mei": "zh_Hant", "Wei": "zh_Hans",
}  # fmt: skip
PAGES = (
    "/", "/games/{id}", "/games/{id}/rules", "/games/{id}/at/40", "/games/{id}/orders",
    "/games/{id}/whatif", "/profile", "/profile/mail", "/tables/new", "/help/rules", "/nowhere",
)  # fmt: skip
STEP, EVERY = 7, 7
"""Moves from one look at the mails to the next, and how many such until all pages are seen."""


class Languages:
    """Which language a text is in, by the catalogues themselves: by whole messages."""

    def __init__(self, folder: Path) -> None:
        english = {
            one
            for message in pseudo.template()
            for one in (message.id if isinstance(message.id, tuple) else (message.id,))
        }
        self.said = {"en": {*map(_plain, english)}}
        for name in READERS.values():
            if name != "en":
                with (folder / name / "LC_MESSAGES" / "messages.mo").open("rb") as file:
                    read = gettext.GNUTranslations(file)._catalog
                self.said[name] = {_plain(said) for key, said in read.items() if key}

    def told(self, texts: list[str]) -> dict[str, set[str]]:
        """Return the texts that are messages of a language, for each that has any."""
        plain = {
            one
            for one in map(_plain, texts)
            if {*re.findall("[A-Za-z]{2,}", one)} - COMMANDS - named() or not one.isascii()
        }
        return {name: here for name, said in self.said.items() if (here := plain & said)}

    def wrong(self, texts: list[str], name: str, least: int) -> str:
        """Say what in a text is of another language and not of this one, or that little is."""
        told = self.told(texts)
        own = told.pop(name, set())
        others = {other: here - own for other, here in told.items() if here - own}
        if others:
            return f"in {others}"
        return "" if len(own) >= least else f"only {own}"


def _plain(words: str) -> str:
    """Return words without tags, case and blanks at the ends; those with places are none."""
    return "" if "{" in words or "%(" in words else re.sub(r"<[^>]+>", "", words).strip()


@pytest.fixture(scope="module")
def languages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Languages]:
    folder = tmp_path_factory.mktemp("six")
    with pseudo.catalogue(folder, others=True):
        for number, name in enumerate({*READERS.values()} - {"en", *pseudo.languages()}):
            pseudo.write(folder, name, mark=f"{number}")
        text._catalogue.cache_clear()
        yield Languages(folder)


class Table:
    """A game of the six, played to its end; what each of them saw on the way."""

    def __init__(self, site: Site) -> None:
        self.site, house = site, site.house
        for name, language in READERS.items():
            number = house.user(name).id
            with house.write() as s:
                s.get_one(User, number).locale = language
        self.visitors = {name: site.visitor(name) for name in READERS}
        self.game = house.start(*READERS, title="2026", auction="open")
        self.pages: list[tuple[str, str, list[str]]] = []
        self.mails: list[tuple[str, str, list[str]]] = []
        read: set[int] = set()
        for step in count():
            self._read_mails(read)
            if step % EVERY == 0:
                self._visit()
            if house.play(self.game, moves=STEP) < STEP:
                break
        self._read_mails(read)
        self._visit()

    def _visit(self) -> None:
        for name, visitor in self.visitors.items():
            for path in PAGES:
                answer = visitor.get(path.format(id=self.game))
                if answer.status_code in (200, 404):
                    self.pages.append((READERS[name], path, texts_of_page(answer.text)))

    def _read_mails(self, read: set[int]) -> None:
        house, render = self.site.house, renderer(MAILBOX)
        for row in house.all(OutboxMail):
            if row.id in read:
                continue
            read.add(row.id)
            with house.read() as s:
                user = s.get_one(User, row.user_id)
                try:
                    message = render(s, row, house.now)
                except NotWanted:
                    continue
            plain, html = (message.get_body((kind,)).get_content() for kind in ("plain", "html"))
            texts = [*texts_of_mail(plain), *texts_of_page(html)]
            self.mails.append((user.locale, row.kind, texts))


@pytest.fixture(scope="module")
def table(languages: Languages, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    with (
        pytest.MonkeyPatch.context() as patch,
        open_site(tmp_path_factory.mktemp("table"), patch) as site,
    ):
        yield Table(site)


@pytest.mark.parametrize("language", READERS.values())
def test_every_page_is_in_its_readers_language(table: Table, languages: Languages, language: str):
    seen = [(path, texts) for name, path, texts in table.pages if name == language]
    assert len(seen) > 40
    wrong = [f"{path}: {why}" for path, texts in seen
             if (why := languages.wrong(texts, language, 3))]  # fmt: skip
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("language", READERS.values())
def test_every_mail_is_in_its_readers_language(table: Table, languages: Languages, language: str):
    seen = [(kind, texts) for name, kind, texts in table.mails if name == language]
    assert {"turn", "end"} <= {kind for kind, _texts in seen}
    wrong = [f"{kind}: {why}" for kind, texts in seen
             if (why := languages.wrong(texts, language, 2))]  # fmt: skip
    assert not wrong, "\n".join(wrong)


def test_the_log_is_the_same_for_all(table: Table):
    address = f"/games/{table.game}/log.jsonl"
    logs = {visitor.page(address) for visitor in table.visitors.values()}
    assert len(logs) == 1
    assert logs.pop().count("\n") > 300


def test_the_story_is_told_to_each_in_their_own_words(table: Table):
    """The same lines for all, and no two languages alike."""
    pages = [visitor.page(f"/games/{table.game}") for visitor in table.visitors.values()]
    lines = [re.findall(r'<li[^>]* id="e(\d+)">.*?<span>(.*?)</span>', page) for page in pages]
    assert len({tuple(number for number, _said in told) for told in lines}) == 1
    assert len(lines[0]) > 100
    assert len({tuple(said for _number, said in told) for told in lines}) == len(READERS)


def test_the_catalogues_tell_the_six_apart(languages: Languages):
    """Otherwise the tests above would show nothing."""
    for name, other in pairwise(READERS.values()):
        said = sorted(languages.said[name] - languages.said[other] - {""})[:50]
        assert len(said) == 50
        assert languages.wrong(said, name, 3) == ""
        assert languages.wrong(said, other, 3) != ""
