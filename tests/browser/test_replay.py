"""The replay of a finished game of five in a browser: desktop and phone, with and without scripts.

Wherever it stops, the page must show the position that the fold gives for the event it names.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from core.bots import bot
from core.game.evolve import Fold
from core.game.log.jsonl import log_of
from core.game.rules.load import load
from core.game.state import GameState
from core.table.people import archive
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.looks import AXE, WIDTH
from tests.support.site import Site, open_site, serve
from webapp.instruments.selfplay import play_game

pytestmark = pytest.mark.browser
PATIENCE = 60_000
"""Milliseconds that a busy machine may take for one page."""
expect.set_options(timeout=PATIENCE)

NAMES = ("Anna", "Benedikt", "Clara", "David", "Emma")
SIZES = {"desktop": DESKTOP, "phone": PHONE}
SHOWN = """
() => Object.fromEntries([...document.querySelectorAll('.players tbody tr')].map((row) => [
  row.querySelector('.seat > span:last-child').textContent.trim(),
  [...row.querySelectorAll('td.num')].slice(0, 2).map((cell) => Number(cell.textContent)),
]))
"""
SWIPE = """
(dx) => {
  const target = document.querySelector('.changed');
  const touch = (x) => new Touch({identifier: 1, target, clientX: x, clientY: 300});
  const send = (type, x, now) => target.dispatchEvent(new TouchEvent(type, {
    bubbles: true, touches: now ? [touch(x)] : [], changedTouches: [touch(x)]}));
  send('touchstart', 200, true);
  send('touchend', 200 + dx, false);
}
"""


@dataclass
class Theatre:
    """A site with one finished game, and the position after each of its events."""

    site: Site
    address: str
    game_id: int
    states: tuple[GameState, ...]

    @property
    def length(self) -> int:
        return len(self.states)

    def at(self, n: int | str) -> str:
        return f"{self.address}/games/{self.game_id}/at/{n}"

    def agrees(self, page: Page) -> int:
        """The event that the page names, once all it says of the players is right for it."""
        n = int(page.locator("#replay-page").get_attribute("data-seq") or 0)
        state = self.states[n - 1]
        true = {NAMES[s]: [p.elektro, len(p.cities)] for s, p in enumerate(state.players)}
        assert page.evaluate(SHOWN) == true, n
        assert page.locator(".board .house").count() == sum(cities for _, cities in true.values())
        assert page.url.endswith(f"/at/{n}")
        return n


@pytest.fixture(scope="module")
def theatre(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Theatre]:
    log = play_game(load("germany", options={"auction": "open"}), [bot("engineer")] * 5, "be" * 32)
    began = datetime(2026, 10, 1, tzinfo=UTC)
    times = [began + timedelta(hours=n) for n in range(len(log))]
    with (
        pytest.MonkeyPatch.context() as patch,
        open_site(tmp_path_factory.mktemp("replay"), patch) as site,
        serve(site) as address,
    ):
        with site.house.write() as s:
            game = archive.import_log(s, log_of(log, NAMES, times), site.house.now).id
        fold = Fold()
        yield Theatre(site, address, game, tuple(fold.add(event) for event in log))


@pytest.fixture(params=SIZES)
def page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    """A window of each size; an error in a script fails the test."""
    context = browser.new_context(
        viewport=SIZES[request.param], has_touch=request.param == "phone", reduced_motion="reduce"
    )
    made, errors = context.new_page(), []
    made.set_default_timeout(PATIENCE)
    made.on("pageerror", lambda error: errors.append(str(error)))
    yield made
    context.close()
    assert errors == []


def shows(page: Page, n: int | str) -> None:
    """The page has come to this event."""
    expect(page.locator("#replay-page")).to_have_attribute("data-seq", str(n))


def press(page: Page, key: str) -> None:
    """Press a key, and wait for the position to which the page's own link of that name leads."""
    before = page.locator("#replay-page").get_attribute("data-seq")
    page.keyboard.press(key)
    expect(page.locator("#replay-page")).not_to_have_attribute("data-seq", before or "")


def test_m51_keys_lead_to_the_end_by_rounds_turns_and_events(theatre: Theatre, page: Page):
    page.goto(f"{theatre.address}/games/{theatre.game_id}/replay")
    seen = [theatre.agrees(page)]
    while page.locator("a[data-go=round-on]").count():
        press(page, "PageDown")
        seen.append(theatre.agrees(page))
    assert len(seen) >= theatre.states[-1].round
    for _ in range(2):
        press(page, "Shift+ArrowRight")
        seen.append(theatre.agrees(page))
    for _ in range(4):
        press(page, "ArrowRight")
        seen.append(theatre.agrees(page))
    assert seen == sorted(set(seen))
    page.keyboard.press("End")
    shows(page, theatre.length)
    theatre.agrees(page)
    press(page, "ArrowLeft")
    assert theatre.agrees(page) < theatre.length
    page.keyboard.press("Home")
    shows(page, 1)


