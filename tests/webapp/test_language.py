"""Who reads which language, and how a new one is found (issue of the six languages)."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from core import text
from core.mail.addresses import Links, TurnLink
from core.store.tables import OutboxMail, User
from core.table.views.render import renderer
from tests.support.mails import MAILBOX
from tests.support.site import Site, Visitor
from tools.catalogues import LOCALE, compile_stale
from webapp import language
from webapp.language import COOKIE, nearest

DROPPED = ("de", "eo", "th", "zh_Hans", "zh_Hant")
"""Catalogues of one message each, dropped into a folder; nothing in the code knows Esperanto."""


@pytest.fixture(autouse=True)
def catalogues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in DROPPED:
        made = Catalog(locale=name)
        made.add("Tables", f"Tables in {name}")
        made.add("Your sign-in link", f"Link in {name}")
        file = tmp_path / LOCALE / name / "LC_MESSAGES" / "messages.po"
        file.parent.mkdir(parents=True)
        with file.open("wb") as out:
            write_po(out, made)
    assert len(compile_stale(tmp_path)) == len(DROPPED)
    monkeypatch.setattr(text, "CATALOGUES", tmp_path / LOCALE)
    text._catalogue.cache_clear()
    yield
    text._catalogue.cache_clear()


def spoken(answer) -> str:
    """The language of a page, by its words; what it says of itself must agree."""
    words = re.search(r">Tables(?: in (\w+))?</a>", answer.text)
    name = words.group(1) or "en"
    tag = name.replace("_", "-")
    assert f'<html lang="{tag}">' in answer.text
    assert answer.headers["Content-Language"] == tag
    assert {"Cookie", "Accept-Language"} <= set(answer.vary)
    return name


def speaks(site: Site, name: str, locale: str) -> Visitor:
    number = site.house.user(name).id
    with site.house.write() as s:
        s.get_one(User, number).locale = locale
    return site.visitor(name)


def test_only_what_is_stale_is_compiled(tmp_path: Path):
    assert compile_stale(tmp_path) == []
    target = tmp_path / LOCALE / "th" / "LC_MESSAGES" / "messages.mo"
    target.unlink()
    assert compile_stale(tmp_path) == [target]


@pytest.mark.parametrize(
    ("wished", "name"),
    [
        ("zh-TW", "zh_Hant"), ("zh-HK", "zh_Hant"), ("zh-Hant", "zh_Hant"), ("zh", "zh_Hans"),
        ("zh-CN", "zh_Hans"), ("zh-SG", "zh_Hans"), ("de-AT", "de"), ("de", "de"), ("th-TH", "th"),
        ("fr, th;q=0.5", "th"), ("en-GB, de;q=0.9", "en"), ("fr", "en"), ("", "en"), ("x-y!", "en"),
    ],
)  # fmt: skip
def test_a_stranger_reads_what_their_browser_wishes(site: Site, wished: str, name: str):
    assert spoken(site.visitor().get("/", headers={"Accept-Language": wished})) == name


def test_better_wishes_come_first():
    assert nearest([("xx", 1), ("zh-TW", 0.9), ("de", 0.8)]) == "zh_Hant"


class TestTheSwitch:
    def test_names_each_language_in_itself_on_every_page(self, site: Site):
        for visitor in (site.visitor(), site.visitor("Ann")):
            for path in ("/", "/rules/standard", "/gallery", "/sign-in"):
                page = visitor.page(path)
                for called in (
                    "Deutsch",
                    "Esperanto",
                    "ไทย",
                    "中文 (繁體)",
                    "中文 (简体)",
                    "English",
                ):
                    assert f">{called}</" in page, (path, called)

    def test_is_kept_for_a_stranger_in_their_browser(self, site: Site):
        stranger = site.visitor()
        assert spoken(stranger.get("/rules/standard?lang=th")) == "th"
        assert spoken(stranger.get("/", headers={"Accept-Language": "de"})) == "th"
        assert spoken(stranger.get("/?lang=en", headers={"Accept-Language": "de"})) == "en"
        assert spoken(site.visitor().get("/")) == "en"

    def test_keeps_the_rest_of_the_address(self, site: Site):
        page = site.visitor().page("/rules/standard?map=usa&players=4")
        assert "/rules/standard?map=usa&amp;players=4&amp;lang=th" in page

    def test_takes_no_language_that_is_not_there(self, site: Site):
        stranger = site.visitor()
        assert spoken(stranger.get("/?lang=../../etc")) == "en"
        assert stranger.client.get_cookie(COOKIE) is None

    def test_is_kept_in_the_account_for_pages_and_mails(self, site: Site):
        ann = site.visitor("Ann")
        answer = ann.post("/profile/language", {"locale": "th", "page": "/gallery"})
        assert (answer.status_code, answer.location) == (303, "/gallery")
        assert spoken(ann.get("/", headers={"Accept-Language": "de"})) == "th"
        assert site.house.user("Ann").locale == "th"

    @pytest.mark.parametrize("page", ["https://evil.example/", "//evil.example", "/\\evil"])
    def test_leads_to_no_other_site(self, site: Site, page: str):
        answer = site.visitor("Ann").post("/profile/language", {"locale": "th", "page": page})
        assert answer.location == "/"

    def test_refuses_a_language_that_is_not_there(self, site: Site):
        site.visitor("Ann").post("/profile/language", {"locale": "tlh", "page": "/"})
        assert site.house.user("Ann").locale == "en"


def test_a_browsers_wish_does_not_change_an_account(site: Site):
    ann = speaks(site, "Ann", "th")
    assert spoken(ann.get("/", headers={"Accept-Language": "de"})) == "th"


class TestAMailsLink:
    @pytest.fixture
    def link(self, site: Site) -> str:
        game = site.house.played("Ann", "Ben", auction="open", moves=0)
        turn = site.house.asked(game)[0]
        owner = site.house.owner(game, turn.seat)
        with site.house.write() as s:
            s.get_one(User, owner.id).locale = "th"
        links = Links(site.settings.secret_key, site.settings.public_url)
        return links.url(TurnLink(owner.id, game, turn.seat, turn.turn)).removeprefix(
            site.settings.public_url
        )

    def test_speaks_the_language_of_the_seats_owner(self, site: Site, link: str):
        assert spoken(site.visitor().get(link, headers={"Accept-Language": "de"})) == "th"

    def test_speaks_what_was_chosen_in_this_browser(self, site: Site, link: str):
        stranger = site.visitor()
        stranger.get("/?lang=de")
        assert spoken(stranger.get(link)) == "de"

    def test_speaks_their_own_language_to_somebody_who_is_signed_in(self, site: Site, link: str):
        assert spoken(speaks(site, "Cy", "zh_Hans").get(link)) == "zh_Hans"


class TestNewcomers:
    def test_keep_the_language_in_which_they_signed_up(self, site: Site):
        stranger = site.visitor()
        stranger.get("/?lang=th")
        stranger.post("/sign-in", {"email": "new@example.org"})
        (mail,) = site.house.all(OutboxMail)
        with site.house.read() as s:
            message = renderer(MAILBOX)(s, mail, site.house.now)
        assert '<html lang="th">' in message.get_body(("html",)).get_content()
        stranger.post(f"/sign-in/{mail.context['token']}")
        (user,) = site.house.all(User)
        assert user.locale == "th"

    def test_are_guests_in_the_language_of_their_browser(self, site: Site):
        site.visitor().post("/play", headers={"Accept-Language": "zh-TW"})
        (guest,) = (user for user in site.house.all(User) if user.email.startswith("guest-"))
        assert guest.locale == "zh_Hant"


def test_a_problem_of_the_api_is_told_in_the_language_asked_for(site: Site):
    answer = site.visitor().get("/api/v1/me", headers={"Accept-Language": "zh-TW"})
    assert answer.status_code in (401, 404)
    assert answer.headers["Content-Language"] == "zh-Hant"


def test_public_pages_name_their_other_languages(site: Site):
    page = site.visitor().page("/rules/standard")
    assert '<link rel="alternate" hreflang="zh-Hant" href="/rules/standard?lang=zh_Hant">' in page
    game = site.house.played("Ann", "Ben", auction="open", moves=0)
    assert "hreflang" not in site.visitor("Ann").page(f"/games/{game}").split("</head>")[0]


def test_a_language_is_called_as_it_calls_itself():
    assert [language.own_name(n) for n in ("eo", "sw", "de")] == [
        "Esperanto",
        "Kiswahili",
        "Deutsch",
    ]
