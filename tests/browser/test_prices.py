"""A tick in the list or a tap on the map: list, map and sum agree at once (W7, W8)."""

import re

import pytest
from playwright.sync_api import Page, expect

from core.game import engine
from core.game.offers import BuildOffer
from tests.browser.conftest import PHONE, Open
from tests.support.site import Site


@pytest.fixture
def game(site: Site) -> int:
    house = site.house
    game = house.start("Ann", "Ben", "Cem", auction="open")

    def there(state) -> bool:
        seat = engine.to_act(state)[0]
        rich = state.players[seat].elektro > 60
        return isinstance(engine.options(state, seat), BuildOffer) and state.round > 1 and rich

    house.play(game, until=there)
    return game


def who(site: Site, game: int) -> str:
    return site.house.owner(game, site.house.asked(game)[0].seat).name


def totals(page: Page) -> tuple[dict[str, str], dict[str, str]]:
    """Prices of the list and of the map, by city; of what is shown."""
    return (
        page.evaluate(
            """() => Object.fromEntries([...document.querySelectorAll('[data-row]:not([hidden])')]
            .map((row) => [row.dataset.spot, row.querySelector('[data-total]').textContent]))"""
        ),
        page.evaluate(
            """() => Object.fromEntries([...document.querySelectorAll('.map .target:not(.dear)')]
            .map((city) => [city.dataset.city, city.querySelector('.total').textContent]))"""
        ),
    )


def tick(page: Page, act) -> None:
    with page.expect_response(re.compile("/turn/reckon")):
        act()
    page.wait_for_timeout(50)


def test_w7_w8_a_tick_and_a_tap_reprice_list_map_and_sum(site: Site, game: int, open_page: Open):
    page = open_page(f"/games/{game}", who(site, game))
    tick(page, page.locator("[data-row]:not([hidden]) input").first.check)
    first = page.locator("[data-row].picked").get_attribute("data-spot")
    assert "picked" in page.locator(f'[data-city="{first}"]').get_attribute("class")
    of_list, of_map = totals(page)
    assert of_list == of_map
    other = next(city for city in of_map if city != first)
    tick(page, lambda: page.locator(f'.map [data-city="{other}"] .hit').click())
    of_list, of_map = totals(page)
    assert of_list == of_map
    total = int(of_map[first]) + int(of_map[other])
    expect(page.locator("[data-sum]")).to_contain_text(f"{total} Elektro, ")
    expect(page.locator("[data-told]")).to_contain_text("powers ")
    page.get_by_role("button", name="Preview").click()
    money = site.house.state(game).players[site.house.asked(game)[0].seat].elektro
    expect(page.locator(".sums")).to_contain_text(f"Elektro {money} → {money - total}")


def test_w8_list_and_map_point_at_each_other(site: Site, game: int, open_page: Open):
    page = open_page(f"/games/{game}", who(site, game))
    row = page.locator("[data-row]:not([hidden])").last
    row.hover()
    city = page.locator(f'[data-city="{row.get_attribute("data-spot")}"]')
    expect(city).to_have_class(re.compile("hover"))
    city.locator(".hit").hover()
    expect(row).to_have_class(re.compile("hover"))


def test_w7_without_scripts_a_button_reckons(site: Site, game: int, open_page: Open):
    page = open_page(f"/games/{game}", who(site, game), PHONE, java_script_enabled=False)
    page.locator("[data-row]:not([hidden]) input").first.check()
    page.get_by_role("button", name="Reckon").click()
    expect(page.locator("[data-row].picked")).to_have_count(1)
    expect(page.locator("[data-sum]")).to_contain_text("Elektro, ")
    expect(page.locator(".map .target.picked")).to_have_count(1)


def test_w8_on_the_what_if_board_a_tap_makes_the_line(site: Site, game: int, open_page: Open):
    page = open_page(f"/games/{game}/whatif", who(site, game))
    page.locator(".map .target .hit").first.click()
    expect(page.locator(".map .target.picked")).to_have_count(1)
    expect(page.locator("[data-tries]")).to_have_value(re.compile(r"^build \w+"))
