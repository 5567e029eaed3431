"""Orders, plans, what-if, taking back and host tools, looked at by a real browser."""

import pytest

from tests.browser import kinds_acts
from tests.browser.gallery import Gallery, kinds_of
from tests.browser.looks import Axe, faults

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("kind", kinds_of(kinds_acts))
def test_a_page_of_this_kind(gallery: Gallery, axe: Axe, kind: str):
    assert faults(gallery, axe, kind) == {}
