"""Kinds of pages: orders and plans, what if, taking back, what a host does."""

from collections.abc import Callable

from playwright.sync_api import Page

from core.terms import Terms
from tests.browser import kinds_play
from tests.browser.gallery import Gallery, Place, kind, press

assert kinds_play


@kind("plan")
def _plan(gallery: Gallery) -> Place:
    names, terms = ("Ann", "Ben", "Cem"), Terms(planning="round")
    game = gallery.start(*names, title="Planned", auction="open", terms=terms)
    return Place(f"/games/{game}", "Ann")


@kind("plan, its orders")
def _plan_orders(gallery: Gallery) -> Place:
    return Place(gallery.place("plan").path + "/orders", "Ann")


def _ordered(gallery: Gallery) -> int:
    game = gallery.running("With orders")
    lines = "limit 20 to 26", "order fuel all at most 4 each", "order power all"
    gallery.order(game, gallery.idle(game), *lines)
    return game


@kind("orders in force")
def _orders_in_force(gallery: Gallery) -> Place:
    game = gallery.once(_ordered)
    return Place(f"/games/{game}/orders", gallery.idle(game))


@kind("table with orders")
def _table_with_orders(gallery: Gallery) -> Place:
    game = gallery.once(_ordered)
    return Place(f"/games/{game}", gallery.idle(game))


@kind("orders tried")
def _orders_tried(gallery: Gallery) -> Place:
    game = gallery.once(_ordered)
    lines = {"lines": "order build nothing\norder fuel all at most 30"}
    act = press("Show what that would do", lines)
    return Place(f"/games/{game}/orders", gallery.asked(game), act)


@kind("orders refused")
def _orders_refused(gallery: Gallery) -> Place:
    game = gallery.once(_ordered)
    act = press("Show what that would do", {"lines": "order build Atlantis"})
    return Place(f"/games/{game}/orders", gallery.asked(game), act)


@kind("what if")
def _what_if(gallery: Gallery) -> Place:
    place = gallery.place("fuel")
    return Place(place.path + "/whatif", place.who)


@kind("what if, tried")
def _what_if_tried(gallery: Gallery) -> Place:
    place = gallery.place("fuel")

    def act(page: Page) -> None:
        for _ in range(2):
            page.locator(".next .chips button").first.click()
            page.wait_for_load_state("load")

    return Place(place.path + "/whatif", place.who, act)


@kind("what if, refused")
def _what_if_refused(gallery: Gallery) -> Place:
    place = gallery.place("fuel")
    return Place(place.path + "/whatif", place.who, press("Try it", {"line": "buy 20 uranium"}))


@kind("undo")
def _undo(gallery: Gallery) -> Place:
    """Nobody has moved since."""
    game = gallery.running("Taken back at once")
    who = gallery.asked(game)
    gallery.house.move(game, gallery.house.seat(game, who), "buy nothing")
    return Place(f"/games/{game}/undo", who)


def _moved_since(gallery: Gallery) -> int:
    """A game in which the first to buy may only ask for his move back."""
    game = gallery.running("Taken back later")
    for _ in range(2):
        gallery.house.move(game, gallery.house.asked(game)[0].seat, "buy nothing")
    return game


@kind("undo, others asked")
def _undo_consent(gallery: Gallery) -> Place:
    game = gallery.once(_moved_since)
    first = gallery.house.state(game).order[-1]
    return Place(f"/games/{game}/undo", gallery.house.owner(game, first).name)


@kind("proposal")
def _proposal(gallery: Gallery) -> Place:
    """Somebody is asked whether a move may be taken back."""
    house = gallery.house
    game = gallery.running("A proposal")
    first = house.asked(game)[0].seat
    for _ in range(2):
        house.move(game, house.asked(game)[0].seat, "buy nothing")
    me = gallery.site.at(game, first)
    me.post(f"/games/{game}/undo", {"last": me.hidden(f"/games/{game}/undo", "last")})
    return Place(f"/games/{game}", house.owner(game, next(s for s in (0, 1, 2) if s != first)).name)


@kind("taken back")
def _taken_back(gallery: Gallery) -> Place:
    game = gallery.running("Taken back")
    seat = gallery.house.asked(game)[0].seat
    gallery.house.move(game, seat, "buy nothing")
    me = gallery.site.at(game, seat)
    me.post(f"/games/{game}/undo", {"last": me.hidden(f"/games/{game}/undo", "last")})
    return Place(f"/games/{game}", gallery.house.owner(game, seat).name)


@kind("leaving the game")
def _leaving(gallery: Gallery) -> Place:
    return Place(f"/games/{gallery.once(_ordered)}/resign", "Ann")


@kind("host tools")
def _host_tools(gallery: Gallery) -> Place:
    return Place(f"/games/{gallery.once(_ordered)}/host", "Ann")


@kind("vote")
def _vote(gallery: Gallery) -> Place:
    return Place(f"/games/{gallery.once(_ordered)}/host", "Ben")


def _host_look(name: str, act: Callable[[Page], None]) -> None:
    @kind(name)
    def make(gallery: Gallery) -> Place:
        return Place(f"/games/{gallery.once(_moved_since)}/host", "Ann", act)


def _correct(page: Page) -> None:
    form = page.locator("#correct")
    form.get_by_label("The move instead").fill("buy nothing")
    form.get_by_label("Why").fill("He meant nothing at all")
    form.get_by_role("button").click()
    page.wait_for_load_state("load")


def _end(page: Page) -> None:
    form = page.locator("#end")
    form.get_by_label("Why").fill("Two of us are ill.")
    form.get_by_role("button").click()
    page.wait_for_load_state("load")


_host_look("host looks at a correction", _correct)
_host_look("host looks at the end", _end)
