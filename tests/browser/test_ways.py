"""A header that leads everywhere, a game for the keyboard, and a replay without empty steps."""

import pytest
from playwright.sync_api import expect

from tests.browser.gallery import DESKTOP, PHONE, Gallery


@pytest.fixture(scope="module")
def game(gallery: Gallery) -> int:
    game = gallery.start("Ann", "Ben", "Cem", seed=3, title="Late", auction="open")
    gallery.play(game, lambda s: s.round > 6 and s.phase == "building")
    return game


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_w28_the_header_leads_everywhere_on_a_phone_too(gallery: Gallery, game: int, size):
    page = gallery.visit(f"/games/{game}", gallery.asked(game), size)
    head = page.get_by_role("navigation", name="Site")
    for name in ("Tables", "Gallery", "Statistics", "Help", "Rules", "Replay"):
        expect(head.get_by_role("link", name=name, exact=True)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == size["width"]


def test_w31_late_in_a_game_the_keyboard_is_soon_everywhere(gallery: Gallery, game: int):
    page = gallery.visit(f"/games/{game}", gallery.asked(game))
    reached = []
    for _ in range(5):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.getAttribute('href')"))
    assert reached == ["#main", "#move", "#board", "#log", "#chat"]
    names = page.locator(".log a:not([tabindex='-1'])").all_text_contents()
    assert names
    assert all(any(letter.isalpha() for letter in name) for name in names), names


def test_w22_no_step_of_the_replay_is_empty(gallery: Gallery, game: int):
    visitor = gallery.site.visitor("Ann")
    for n in range(1, gallery.house.game(game).seq + 1, 3):
        page = visitor.page(f"/games/{game}/at/{n}")
        changed = page.partition("What changed</h2>")[2].partition("</section>")[0]
        assert changed.count("<p>") >= 1, n
