"""Taking back, proposals and host tools in a browser: no scripts needed, a phone is wide enough."""

import os
from pathlib import Path

import pytest

from core.store.tables import Proposal
from core.table.acts import proposals
from tests.browser.conftest import DESKTOP, PHONE, Open
from tests.support.site import Site

SHOTS = os.environ.get("KRAFTPOST_SHOTS")


def fits(page, name: str) -> None:
    """Nothing sticks out, and every control can be hit (M72)."""
    page.wait_for_load_state("load")  # the page behind a click, its style sheet with it
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"{name}.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    small = page.evaluate(
        """[...document.querySelectorAll('main button, main a.button, main input, main select')]
        .filter(e => e.offsetParent && e.type !== 'hidden'
            && (e.closest('label') || e).getBoundingClientRect().height < 44)
        .map(e => e.outerHTML)"""
    )
    assert small == []


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_m72_every_page_of_it_fits_and_works_without_scripts(site: Site, open_page: Open, size):
    house, width = site.house, size["width"]
    game = house.played("Ann", "Ben", "Cy", until=lambda state: state.phase == "resources")
    first = house.asked(game)[0].seat
    house.move(game, first, house.line(game, first))
    who = house.owner(game, first).name
    page = open_page(f"/games/{game}", who, size, java_script_enabled=False)
    page.get_by_role("link", name="Take my last move back").click()
    fits(page, f"undo-{width}")
    page.get_by_role("button", name="Take it back").click()
    page.get_by_role("button", name="Let it count again").wait_for()
    fits(page, f"undone-{width}")
    for _ in range(2):
        seat = house.asked(game)[0].seat
        house.move(game, seat, house.line(game, seat))
    page = open_page(f"/games/{game}", who, size, java_script_enabled=False)
    page.get_by_role("link", name="Ask to take my last move back").click()
    fits(page, f"consent-{width}")
    page.get_by_role("button", name="Ask them").click()
    other = house.owner(game, next(s for s in (0, 1, 2) if s != first)).name
    page = open_page(f"/games/{game}", other, size, java_script_enabled=False)
    page.get_by_role("button", name="I agree").wait_for()
    fits(page, f"proposal-{width}")
    page = open_page(f"/games/{game}/host", "Ann", size, java_script_enabled=False)
    fits(page, f"tools-{width}")
    correct = page.locator("#correct")
    correct.get_by_label("Player").select_option(str(first))
    correct.get_by_label("The move instead").fill("buy nothing")
    correct.get_by_label("Why").fill("Ann meant nothing at all")
    correct.get_by_role("button").click()
    fits(page, f"correct-{width}")
    page.get_by_role("button", name="Do it").click()
    row = house.all(Proposal)[-1]
    with house.write() as s:  # whom it touches must agree
        for seat in proposals.meaning(s, row).voters:
            if seat != row.seat and s.get_one(Proposal, row.id).status == "open":
                proposals.answer(s, game, row.number, seat, agrees=True, now=house.now)
    assert house.kinds(game).count("MoveCorrected") == 1
    fits(page, f"corrected-{width}")
    fits(open_page(f"/games/{game}/host", "Ben", size), f"vote-{width}")
