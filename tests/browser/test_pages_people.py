"""Lobby, profile, sign-in, links of mails and errors, looked at by a real browser."""

import pytest

from tests.browser import kinds_people
from tests.browser.gallery import Gallery, kinds_of
from tests.browser.looks import Axe, faults

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("kind", kinds_of(kinds_people))
def test_a_page_of_this_kind(gallery: Gallery, axe: Axe, kind: str):
    assert faults(gallery, axe, kind) == {}
