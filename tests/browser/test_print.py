"""The printed pages of a game as PDF, by Chromium: sheets, fonts, nothing wider than the paper."""

import re

import pytest
from playwright.sync_api import Browser

from core.game.evolve import replay
from tests.support.finished import finished
from tests.support.site import Site

pytestmark = pytest.mark.browser
PAGE = re.compile(rb"/Type\s*/Page\b")
FONT = re.compile(rb"/FontFile[23]?\b")
WIDER = """
(width) => [...document.querySelectorAll('.leaf *')]
  .filter((one) => one.getClientRects().length && !one.closest('svg'))
  .filter((one) => one.getBoundingClientRect().right > width + 1)
  .map((one) => one.outerHTML.slice(0, 80))
"""
PAPERS = {"A4": 210 / 25.4, "Letter": 8.5}
"""Widths in inches."""


@pytest.mark.parametrize("paper", PAPERS)
def test_each_round_is_a_sheet(site: Site, address: str, browser: Browser, paper: str):
    game = finished(site.house, players=5)
    rounds = replay(site.house.events(game)).round
    page = browser.new_page()
    page.goto(f"{address}/games/{game}/print")
    pdf = page.pdf(format=paper)
    assert len(PAGE.findall(pdf)) == rounds + 2, "a cover, the rounds, the whole"
    assert FONT.search(pdf), "whoever prints it elsewhere sees the same letters"
    page.close()


def test_nothing_is_cut_at_the_edge_of_the_paper(site: Site, address: str, browser: Browser):
    game = finished(site.house, players=6, board="usa")
    width = round((PAPERS["A4"] - 22 / 25.4) * 96)  # without its margins, in CSS pixels
    page = browser.new_page(viewport={"width": width, "height": 1000})
    page.emulate_media(media="print")
    page.goto(f"{address}/games/{game}/print")
    assert page.locator(".leaf").count() > 5
    assert page.evaluate(WIDER, width) == []
    page.close()
