"""Every kind of page in every state, looked at by a real browser."""

from collections.abc import Iterator

import pytest

from tests.browser import kinds_acts, kinds_over, kinds_people, kinds_play
from tests.browser.gallery import SMALL, Gallery, kinds_of
from tests.browser.kinds_play import OFFERS
from tests.browser.looks import Axe, Eye

pytestmark = pytest.mark.browser
MODULES = (kinds_play, kinds_acts, kinds_over, kinds_people)

DARK = (
    *OFFERS, "preview", "six", "replay", "story", "statistics", "two players", "lobby", "new table",
    "profile", "orders in force", "what if, tried", "host tools",
)  # fmt: skip
"""The kinds that between them have every part with colours of its own."""


@pytest.fixture(scope="module")
def eye(gallery: Gallery, axe: Axe) -> Iterator[Eye]:
    """Looks at all kinds in the same windows: a new one for each would cost four times as much."""
    found = Eye(gallery, axe)
    yield found
    found.close()


@pytest.mark.parametrize("kind", [kind for module in MODULES for kind in kinds_of(module)])
def test_a_page_of_this_kind(eye: Eye, kind: str):
    """Fits 360, 390 and 1440 px, with targets and letters large enough, and axe finds nothing."""
    assert eye.faults(kind) == {}


@pytest.mark.parametrize("kind", DARK)
def test_a_page_in_the_dark_is_readable_too(eye: Eye, kind: str):
    assert eye.faults_in_the_dark(kind) == []


def test_plots_fit_a_small_phone_with_letters_of_12_px(gallery: Gallery):
    page = gallery.open("story", SMALL)
    shown = page.locator(".plots svg:visible")
    assert shown.count() == 7
    for plot in shown.all():
        assert plot.evaluate("e => e.parentElement.scrollWidth <= e.parentElement.clientWidth")
        assert plot.evaluate("e => e.clientWidth / e.viewBox.baseVal.width") >= 1
    page.context.close()
