"""Somebody else's move shows within three seconds, and nothing that is typed is lost (W25)."""

import re
import time

import pytest
from playwright.sync_api import expect

from core.store.tables import ChatLine
from tests.browser.conftest import Open
from tests.support.site import Site

SOON = 3000  # milliseconds


@pytest.fixture
def game(site: Site) -> int:
    return site.house.start("Ann", "Ben", "Cem", auction="open")


def name(site: Site, game: int, seat: int) -> str:
    return site.house.owner(game, seat).name


def test_w25_the_turn_comes_to_a_page_that_lies_open(site: Site, game: int, open_page: Open):
    house = site.house
    first = house.asked(game)[0].seat
    house.move(game, first, "auction 4 for 4")
    second = house.asked(game)[0].seat
    third = next(seat for seat in range(3) if seat not in (first, second))
    page = open_page(f"/games/{game}", name(site, game, third))
    expect(page).not_to_have_title(re.compile("Your move"))
    page.get_by_label("Say to the table").fill("half a sent")
    page.locator("#income summary").click()
    page.mouse.wheel(0, 300)
    page.wait_for_timeout(100)
    scrolled = page.evaluate("scrollY")
    house.move(game, second, "bid 5")
    expect(page).to_have_title(re.compile("^● Your move"), timeout=SOON)
    expect(page.locator("#turn [data-amount]")).to_be_attached()
    assert "asked" in page.locator("link[rel=icon]").get_attribute("href")
    expect(page.get_by_label("Say to the table")).to_have_value("half a sent")
    assert page.locator("#income").evaluate("e => e.open")
    assert abs(page.evaluate("scrollY") - scrolled) < 200
    expect(page.locator(".log")).to_contain_text("(5)")


def test_w25_a_form_that_is_being_filled_in_stays(site: Site, game: int, open_page: Open):
    house = site.house
    first = house.asked(game)[0].seat
    house.move(game, first, "auction 4 for 4")
    asked = house.asked(game)[0].seat
    page = open_page(f"/games/{game}", name(site, game, asked))
    page.locator("[data-amount]").fill("17")
    with house.write() as s:
        s.add(
            ChatLine(
                game_id=game, user_id=house.user("Ann").id, text="Hello", key="x", at=house.now
            )
        )
    expect(page.locator(".chat")).to_contain_text("Hello", timeout=SOON)
    expect(page.locator("[data-amount]")).to_have_value("17")
    house.move(game, asked, "pass")  # from another browser
    expect(page.get_by_role("alert")).to_contain_text("The game moved on", timeout=SOON)
    expect(page.locator("[data-amount]")).to_have_value("17")


def test_w25_a_look_costs_the_server_two_milliseconds_at_most(site: Site, game: int):
    visitor = site.visitor("Ann")
    visitor.get(f"/games/{game}/pulse")
    spent = []
    for _ in range(5):
        before = time.process_time()
        for _look in range(40):
            assert visitor.get(f"/games/{game}/pulse").status_code == 200
        spent.append((time.process_time() - before) / 40)
    assert min(spent) <= 0.004, "with the client's own share"
