"""A board that one reads at a glance: my network, the regions, six players, narrow windows."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.gallery import Gallery

NAMES = ("Ann", "Ben", "Cem", "Dora", "Äsop", "Fritz")


@pytest.fixture(scope="module")
def six(gallery: Gallery) -> int:
    game = gallery.start(*NAMES, seed=2, title="Six", auction="open")
    gallery.play(game, lambda s: s.round > 4 and s.phase == "building")
    return game


def bottom(page: Page, selector: str) -> float:
    return page.locator(selector).evaluate("e => e.getBoundingClientRect().bottom")


def test_w14_my_network_is_marked_and_my_links_have_my_colour(gallery: Gallery, six: int):
    who = gallery.asked(six)
    seat = gallery.house.seat(six, who)
    page = gallery.visit(f"/games/{six}", who)
    mine = page.locator(".map .mine").evaluate_all("all => all.map((one) => one.dataset.city)")
    assert set(mine) == set(gallery.house.state(six).players[seat].cities)
    expect(page.locator(".map .mine > .own")).to_have_count(len(mine))
    expect(page.locator(".map .wire.own")).to_have_count(1)
    stranger = gallery.visit(f"/games/{six}", None)
    expect(stranger.locator(".map .mine, .map .wire.own")).to_have_count(0)


def test_w16_six_players_and_what_happened_fit_1440_by_900(gallery: Gallery, six: int):
    page = gallery.visit(f"/games/{six}", gallery.asked(six))
    assert bottom(page, ".players tr.me") <= 900
    assert bottom(page, ".news") <= 200, "what happened since my last turn is seen first (W17)"
    expect(page.locator(".news")).to_contain_text("more lines in the log")


def test_w16_1024_has_two_columns(gallery: Gallery, six: int):
    page = gallery.visit(f"/games/{six}", gallery.asked(six), {"width": 1024, "height": 768})
    board, move = (page.locator(one).bounding_box() for one in (".board", "#move"))
    assert abs(board["y"] - move["y"]) < 2
    assert board["x"] + board["width"] <= move["x"]
    total = page.locator(".targets thead th").last.bounding_box()
    assert total["x"] + total["width"] <= move["x"] + move["width"], "no price is cut off"


def test_w16_on_a_phone_the_board_follows_the_move_and_begins_at_my_cities(
    gallery: Gallery, six: int
):
    page = gallery.visit(f"/games/{six}", gallery.asked(six), {"width": 390, "height": 844})
    move, board = bottom(page, "#move"), page.locator("#board").bounding_box()
    assert 0 <= board["y"] - move < 300, "only my own company stands between"
    middle = board["x"] + board["width"] / 2
    spots = page.locator(".map .mine").evaluate_all(
        "all => all.map((e) => e.getBoundingClientRect()).map((box) => box.left + box.width / 2)"
    )
    left = page.locator("#board").evaluate("e => e.scrollLeft")
    assert left == 0 or abs(sum(spots) / len(spots) - middle) < 40


@pytest.mark.parametrize("path", ["", "/whatif", "/at/60"])
def test_w33_nothing_scrolls_sideways_at_320(gallery: Gallery, six: int, path: str):
    page = gallery.visit(f"/games/{six}{path}", gallery.asked(six), {"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") == 320


def test_w13_accents_are_whole(gallery: Gallery, six: int):
    page = gallery.visit(f"/games/{six}", gallery.asked(six))
    name = page.locator(".players .name", has_text="Äsop")
    size, line = name.evaluate(
        "e => [getComputedStyle(e).fontSize, getComputedStyle(e).lineHeight].map(parseFloat)"
    )
    assert line >= 1.4 * size
    assert name.evaluate("e => e.scrollHeight <= e.clientHeight")


def test_w15_regions_are_named_while_they_are_drafted(gallery: Gallery):
    game = gallery.start(
        "Ann", "Ben", "Cem", title="Draft", auction="open", options={"region_choice": "draft"}
    )
    page = gallery.visit(f"/games/{game}", gallery.asked(game))
    state = gallery.house.state(game)
    banners = page.locator(".map text.banner").all_text_contents()
    assert banners == [region.name for region in state.ruleset.map.regions]
    house = gallery.house
    house.move(game, house.asked(game)[0].seat, f"region {banners[0]}")
    page = gallery.visit(f"/games/{game}", gallery.asked(game))
    expect(page.locator(".map text.banner.chosen")).to_have_text(f"✓ {banners[0]}")
