"""Every kind of page, looked at by a real browser: fits, readable, reachable, nothing for axe."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from core.game import engine
from core.game.offers import (
    BidOffer,
    BuildOffer,
    DiscardOffer,
    OpeningOffer,
    PowerOffer,
    PurchaseOffer,
    RegionOffer,
)
from core.store.tables import SeatRow, Submission
from tests.browser.conftest import DESKTOP, PHONE, SMALL
from tests.support.site import Site, open_site, serve
from webapp.identity import COOKIE

pytestmark = pytest.mark.browser

AXE = Path(__file__).with_name("vendor") / "axe.min.js"
OFFERS = {
    "regions": RegionOffer, "opening": OpeningOffer, "bid": BidOffer, "discard": DiscardOffer,
    "fuel": PurchaseOffer, "building": BuildOffer, "power": PowerOffer,
}  # fmt: skip
WIDTH = "document.documentElement.scrollWidth - window.innerWidth"
SMALL_TARGETS = """
() => [...document.querySelectorAll('button, .button, select, input:not([type=hidden]), summary')]
  .filter((e) => e.offsetParent && !e.closest('.hush'))
  .map((e) => (e.type === 'checkbox' || e.type === 'radio') ? e.closest('label') ?? e : e)
  .map((e) => [e.tagName, e.className, e.getBoundingClientRect()])
  .filter(([, , box]) => box.width && (box.width < 43.5 || box.height < 43.5))
  .map(([tag, name, box]) => `${tag}.${name} ${box.width}x${box.height}`)
"""
OVERFLOWING = """
() => [...document.querySelectorAll('.sheet')]
  .filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.className)
"""
SQUEEZED = """
() => [...document.querySelectorAll('.hint, .asked p, .cards .pick span, .wrap label')]
  .filter((e) => e.offsetParent && e.textContent.trim().length > 8)
  .filter((e) => e.getBoundingClientRect().width < 60).map((e) => e.textContent)
