"""All pages and mails, read in a language of brackets: nothing goes round the catalogues."""

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from sqlmodel import select
from werkzeug.test import TestResponse

from core.game.types import Phase
from core.mail.compose import compose
from core.store.tables import Game, SeatRow, Turn, User
from core.text import _, ngettext, speaking
from tests.browser import kinds_acts, kinds_over, kinds_people, kinds_play
from tests.browser.gallery import KINDS, Gallery
from tests.support import mails, pseudo
from tests.support.finished import finished
from tests.support.site import Site, Visitor, open_site
from tests.support.spotted import faults, texts_of_mail, texts_of_page

NOT_READ = frozenset(
    {"static", "api_docs.static", "ops.metrics", "ops.healthz", "ops.drawings", "ops.robots"}
)
"""Files, and what only programs read."""
LEAVING = frozenset({
    "auth.sign_out", "profile.sign_out_everywhere", "account.delete", "profile.save",
    "lobby.play_now",
})  # fmt: skip
"""Who has left, has chosen another language or is a new guest sees no further page in this one."""


def words_of(*modules: ModuleType) -> set[str]:
    """The texts in a test's own files, which pages and mails show as they are."""
    trees = (ast.parse(Path(str(module.__file__)).read_text("utf-8")) for module in modules)
    texts = (
        node.value
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    return {text for text in texts if " " in text.strip() or text[:1].isupper()}


GIVEN = words_of(mails) | {"sweep:", "games:"}
"""What the mails of tests tell of, in the tests' own words."""
SHOWN = words_of(kinds_play, kinds_acts, kinds_people, kinds_over) | {
    "holidays", "Kraftpost at example.org run by", "Example Some street 1",
}  # fmt: skip
"""What people say and are called in the gallery."""
TITLE = "Germany: Anna, Benedikt, Clara"
"""Of a game that was brought here; it is kept as it was made then."""


@pytest.fixture(scope="module", autouse=True)
def language(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with pseudo.catalogue(tmp_path_factory.mktemp("locale")) as name:
        yield name


class Walk:
    """A site with games in several states, all of whose users read the pseudo-language."""

    def __init__(self, site: Site) -> None:
        self.site, house = site, site.house
        self.auction = house.start("Ann", "Ben", "Cem", auction="sealed")
        self._speak()
        house.play(
            self.auction, until=lambda s: s.round == 3 and bool(s.auction and s.auction.given)
        )
        self.building = house.start("Ann", "Ben", "Cem", "Eve")
        house.play(self.building, until=lambda s: s.round == 4 and s.phase is Phase.BUILDING)
        self.over = finished(house)
        self.lobby = house.open("Ann", "Ben", players=4)
        house.user("Olga")
        self._speak()
        self.readers: dict[str, Visitor] = {
            "host": site.visitor("Ann"),
            "player": site.visitor("Ben"),
            "admin": site.visitor("Olga"),
            "stranger": site.visitor(),
        }
        for reader in self.readers.values():
            reader.client.environ_base["HTTP_ACCEPT_LANGUAGE"] = pseudo.LANGUAGE

    def _speak(self) -> None:
        with self.site.house.write() as s:
            for user in s.exec(select(User)):
                user.locale = pseudo.LANGUAGE
                s.add(user)

    def paths(self, game: int, method: str) -> Iterator[str]:
        """All addresses about a game, and with the first game all the others."""
        middle = self.site.house.game(game).seq // 2 + 1
        fill = {"game_id": game, "n": middle, "seq": middle, "key": "standard"}
        for rule in self.site.app.url_map.iter_rules():
            here = "<int:game_id>" in rule.rule or game == self.auction
            read = rule.endpoint not in NOT_READ | LEAVING
            if here and read and method in (rule.methods or ()):
                yield re.sub(r"<(?:[^:<>]+:)?(\w+)>", lambda m: str(fill.get(m[1], 1)), rule.rule)

    def wrong(self, who: str, method: str, path: str) -> list[str]:
        """Return what is wrong with an answer, if it is a page."""
        reader = self.readers[who]
        answer = reader.get(path) if method == "GET" else reader.post(path, follow_redirects=True)
        if answer.status_code in range(300, 400):
            return []
        texts = [text for text in _texts(answer) if text != pseudo.LANGUAGE]
        return [f"{who} {path}: {fault}" for fault in faults(texts, [TITLE])]


def _texts(answer: TestResponse) -> list[str]:
    """What people read of an answer, whatever it is."""
    match answer.mimetype:
        case "text/html" | "image/svg+xml":
            return texts_of_page(answer.text)
        case "text/plain":
            return texts_of_mail(answer.text)
        case "application/problem+json":
            return [answer.json["detail"]]
        case "application/atom+xml":
            return re.findall(r"<(?:title|summary|content)[^>]*>([^<]*)<", answer.text)
        case "text/calendar":
            return re.findall(r"^(?:SUMMARY|DESCRIPTION):(.*)", answer.text, re.MULTILINE)
    return []


@pytest.fixture(scope="module")
def walk(language: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Walk]:
    with (
        pytest.MonkeyPatch.context() as patch,
        open_site(tmp_path_factory.mktemp("pseudo"), patch, ADMIN_MAIL="olga@example.org") as site,
    ):
        yield Walk(site)


WALKS = [
    ("auction", "host"), ("auction", "player"), ("auction", "stranger"), ("auction", "admin"),
    ("building", "host"), ("building", "player"), ("over", "host"), ("lobby", "host"),
    ("lobby", "stranger"),
]  # fmt: skip


@pytest.mark.parametrize(("game", "who"), WALKS)
def test_no_page_goes_round_the_catalogues(walk: Walk, game: str, who: str):
    """Nothing untranslated, nothing put together from parts, nothing cut; error pages too."""
    paths = list(walk.paths(getattr(walk, game), "GET"))
    assert len(paths) > 10
    wrong = {fault for path in paths for fault in walk.wrong(who, "GET", path)}
    assert not wrong, "\n".join(sorted(wrong))


@pytest.mark.parametrize(("game", "who"), [("auction", "stranger"), ("building", "player"),
                                           ("auction", "host"), ("lobby", "host")])  # fmt: skip
def test_no_answer_to_an_empty_form_goes_round_the_catalogues(walk: Walk, game: str, who: str):
    paths = list(walk.paths(getattr(walk, game), "POST"))
    assert len(paths) > 5
    wrong = {fault for path in paths for fault in walk.wrong(who, "POST", path)}
    assert not wrong, "\n".join(sorted(wrong))


WRONG = (
    "xyz", "bid 1", "bid 9999", "bid", "auction 99 for 3", "buy 99 coal", "buy 2 gold",
    "build Atlantis", "build Ess", "build Passau, Passau", "power 99", "power 3 with 9 oil",
    "discard 99", "region Nowhere",
)  # fmt: skip


@pytest.mark.parametrize("kind", ["bid", "fuel", "building", "power"])
def test_no_refusal_goes_round_the_catalogues(gallery: Gallery, kind: str):
    """What is typed wrong is told in the reader's language."""
    place, house = gallery.place(kind), gallery.house
    with house.write() as s:
        for user in s.exec(select(User)):
            user.locale = pseudo.LANGUAGE
    names = {row.name for table in (User, SeatRow) for row in house.all(table)} - {""}
    reader = gallery.site.visitor(place.who)
    game = place.path.split("?")[0].removesuffix("/orders")
    asked = [t for t in house.all(Turn) if f"/games/{t.game_id}" == game and not t.closed_at]
    wrong, refused = [], 0
    for line in WRONG:
        given = {"do": "preview", "line": line, "turn": asked[0].turn}
        page = reader.post(f"{game}/turn", given, follow_redirects=True).text
        refused += 'class="wrong' in page
        said = faults(texts_of_page(page), [*names, *SHOWN, *line.split(), kind])
        wrong += [f"{line}: {one}" for one in said]
    assert refused > len(WRONG) / 2
    assert not wrong, "\n".join(wrong)


@pytest.fixture(scope="module")
def gallery(language: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gallery]:
    with (
        pytest.MonkeyPatch.context() as patch,
        open_site(tmp_path_factory.mktemp("gallery"), patch, ADMIN_MAIL="olga@example.org") as site,
    ):
        yield Gallery(site, "", None)


@pytest.mark.parametrize("kind", KINDS)
def test_no_kind_of_page_goes_round_the_catalogues(gallery: Gallery, kind: str):
    """All pages that browsers look at, each in its state; here without a browser."""
    place, house = gallery.place(kind), gallery.house
    if place.who:
        house.user(place.who)
    with house.write() as s:
        for game in s.exec(select(Game)):
            game.title = f"№ {game.id}"
        for user in s.exec(select(User)):
            user.locale = pseudo.LANGUAGE
    names = {row.name for table in (User, SeatRow) for row in house.all(table)} - {""}
    reader = gallery.site.visitor(place.who)
    reader.client.environ_base["HTTP_ACCEPT_LANGUAGE"] = pseudo.LANGUAGE
    answer = reader.get(place.path, follow_redirects=True)
    texts = [text for text in texts_of_page(answer.text) if text != pseudo.LANGUAGE]
    wrong = faults(texts, [*names, *SHOWN])
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", mails.TOPICS)
def test_no_mail_goes_round_the_catalogues(language: str, name: str):
    with speaking(language):
        letter = mails.letter.__wrapped__(name)
    reader = replace(letter.reader, locale=language)
    message = compose(replace(letter, reader=reader), mails.MAILBOX)
    plain, html = (message.get_body((kind,)).get_content() for kind in ("plain", "html"))
    texts = [str(message["Subject"]), *texts_of_mail(plain, GIVEN), *texts_of_page(html)]
    wrong = faults(texts, GIVEN)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(("locale", "height"), [("en", "1.45"), ("th", "1.6"), ("zh_Hant", "1.6")])
def test_mails_leave_room_for_the_marks_of_a_script(locale: str, height: str):
    """And space no letters where a script knows none."""
    letter = mails.letter("turn-fuel")
    message = compose(replace(letter, reader=replace(letter.reader, locale=locale)), mails.MAILBOX)
    html = message.get_body(("html",)).get_content()
    (body,) = re.findall("<body[^>]*>", html)
    assert f"line-height: {height};" in body
    assert ("letter-spacing: 0" in html) == (height == "1.6")


def test_no_message_is_a_piece_of_a_sentence():
    """One that begins or ends with a blank or a comma was made to be joined to others."""
    ids = [one for message in pseudo.template() if message.id
           for one in (message.id if isinstance(message.id, tuple) else (message.id,))]  # fmt: skip
    assert len(ids) > 2000
    assert [one for one in ids if one != one.strip() or one[0] in ",;.)"] == []


@pytest.mark.parametrize(
    ("html", "kind"),
    [
        ("<p>⟦Ååþþļéé⟧ and ⟦þééååŕ⟧</p>", "untranslated"),
        ("<p title='Next'>⟦Ñ⟧</p>", "untranslated"),
        ("<p>⟦Ŵååîîţ⟧⟦ ƒööŕ⟧</p>", "joined"),
        ("<p>⟦Ŵååîîţ ƒööŕ⟧ ⟦Åññ⟧.</p>", "joined"),
        ("<p>⟦Ŵååîîţ⟦, ţĥééñ⟧⟧</p>", "joined"),
        ("<p>⟦Ŵååîîţ</p>", "cut"),
    ],
)
def test_each_kind_of_fault_is_seen(html: str, kind: str):
    assert kind in {fault.partition(":")[0] for fault in faults(texts_of_page(html))}


def test_names_commands_and_sentences_side_by_side_are_no_faults():
    page = "<p>⟦Ŵåîţ.~⟧ ⟦Ţĥéñ {x}.⟧ · ⟦Ann⟧</p><td>buy 2 coal</td><code>nothing here</code><p>Köln"
    assert faults(texts_of_page(page)) == []


def test_places_tags_and_blanks_at_the_ends_are_kept(language: str):
    said = pseudo.foreign("{n} <b>of</b> &amp;\n")
    assert said.startswith("⟦{n} <b>ööƒ</b> &amp;~")
    assert said.endswith("~⟧\n")
    with speaking(language):
        assert len(_("Settings")) >= len("Settings") * 4 / 3
        assert ngettext("{n} city", "{n} cities", 2).startswith("⟦{n} ç")
