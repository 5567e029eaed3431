"""A site with every kind of page in every state, for whoever looks at all pages.

A kind is built when it is first opened, so that a test pays only for what it looks at. The kinds
are in kinds_play, kinds_acts and kinds_people.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import ModuleType
from typing import Final

from playwright.sync_api import Browser, Page

from core.bots import CARETAKER, bot
from core.game import engine
from core.game.observe import observe
from core.game.state import GameState
from core.game.types import Seat
from core.mail.addresses import Link, Links
from core.orders.notation import parse
from core.store.tables import Game
from core.table.acts import invitations, lobby
from core.table.play.play import Play
from core.table.record import gamelog, standing_orders
from tests.support.site import Site
from webapp.identity import COOKIE

DESKTOP: Final = {"width": 1440, "height": 900}
PHONE: Final = {"width": 390, "height": 844}
SMALL: Final = {"width": 360, "height": 640}


@dataclass(frozen=True)
class Place:
    """Where a page is, who looks at it, and what he does there before it is looked at."""

    path: str
    who: str | None = None
    act: Callable[[Page], None] = field(default=lambda page: None)


Build = Callable[["Gallery"], Place]
KINDS: Final[dict[str, Build]] = {}


def kind(name: str) -> Callable[[Build], Build]:
    """Register how this kind of page is made."""

    def keep(build: Build) -> Build:
        assert name not in KINDS
        KINDS[name] = build
        return build

    return keep


def kinds_of(module: ModuleType) -> list[str]:
    """The kinds of pages that a module makes."""
    return [name for name, build in KINDS.items() if build.__module__ == module.__name__]


def press(name: str, fill: Mapping[str, str] | None = None) -> Callable[[Page], None]:
    """Fill fields by their names, then press a button; the server is to see what is wrong."""

    def act(page: Page) -> None:
        page.evaluate("[...document.forms].forEach((form) => form.noValidate = true)")
        for one, text in (fill or {}).items():
            found = page.locator(f"main [name='{one}']").first
            found.evaluate("e => e.closest('details')?.setAttribute('open', '')")
            found.fill(text)
        page.get_by_role("button", name=name, exact=True).first.click()
        page.wait_for_load_state("load")

    return act


class Gallery:
    """The site, and the way to open a kind of page in a window."""

    def __init__(self, site: Site, address: str, browser: Browser) -> None:
        self.site, self.address, self.browser = site, address, browser
        self.house = site.house
        self._places: dict[str, Place] = {}
        self._games: dict[Callable[..., int], int] = {}
        site.app.add_url_rule("/broken", "broken", lambda: 1 // 0)
        site.app.config["PROPAGATE_EXCEPTIONS"] = False

    def place(self, name: str) -> Place:
        """The page of this kind; made once."""
        if name not in self._places:
            self._places[name] = KINDS[name](self)
        return self._places[name]

    def game_of(self, name: str) -> int:
        """Number of the game that a kind of page is about."""
        return int(self.place(name).path.split("/")[2])

    def open(self, name: str, size=DESKTOP, **how) -> Page:
        """Open a kind of page as whoever looks at it, and do what he does there."""
        place = self.place(name)
        page = self.visit(place.path, place.who, size, **how)
        place.act(page)
        return page

    def visit(self, path: str, who: str | None, size=DESKTOP, **how) -> Page:
        """Open an address in a window of its own."""
        page = self.browser.new_context(viewport=size, **how).new_page()
        self._go(page, path, who)
        return page

    def show(self, page: Page, name: str, size=DESKTOP) -> None:
        """The same as `open` in a window that is there, which costs far less than a new one."""
        place = self.place(name)
        page.set_viewport_size(size)
        page.context.clear_cookies()
        self._go(page, place.path, place.who)
        place.act(page)

    def _go(self, page: Page, path: str, who: str | None) -> None:
        if who is not None:
            secret = self.site.visitor(who).client.get_cookie(COOKIE).value
            page.context.add_cookies([{"name": COOKIE, "value": secret, "url": self.address}])
        page.goto(self.address + path)

    def link(self, link: Link) -> str:
        """Path of a link as mails have it."""
        settings = self.site.settings
        url = Links(settings.secret_key, settings.public_url).url(link)
        return url.removeprefix(settings.public_url)

    def once(self, make: Callable[["Gallery"], int]) -> int:
        """The game that this makes; one for all pages about it."""
        if make not in self._games:
            self._games[make] = make(self)
        return self._games[make]

    def start(self, *names: str, seed: int = 1, **settings) -> int:
        """A game that has begun, the same each time."""
        game = self.house.open(*names, **settings)
        with self.house.write() as s:
            lobby.start(s, gamelog.find(s, game), self.house.now, seed=f"{seed:064x}")
        return game

    def play(self, game: int, until: Callable[[GameState], bool] = lambda _state: False) -> None:
        """Play on by bots in one go: only where it ends, people are asked."""
        with self.house.write() as s:
            play = Play.resume(s, gamelog.lock(s, game), self.house.now)
            while (acting := engine.to_act(play.state)) and not until(play.state):
                move = bot(CARETAKER).move(observe(play.state, acting[0]))
                play.move(acting[0], move, "move")
                play.play_automatic(50)
            play.settle()

    def running(self, title: str, *names: str, **settings) -> int:
        """A game in its second round, with fuel to be bought."""
        who = names or ("Ann", "Ben", "Cem")
        game = self.start(*who, **{"title": title, "auction": "open", **settings})
        self.play(game, lambda s: s.round > 1 and s.phase == "resources")
        return game

    def asked(self, game: int) -> str:
        """Name of the first who is asked."""
        return self.house.owner(game, self.house.asked(game)[0].seat).name

    def idle(self, game: int) -> str:
        """Name of somebody who is not asked."""
        asked = {turn.seat for turn in self.house.asked(game)}
        seat = next(s for s in range(3) if s not in asked)
        return self.house.owner(game, seat).name

    def order(self, game: int, name: str, *lines: str) -> None:
        """Put standing orders in force."""
        with self.house.write() as s:
            row, state = gamelog.lock(s, game), gamelog.load(s, game)
            seat = Seat(self.house.seat(game, name))
            for line in lines:
                standing_orders.give(
                    s, row, state, seat, parse(line, state.ruleset), self.house.now
                )

    @contextmanager
    def later(self) -> Iterator[None]:
        """Let a test's clock run ahead, and then be the real one again."""
        self.house._now = self.house.now
        yield
        self.house._now = None

    def invite(self, game: int, email: str, name: str) -> int:
        """Number of a new invitation."""
        with self.house.write() as s:
            return invitations.invite(s, s.get_one(Game, game), email, name, self.house.now).id
