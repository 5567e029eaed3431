"""Pages in long languages fit small phones: nothing scrolls sideways, no button is cut off."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page
from sqlmodel import select

from core.store.tables import User
from tests.browser import kinds_acts, kinds_over, kinds_people, kinds_play
from tests.browser.gallery import KINDS, Gallery
from tests.support import pseudo
from tests.support.site import open_site, serve
from tests.support.spotted import texts_of_page

pytestmark = pytest.mark.browser

PAGES = (
    "bid", "fuel", "building", "power", "six", "finished", "story", "replay", "rules of a table",
    "lobby", "new table", "profile", "mail settings", "host tools", "plan",
)  # fmt: skip
LONGEST = [pseudo.LANGUAGE, *(name for name in ("de", "th") if name in pseudo.languages())]
SIZES = [{"width": 320, "height": 640}, {"width": 390, "height": 844}]
CUT = """
() => [...document.querySelectorAll('button, .button, summary, .tabs a, .head a, .tag, label.pick')]
  .filter((e) => e.offsetParent && !e.closest('.hush, .skip'))
  .map((e) => {
    const all = document.createRange();
    all.selectNodeContents(e);
    return [e, e.getBoundingClientRect(), all.getBoundingClientRect()];
  })
  .filter(([e, box, text]) =>
    (getComputedStyle(e).textOverflow !== 'ellipsis'
      && (text.right > box.right + 1 || text.bottom > box.bottom + 2 || text.left < box.left - 1))
    || (box.right > innerWidth + 1 && !e.closest('.wide, .tabs, .chips, nav, table')))
  .map(([e, box]) => `${e.outerHTML.slice(0, 160)} ${Math.round(box.right)}`)
"""
"""What can be pressed and has its words outside of its edge, or itself outside of the window."""


WIDE = """
() => document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll('*')]
  .filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.hush, .skip'))
  .filter((e) => {
    for (let up = e.parentElement; up; up = up.parentElement) {
      if (getComputedStyle(up).overflowX !== 'visible') { return false; }
    }
    return true;
  })
  .map((e) => `${e.tagName}.${e.className} ${Math.round(e.getBoundingClientRect().right)} `
    + e.textContent.trim().slice(0, 60))
"""
"""What makes a page scroll sideways, if it does."""


@pytest.fixture(scope="module")
def gallery(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Gallery]:
    """The gallery, with every language that is found and the pseudo-language."""
    folder = tmp_path_factory.mktemp("languages")
    with (
        pytest.MonkeyPatch.context() as patch,
        pseudo.catalogue(folder / "locale", others=True),
        open_site(folder / "site", patch, ADMIN_MAIL="olga@example.org") as site,
        serve(site) as address,
    ):
        yield Gallery(site, address, browser)


@pytest.fixture(scope="module")
def window(gallery: Gallery) -> Iterator[Page]:
    context = gallery.browser.new_context(java_script_enabled=False)
    yield context.new_page()
    context.close()


def show(gallery: Gallery, page: Page, kind: str, language: str) -> None:
    """Show a kind of page to its reader in a language."""
    gallery.place(kind)
    with gallery.house.write() as s:
        for user in s.exec(select(User)):
            user.locale = language
            s.add(user)
    page.context.set_extra_http_headers({"Accept-Language": language.replace("_", "-")})
    gallery.show(page, kind, SIZES[0])


@pytest.mark.parametrize("language", LONGEST)
@pytest.mark.parametrize("kind", PAGES)
def test_a_page_fits_in_a_long_language(gallery: Gallery, window: Page, kind: str, language: str):
    show(gallery, window, kind, language)
    assert window.locator("html").get_attribute("lang") == language.replace("_", "-")
    found: dict[str, list[str]] = {}
    for size in SIZES:
        window.set_viewport_size(size)
        found[f"{size['width']} sideways"] = window.evaluate(WIDE)
        found[f"{size['width']} cut"] = window.evaluate(CUT)
    told = [f"{name}: {one}" for name, what in found.items() for one in what]
    assert not told, "\n".join(told)


def test_the_words_are_those_of_the_language(gallery: Gallery, window: Page):
    """Otherwise the test above would look at English."""
    show(gallery, window, "profile", pseudo.LANGUAGE)
    told = " ".join(texts_of_page(window.content()))
    assert told.count(pseudo.OPEN) > 20


def test_the_kinds_are_there():
    assert {kinds_acts, kinds_over, kinds_people, kinds_play}
    assert {*PAGES} <= {*KINDS}