"""
SMALL_TEXT = """
() => [...document.querySelectorAll('main *')]
  .filter((e) => e.offsetParent && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
  .filter((e) => parseFloat(getComputedStyle(e).fontSize) < (e.matches('input, select') ? 16 : 12))
  .map((e) => `${e.tagName}.${e.className} ${getComputedStyle(e).fontSize}`)
"""


class Gallery:
    """A site with a game in every phase."""

    def __init__(self, site: Site, address: str, browser: Browser) -> None:
        self.site, self.address, self.browser = site, address, browser
        self.paths: dict[str, tuple[str, int | str | None]] = {
            "lobby of a stranger": ("/", None),
            "lobby": ("/", "Ann"),
            "sign-in": ("/sign-in", None),
            "posted": ("/sign-in/sent", None),
            "link": ("/sign-in/abc", None),
            "profile": ("/profile", "Ann"),
            "new table": ("/tables/new", "Ann"),
            "help": ("/help/rules", None),
            "rulebook": ("/rules/recharged", None),
            "nowhere": ("/nowhere", None),
            "mailbox": ("/dev/mail", None),
        }
        for name, offer in OFFERS.items():
            self._game(name, offer)
        finished = self.site.house.start("Ann", "Ben", "Cem", title="Over")
        self.site.house.play(finished)
        self.paths["finished"] = (f"/games/{finished}", "Ann")
        self.paths["rules of a table"] = (f"/games/{finished}/rules", "Ann")
        self._six()
        self.paths["story"] = (f"/games/{finished}/story", None)
        self.paths["replay"] = (f"/games/{finished}/at/200", None)
        waiting = self.site.house.start("Ann", "Ben", title="Waiting")
        idle = 1 - self.site.house.asked(waiting)[0].seat
        self.paths["waiting"] = (f"/games/{waiting}", self.site.house.owner(waiting, idle).name)
        self.paths["spectator"] = (f"/games/{waiting}", None)
        opened = self.site.house.open("Ann", players=4, title="Not begun")
        self.paths["before the game"] = (f"/games/{opened}", "Ann")

    def _game(self, name: str, offer: type) -> None:
        """A game at the first question of this kind, looked at by who is asked."""
        house = self.site.house
        auction = "open" if name == "bid" else "sealed"
        options = {"region_choice": "draft"} if name == "regions" else {}
        game_id = house.start("Ann", "Ben", "Cem", auction=auction, options=options, title=name)

        def there(state) -> bool:
            seat = house.asked(game_id)[0].seat
            late = name in ("regions", "discard", "bid") or state.round > 2
            asked = engine.options(state, seat)
            choice = len(getattr(asked, "targets", "more")) > 1
            return late and choice and isinstance(asked, offer)

        house.play(game_id, until=there)
        seat = house.asked(game_id)[0].seat
        self.paths[name] = (f"/games/{game_id}", house.owner(game_id, seat).name)

    def _six(self) -> None:
        """Six companies with all their plants, one of whom is asked for another bid."""
        house, names = self.site.house, ("Ann", "Benedikt", "Cem", "Dora", "Emil", "Franziska")
        game_id = house.start(*names, auction="open", title="Six")

        def full(state) -> bool:
            seat = house.asked(game_id)[0].seat
            owned = len(state.players[seat].plants)
            return owned == state.numbers.plant_limit and state.auction is not None

        house.play(game_id, until=full)
        seat = house.asked(game_id)[0].seat
        self.paths["six"] = (f"/games/{game_id}", house.owner(game_id, seat).name)

    def open(self, name: str, size=DESKTOP, **how) -> Page:
        path, who = self.paths[name]
        context = self.browser.new_context(viewport=size, **how)
        if who is not None:
            secret = self.site.visitor(who).client.get_cookie(COOKIE).value
            context.add_cookies([{"name": COOKIE, "value": secret, "url": self.address}])
        page = context.new_page()
        page.goto(self.address + path)
        return page


KINDS = (
    "lobby of a stranger", "lobby", "sign-in", "posted", "link", "profile", "new table", "help",
    "rulebook", "rules of a table", "nowhere", "mailbox", *OFFERS, "six", "finished", "replay",
    "story", "waiting", "spectator", "before the game",
)  # fmt: skip


@pytest.fixture(scope="module")
def gallery(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Gallery]:
    with (
        pytest.MonkeyPatch.context() as patch,
        open_site(tmp_path_factory.mktemp("gallery"), patch) as site,
        serve(site) as address,
    ):
        yield Gallery(site, address, browser)


Axe = Callable[[Page], list[str]]


@pytest.fixture(scope="module")
def axe() -> Axe:
    """What axe-core finds: rule and places."""
    source = AXE.read_text("utf-8")

    def look(page: Page) -> list[str]:
        page.evaluate(source)  # not a script element: the page's own policy forbids that
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        return [
            f"{one['id']}: {node['html'][:120]} {node['failureSummary'][:200]}"
            for one in found["violations"]
            for node in one["nodes"]
        ]

    return look


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_of_this_kind(gallery: Gallery, axe: Axe, kind: str):
    """Fits 360, 390 and 1440 px, with targets and letters large enough, and axe finds nothing."""
    found: dict[str, object] = {}
    for name, size in (("small", SMALL), ("phone", PHONE), ("desktop", DESKTOP)):
        page = gallery.open(kind, size)
        found[f"{name} scrolls sideways"] = page.evaluate(WIDTH) > 0
        found[f"{name} small text"] = page.evaluate(SMALL_TEXT)
        if name != "desktop":
            found[f"{name} small targets"] = page.evaluate(SMALL_TARGETS)
        if name != "small":
            found[f"{name} axe"] = axe(page)
        page.context.close()
    assert {name: what for name, what in found.items() if what} == {}


@pytest.mark.parametrize("kind", ["building", "finished", "story"])
def test_dark_pages_are_readable_too(gallery: Gallery, axe: Axe, kind: str):
    page = gallery.open(kind, color_scheme="dark")
    assert axe(page) == []
    page.context.close()


@pytest.mark.parametrize("width", [1024, 1280, 1366])
@pytest.mark.parametrize("kind", ["opening", "six", "building", "replay"])
def test_between_phone_and_desktop_nothing_is_squeezed(gallery: Gallery, kind: str, width: int):
    """No sheet is wider than its frame, and no text runs one word to a line."""
    page = gallery.open(kind, {"width": width, "height": 800})
    assert page.evaluate(WIDTH) <= 0
    assert page.evaluate(OVERFLOWING) == []
    assert page.evaluate(SQUEEZED) == []
    page.context.close()


def test_the_bid_says_at_once_what_it_would_leave(gallery: Gallery):
    page = gallery.open("six")
    purse = int(page.locator("#turn").get_attribute("data-elektro"))
    page.locator("[data-amount]").fill("40")
    expect(page.locator("[data-won]")).to_have_text(f"If you win at 40: {purse - 40} Elektro left.")
    page.locator("[data-chip]").last.click()
    expect(page.locator("[data-won]")).to_have_text(f"If you win at {purse}: 0 Elektro left.")
    page.context.close()


@pytest.mark.parametrize("kind", [*OFFERS, "six"])
def test_on_a_desktop_the_whole_game_is_on_one_screen(gallery: Gallery, kind: str):
    page = gallery.open(kind)
    for part in (".board", "#move", ".plants-sheet", ".fuel-sheet", ".players"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 900, part
    page.context.close()


def test_long_names_do_not_push_the_page_apart(gallery: Gallery):
    path, _who = gallery.paths["fuel"]
    rows = gallery.site.house.all(SeatRow, game_id=int(path.rpartition("/")[2]))
    with gallery.site.house.write() as s:
        for row, name in zip(rows, ("W" * 40, "Anna Maria von der Weide", "Bö"), strict=True):
            s.get_one(SeatRow, row.id).name = name
    for size in (SMALL, DESKTOP):
        page = gallery.open("fuel", size)
        assert page.evaluate(WIDTH) <= 0
        page.context.close()


def test_a_double_click_acts_once(gallery: Gallery):
    page = gallery.open("opening")
    before = len(gallery.site.house.all(Submission))
    page.locator("input[name=plant]").first.check()
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Send it").dblclick()
    expect(page.locator(".done")).to_contain_text("Done:")
    assert len(gallery.site.house.all(Submission)) == before + 1
    page.context.close()


def test_a_turn_by_keyboard_alone(gallery: Gallery):
    """Tab to the form, choose, preview, send; the focus can be seen on the way."""
    page = gallery.open("power")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.name") == "choice":
            break
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none"
    page.keyboard.press("Space")
    for _ in range(5):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.value") == "preview":
            break
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Send it")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".done")).to_contain_text("Done:")
    page.context.close()


def test_cities_are_ticked_on_the_map_in_the_order_of_the_clicks(gallery: Gallery):
    page = gallery.open("building")
    boxes = page.locator("input[name=city]")
    last, first = boxes.nth(1).get_attribute("value"), boxes.nth(0).get_attribute("value")
    page.locator(f'[data-city="{last}"]').click()
    page.locator(f'[data-city="{first}"]').click()
    assert page.locator("input[name=order]").input_value() == f"{last},{first}"
    assert page.locator("input[name=city]:checked").count() == 2
    assert "Elektro" in page.locator("p.total").inner_text()
    page.context.close()


def test_a_preview_draws_the_house_dashed(gallery: Gallery):
    page = gallery.open("building")
    page.locator("input[name=city]").first.check()
    page.get_by_role("button", name="Preview").click()
    expect(page.locator(".map .house.planned")).to_have_count(1)
    expect(page.locator(".sums")).to_contain_text("→")
    page.context.close()


def test_m72_a_page_that_waits_asks_at_most_twice_a_minute(gallery: Gallery):
    """M72."""
    page = gallery.open("waiting")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_timeout(3000)
    assert [url for url in asked if "/static/" not in url] == []
    assert page.locator("[data-pulse]").count() == 1
    page.context.close()
