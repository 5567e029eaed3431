"""What must hold for every page, as a browser sees it: it fits, can be read and hit, stays here."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import ConsoleMessage, Page, Request

from tests.browser.gallery import DESKTOP, PHONE, SMALL, Gallery

AXE: Final = Path(__file__).with_name("vendor") / "axe.min.js"
WIDTH: Final = "document.documentElement.scrollWidth - window.innerWidth"
SMALL_TARGETS: Final = """
() => [...document.querySelectorAll('button, .button, select, input:not([type=hidden]), summary')]
  .filter((e) => e.offsetParent && !e.closest('.hush'))
  .map((e) => (e.type === 'checkbox' || e.type === 'radio') ? e.closest('label') ?? e : e)
  .map((e) => [e.tagName, e.className, e.getBoundingClientRect()])
  .filter(([, , box]) => box.width && (box.width < 43.5 || box.height < 43.5))
  .map(([tag, name, box]) => `${tag}.${name} ${box.width}x${box.height}`)
"""
SMALL_TEXT: Final = """
() => [...document.querySelectorAll('main *')]
  .filter((e) => e.offsetParent && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
  .filter((e) => parseFloat(getComputedStyle(e).fontSize) < (e.matches('input, select') ? 16 : 12))
  .map((e) => `${e.tagName}.${e.className} ${getComputedStyle(e).fontSize}`)
"""
STUCK: Final = """
() => [...document.querySelectorAll('main form')].filter((e) => e.offsetParent)
  .filter((e) => ![...e.elements].some((c) => c.type === 'submit' && c.offsetParent))
  .map((e) => e.outerHTML.slice(0, 200))
"""
"""Forms that can be seen and not sent."""

Axe = Callable[..., list[str]]
LAYOUT: Final = ("color-contrast", "target-size")
"""What axe-core finds that may depend on the width; all else is the same at every width."""


def axe_from(source: str) -> Axe:
    """Ask axe-core what it finds: rule and places."""

    def look(page: Page, rules: tuple[str, ...] = ()) -> list[str]:
        page.evaluate(source)  # not a script element: the page's own policy forbids that
        options = {"resultTypes": ["violations"], **({"runOnly": rules} if rules else {})}
        found = page.evaluate("options => axe.run(document, options)", options)
        return [
            f"{one['id']}: {node['html'][:120]} {node['failureSummary'][:200]}"
            for one in found["violations"]
            for node in one["nodes"]
        ]

    return look


class Eye:
    """Two windows, one of them without scripts, in which one page after another is looked at."""

    def __init__(self, gallery: Gallery, axe: Axe) -> None:
        self.gallery, self.axe = gallery, axe
        self._found: dict[str, Any] = {}
        self._page, self._bare = (
            gallery.browser.new_context(java_script_enabled=scripts).new_page()
            for scripts in (True, False)
        )
        for page in (self._page, self._bare):
            page.on("request", self._asks)
            page.on("console", self._says)
            page.on("pageerror", lambda error: self._note("errors", str(error)))

    def faults(self, kind: str) -> dict[str, Any]:
        """What is wrong with a kind of page at three sizes; with scripts off at the smallest.

        A page that is one narrow column has the same on a desktop, so axe looks at it once; at the
        others it looks again for what the width may change.
        """
        page, bare, found = self._page, self._bare, {}
        self._found = found
        self.gallery.show(page, kind, PHONE)
        found["phone axe"] = self.axe(page)
        found["phone small targets"] = page.evaluate(SMALL_TARGETS)
        _measure(page, "phone", found)
        page.set_viewport_size(DESKTOP)
        _measure(page, "desktop", found)
        if not page.locator("main.narrow").count():
            found["desktop axe"] = self.axe(page, LAYOUT)
        page.evaluate("localStorage.clear(), sessionStorage.clear()")
        self.gallery.show(bare, kind, SMALL)
        _measure(bare, "small", found)
        found["small targets"] = bare.evaluate(SMALL_TARGETS)
        found["forms without a button"] = bare.evaluate(STUCK)
        found["no heading"] = not bare.locator("main :is(h1, h2)").first.is_visible()
        return {name: what for name, what in found.items() if what}

    def faults_in_the_dark(self, kind: str) -> list[str]:
        """What cannot be read on this kind of page where dark pages are preferred."""
        self._page.emulate_media(color_scheme="dark")
        self.gallery.show(self._page, kind, DESKTOP)
        found = self.axe(self._page, ("color-contrast",))
        self._page.emulate_media(color_scheme="light")
        return found

    def close(self) -> None:
        """Close the windows."""
        self._page.context.close()
        self._bare.context.close()

    def _asks(self, request: Request) -> None:
        if not request.url.startswith(self.gallery.address):
            self._note("asked elsewhere", request.url)

    def _says(self, said: ConsoleMessage) -> None:
        url = said.location["url"]
        itself = said.page is not None and url == said.page.url  # the status of an error page
        overtaken = "/turn/reckon?" in url  # its prices are asked with a turn that is over: 409
        if said.type in ("error", "warning") and not itself and not overtaken:
            self._note("errors", said.text)

    def _note(self, what: str, text: str) -> None:
        self._found.setdefault(what, []).append(text)


def _measure(page: Page, size: str, found: dict[str, Any]) -> None:
    found[f"{size} scrolls sideways"] = page.evaluate(WIDTH) > 0
    found[f"{size} small text"] = page.evaluate(SMALL_TEXT)
