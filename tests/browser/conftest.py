"""The whole service for a browser test, and a smaller site whose states a test can choose."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.gallery import DESKTOP, PHONE, SMALL, Gallery
from tests.browser.looks import AXE, Axe, axe_from
from tests.support.service import Service
from tests.support.site import Site, open_site, serve
from webapp.identity import COOKIE

__all__ = ["DESKTOP", "PHONE", "SMALL", "Open"]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The service as ``kraftpost up`` starts it: web, worker, beat, Redis, mail."""
    running = Service(tmp_path_factory.mktemp("service"))
    yield running
    running.stop()


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A site in this process; moves are judged at once."""
    with open_site(tmp_path, monkeypatch) as opened:
        yield opened


@pytest.fixture
def address(site: Site) -> Iterator[str]:
    """Where browsers reach the site."""
    with serve(site) as found:
        yield found


Open = Callable[..., Page]


@pytest.fixture
def open_page(site: Site, address: str, browser: Browser) -> Iterator[Open]:
    """Open a page as somebody, in a window of some size; every script error fails the test."""
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def open_it(path: str, name: str | None = None, size=DESKTOP, **how) -> Page:
        context = browser.new_context(viewport=size, **how)
        contexts.append(context)
        if name:
            secret = site.visitor(name).client.get_cookie(COOKIE).value
            context.add_cookies([{"name": COOKIE, "value": secret, "url": address}])
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(address + path)
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert not errors


@pytest.fixture(scope="module")
def gallery(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Gallery]:
    """A site with every kind of page, each made when it is first opened."""
    with (
        pytest.MonkeyPatch.context() as patch,
        open_site(tmp_path_factory.mktemp("gallery"), patch, ADMIN_MAIL="olga@example.org") as site,
        serve(site) as address,
    ):
        yield Gallery(site, address, browser)


@pytest.fixture(scope="session")
def axe() -> Axe:
    """What axe-core finds on a page."""
    return axe_from(AXE.read_text("utf-8"))
