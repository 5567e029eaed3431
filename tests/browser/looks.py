"""What must hold for every page, as a browser sees it: it fits, can be read and hit, stays here."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Page

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

Axe = Callable[[Page], list[str]]


def axe_from(source: str) -> Axe:
    """Ask axe-core what it finds: rule and places."""

    def look(page: Page) -> list[str]:
        page.evaluate(source)  # not a script element: the page's own policy forbids that
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        return [
            f"{one['id']}: {node['html'][:120]} {node['failureSummary'][:200]}"
            for one in found["violations"]
            for node in one["nodes"]
        ]

    return look


def faults(gallery: Gallery, axe: Axe, kind: str) -> dict[str, Any]:
    """What is wrong with a kind of page at three sizes; with scripts off at the smallest.

    A page that is one narrow column has the same on a desktop, so axe looks at it once.
    """
    found: dict[str, Any] = {}
    asked: list[str] = []
    page = gallery.open(kind, PHONE, asked=asked)
    found["phone axe"] = axe(page)
    _measure(page, "phone", found)
    found["phone small targets"] = page.evaluate(SMALL_TARGETS)
    page.set_viewport_size(DESKTOP)
    _measure(page, "desktop", found)
    if not page.locator("main.narrow").count():
        found["desktop axe"] = axe(page)
    page.context.close()
    bare = gallery.open(kind, SMALL, asked=asked, java_script_enabled=False)
    _measure(bare, "small", found)
    found["small targets"] = bare.evaluate(SMALL_TARGETS)
    found["forms without a button"] = bare.evaluate(STUCK)
    found["no heading"] = not bare.locator("main :is(h1, h2)").first.is_visible()
    bare.context.close()
    found["asked elsewhere"] = [url for url in asked if not url.startswith(gallery.address)]
    return {name: what for name, what in found.items() if what}


def _measure(page: Page, size: str, found: dict[str, Any]) -> None:
    found[f"{size} scrolls sideways"] = page.evaluate(WIDTH) > 0
    found[f"{size} small text"] = page.evaluate(SMALL_TEXT)
