"""Games on their pages in a real browser: how they fit, and what the forms do at once."""

import pytest
from playwright.sync_api import expect

from core import questions
from core.bots import CARETAKER, bot
from core.game.notation import text
from core.game.observe import PlayerView, observe
from core.game.offers import BidOffer, PowerOffer, PurchaseOffer
from core.store.tables import SeatRow, Submission
from core.table.acts import lobby
from core.table.record import gamelog
from tests.browser.gallery import DESKTOP, PHONE, SMALL, Gallery
from tests.browser.kinds_play import OFFERS
from tests.browser.looks import WIDTH

pytestmark = pytest.mark.browser

OVERFLOWING = """
() => [...document.querySelectorAll('.sheet')]
  .filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.className)
"""
SQUEEZED = """
() => [...document.querySelectorAll('.hint, .asked p, .cards .pick span, .wrap label')]
  .filter((e) => e.offsetParent && e.textContent.trim().length > 8)
  .filter((e) => e.getBoundingClientRect().width < 60).map((e) => e.textContent)
"""


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
    page.locator("[data-amount]").fill(str(purse + 1))
    expect(page.locator("[data-won]")).to_be_hidden()
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
    rows = gallery.site.house.all(SeatRow, game_id=gallery.game_of("fuel"))
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


def test_m72_w25_a_page_that_waits_asks_nothing_but_a_tiny_address(gallery: Gallery):
    """M72, as W25 has it: within three seconds, so every two; a look is some 50 bytes."""
    page = gallery.open("waiting")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_timeout(3000)
    assert [url for url in asked if "/static/" not in url and not url.endswith("/pulse")] == []
    assert page.locator("[data-pulse]").count() == 1
    page.context.close()


def _hoarder(view: PlayerView) -> str:
    """Who owns a plant of two fuels fills it with both and never burns them."""
    hybrid = any(len(plant.fuels) > 1 for plant in view.plants_of(view.me.seat))
    if hybrid and isinstance(view.offer, PowerOffer):
        return "power nothing"
    if hybrid and isinstance(view.offer, PurchaseOffer):
        costs = {one.resource.value: one.costs for one in view.offer.fuels}
        for n in range(6, 0, -1):
            coal, oil = costs.get("coal", ())[:n], costs.get("oil", ())[:n]
            fits = len(coal) + len(oil) <= view.offer.coal_or_oil
            if coal and oil and fits and coal[-1] + oil[-1] <= view.offer.elektro:
                return f"buy {len(coal)} coal {len(oil)} oil"
    return text(bot(CARETAKER).move(view), view.ruleset)


def _about_to_win_too_much(gallery: Gallery) -> tuple[int, int]:
    """A game and its seat that bids, with its plants all there and a choice of fuel to lose."""
    house = gallery.house
    game = house.open("Ann", "Ben", "Cem", auction="open", title="One too many")
    with house.write() as s:
        lobby.start(s, gamelog.find(s, game), house.now, seed=f"{281:064x}")
    house.adjudicate(game)
    for _ in range(100):
        seat = house.asked(game)[0].seat
        view = observe(house.state(game), seat)
        offer = view.offer
        if isinstance(offer, BidOffer) and questions.of(view).losses:
            return game, seat
        house.move(game, seat, _hoarder(view))
    raise AssertionError("this seed does not lead there any more: look for another one")


def test_the_bid_also_says_which_plant_and_which_fuel_go(gallery: Gallery):
    """look.md 2: asked in the bid's own form, offered when the bid has won, told in the log."""
    game, seat = _about_to_win_too_much(gallery)
    house = gallery.house
    me = house.state(game).players[seat]
    page = gallery.visit(f"/games/{game}", house.owner(game, seat).name, PHONE)
    drop, lose = page.get_by_label("If you win, give up"), page.get_by_label("and lose, if need be")
    gone = drop.locator("option").nth(1).get_attribute("value")
    drop.select_option(gone)
    lose.select_option(label="1 coal, the rest oil")
    page.locator("[data-amount]").fill(str(me.elektro))
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Send it").click()
    expect(page.locator(".done")).to_contain_text(f"bid {me.elektro}")
    while (asked := house.asked(game)[0].seat) != seat:
        house.move(game, asked, "pass")
    page.reload()
    keeps = next(
        way
        for choice in observe(house.state(game), seat).offer.choices
        for way in choice.keeps
        if str(choice.plant) == gone and way.coal == me.fuel.coal - 1
    )
    chosen = page.locator("#turn input[name=choice]:checked")
    expect(chosen).to_have_value(f"discard {gone} keep {keeps.coal} coal {keeps.oil} oil")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Send it").click()
    lost = f"gave up plant {gone} and lost 1 coal, {me.fuel.oil - keeps.oil} oil"
    expect(page.locator(".log")).to_contain_text(lost)
    page.context.close()