def test_m51_the_slider_leads_anywhere_and_has_ticks(theatre: Theatre, page: Page):
    page.goto(theatre.at(1))
    rail = page.locator("#n")
    for n in (theatre.length // 3, theatre.length // 2, theatre.length):
        rail.fill(str(n))
        shows(page, n)
        assert theatre.agrees(page) == n
    rail.focus()
    rail.press("ArrowLeft")  # the slider's own keys go on working: focus stays where it was
    shows(page, theatre.length - 1)
    rail.press("ArrowLeft")
    shows(page, theatre.length - 2)
    theatre.agrees(page)
    ruler, track = page.locator(".ruler"), rail.bounding_box()
    assert ruler.locator("line.tick").count() >= theatre.states[-1].round + 2  # Steps 2 and 3
    first, last = (ruler.locator(f"text:not(.step) >> nth={i}").bounding_box() for i in (0, -1))
    assert track["x"] <= first["x"] < last["x"] < track["x"] + track["width"]
    words = ruler.locator("text.step").all()
    assert [word.text_content() for word in words] == ["Step 2", "Step 3"]


def test_m51_autoplay_runs_to_the_end_and_stops(theatre: Theatre, page: Page):
    page.goto(theatre.at(theatre.length - 5))
    speed = page.locator("[data-speed] select")
    speed.select_option("3000")
    page.locator("[data-play]").click()
    expect(page.locator("[data-play]")).to_have_text("Stop")
    speed.select_option("100")
    shows(page, theatre.length)
    expect(page.locator("[data-play]")).to_have_text("Play")
    assert theatre.agrees(page) == theatre.length
    page.keyboard.press("Home")
    shows(page, 1)
    page.locator("body").press("p")
    expect(page.locator("#replay-page")).not_to_have_attribute("data-seq", "1")
    page.locator("body").press("p")
    expect(page.locator("[data-play]")).to_have_text("Play")


def test_m51_a_swipe_turns_the_page_on_a_phone(theatre: Theatre, page: Page):
    page.goto(theatre.at(theatre.length // 2))
    start = theatre.agrees(page)
    page.evaluate(SWIPE, -120)
    expect(page.locator("#replay-page")).not_to_have_attribute("data-seq", str(start))
    assert theatre.agrees(page) > start
    page.evaluate(SWIPE, 30)  # too short to be one
    page.evaluate(SWIPE, 120)
    expect(page.locator("#replay-page")).to_have_attribute("data-seq", re.compile(r"\d+"))
    page.wait_for_timeout(200)
    assert theatre.agrees(page) <= start


def test_the_open_panel_fits_and_axe_finds_nothing(theatre: Theatre, page: Page):
    page.goto(theatre.at(theatre.length - 40))
    page.locator("details.more > summary").click()
    assert page.evaluate(WIDTH) <= 0
    page.evaluate(Path(AXE).read_text("utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    assert [one["id"] for one in found["violations"]] == []
    page.locator(".turning a").last.click()
    shows(page, theatre.length)
    assert page.locator("details.more").get_attribute("open") is not None  # as it was left
    page.locator("#jump").fill("round 3")
    page.get_by_role("button", name="Jump").click()
    assert theatre.states[theatre.agrees(page) - 1].round == 3


@pytest.mark.parametrize("size", SIZES)
def test_m51_without_scripts_links_and_forms_lead_everywhere(
    theatre: Theatre, browser: Browser, size: str
):
    context = browser.new_context(viewport=SIZES[size], java_script_enabled=False)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(theatre.at(1))
    while page.locator("a[data-go=round-on]").count():
        page.locator("a[data-go=round-on]").click()
    for rel in ("next", "turn-on", "previous", "turn-back", "first", "last"):
        page.locator(f"a[data-go={rel}]").click()
    assert page.url.partition("?v=")[0] == theatre.at(theatre.length)
    page.locator(".ticks a", has_text="Step 2").first.click()
    n = int(page.url.partition("?v=")[0].rpartition("/")[2])
    assert (theatre.states[n - 2].step, theatre.states[n - 1].step) == (1, 2)
    page.locator("#n").focus()
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Go").click()
    assert page.url == theatre.at(n + 1)
    assert not page.locator("[data-play]").is_visible()
    context.close()
