"""Whole games by forms, with every real part in place: web, worker, Redis, mail."""

import re

import pytest
from playwright.sync_api import Browser, Page

from core.game.evolve import replay
from core.game.log.jsonl import load
from core.store.session import make_engine, read
from core.table.record import gamelog
from tests.browser.player import open_table, play_until, sign_in
from tests.support.service import Service

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def _over(page: Page) -> bool:
    return page.get_by_role("heading", name="The game is over").count() > 0


def _round(page: Page) -> int:
    found = re.search(r"Round (\d+)", page.locator(".now-at").inner_text())
    return int(found.group(1)) if found else 0


def test_a_whole_game_of_three_on_a_desktop(service: Service, browser: Browser):
    """A table opened, 3 players (two of them bots), every turn by its form, to the winner."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    sign_in(page, service.site, "desk@example.org")
    open_table(page, 3, 2, "Desktop game")
    made = play_until(page, _over)
    assert made > 20
    assert page.locator("section.winner").get_by_role("row").count() == 4
    with page.expect_navigation():
        page.get_by_role("link", name="Watch the replay").click()
    for _ in range(5):
        with page.expect_navigation():
            page.keyboard.press("ArrowRight")
    with page.expect_navigation():
        page.keyboard.press("End")
    assert re.search(r"/at/\d\d\d+$", page.url)
    assert not errors
    _same_as_live(service, page)
    context.close()


def _same_as_live(service: Service, page: Page) -> None:
    """The exported log, read and folded anew, is the position that the service has."""
    path = re.search(r"/games/(\d+)", page.url)
    answer = page.request.get(f"{service.site}{path.group(0)}/log.jsonl")
    assert answer.ok
    log = load(answer.text().splitlines())
    with read(make_engine(f"sqlite:///{service.data}/kraftpost.sqlite3")) as s:
        live = gamelog.load(s, int(path.group(1)))
    assert replay(log.events) == live
    assert live.standings


def test_three_rounds_without_scripts_on_a_phone(service: Service, browser: Browser):
    """The same forms at 390 px with scripts off."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, java_script_enabled=False)
    page = context.new_page()
    sign_in(page, service.site, "phone@example.org")
    open_table(page, 3, 2, "Phone game")
    made = play_until(page, lambda shown: _over(shown) or _round(shown) >= 4)
    assert made >= 9
    context.close()
