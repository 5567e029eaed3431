"""Kinds of pages: games as their players and others see them."""

from typing import Final

from playwright.sync_api import Page

from core.game import engine
from core.game.offers import (
    BidOffer,
    BuildOffer,
    DiscardOffer,
    OpeningOffer,
    PowerOffer,
    PurchaseOffer,
    RegionOffer,
)
from core.mail.addresses import TurnLink
from core.store.tables import Game
from core.terms import Terms
from tests.browser.gallery import Gallery, Place, kind, press

OFFERS: Final = {
    "regions": RegionOffer, "opening": OpeningOffer, "bid": BidOffer, "discard": DiscardOffer,
    "fuel": PurchaseOffer, "building": BuildOffer, "power": PowerOffer,
}  # fmt: skip


def finished(gallery: Gallery) -> int:
    """One finished game for all pages about such."""
    game = gallery.start("Ann", "Ben", "Cem", title="Over")
    gallery.play(game)
    return game


def _phase(name: str, offer: type) -> None:
    """A game at the first question of this kind, looked at by who is asked."""

    @kind(name)
    def make(gallery: Gallery) -> Place:
        auction = "open" if name == "bid" else "sealed"
        options = {"region_choice": "draft"} if name == "regions" else {}
        game = gallery.start("Ann", "Ben", "Cem", auction=auction, options=options, title=name)

        def there(state) -> bool:
            asked = engine.options(state, engine.to_act(state)[0])
            late = name in ("regions", "discard", "bid") or state.round > 2
            choice = len(getattr(asked, "targets", "more")) > 1
            return late and choice and isinstance(asked, offer)

        gallery.play(game, there)
        return Place(f"/games/{game}", gallery.asked(game))


for _name, _offer in OFFERS.items():
    _phase(_name, _offer)


@kind("six")
def _six(gallery: Gallery) -> Place:
    """Six companies with all their plants, one of whom is asked for another bid."""
    names = ("Ann", "Benedikt", "Cem", "Dora", "Emil", "Franziska")
    game = gallery.start(*names, auction="open", title="Six")

    def full(state) -> bool:
        owned = len(state.players[engine.to_act(state)[0]].plants)
        return owned == state.numbers.plant_limit and state.auction is not None

    gallery.play(game, full)
    return Place(f"/games/{game}", gallery.asked(game))


@kind("preview")
def _preview(gallery: Gallery) -> Place:
    place = gallery.place("building")

    def act(page: Page) -> None:
        page.locator("input[name=city]").first.check()
        press("Preview")(page)

    return Place(place.path, place.who, act)


@kind("refused")
def _refused(gallery: Gallery) -> Place:
    place = gallery.place("fuel")
    return Place(place.path, place.who, press("Preview", {"line": "buy 9 uranium"}))


@kind("overtaken")
def _overtaken(gallery: Gallery) -> Place:
    """A form that was drawn for an earlier question."""
    place = gallery.place("fuel")

    def act(page: Page) -> None:
        page.locator("#turn input[name=turn]").evaluate("e => e.value = 1")
        press("Preview", {"line": "buy nothing"})(page)

    return Place(place.path, place.who, act)


@kind("turn by mail")
def _turn_by_mail(gallery: Gallery) -> Place:
    game = gallery.game_of("power")
    turn = gallery.house.asked(game)[0]
    owner = gallery.house.owner(game, turn.seat)
    return Place(gallery.link(TurnLink(owner.id, game, turn.seat, turn.turn)))


@kind("turn that is over")
def _turn_that_is_over(gallery: Gallery) -> Place:
    game = gallery.game_of("power")
    return Place(gallery.link(TurnLink(gallery.house.owner(game, 0).id, game, 0, 1)))


@kind("waiting")
def _waiting(gallery: Gallery) -> Place:
    game = gallery.start("Ann", "Ben", "Cem", title="Waiting", auction="open")
    return Place(f"/games/{game}", gallery.idle(game))


@kind("spectator")
def _spectator(gallery: Gallery) -> Place:
    return Place(gallery.place("waiting").path)


@kind("finished")
def _finished(gallery: Gallery) -> Place:
    return Place(f"/games/{gallery.once(finished)}", "Ann")


@kind("rules of a table")
def _rules_of_a_table(gallery: Gallery) -> Place:
    return Place(f"/games/{gallery.once(finished)}/rules", "Ann")


@kind("story")
def _story(gallery: Gallery) -> Place:
    return Place(f"/games/{gallery.once(finished)}/story")


@kind("replay")
def _replay(gallery: Gallery) -> Place:
    return Place(f"/games/{gallery.once(finished)}/at/200")


@kind("abandoned")
def _abandoned(gallery: Gallery) -> Place:
    game = gallery.running("Given up")
    gallery.site.visitor("Ann").post(f"/games/{game}/host/end", {"reason": "Two of us are ill."})
    return Place(f"/games/{game}", "Ben")


@kind("stopped")
def _stopped(gallery: Gallery) -> Place:
    game = gallery.running("Stopped")
    with gallery.house.write() as s:
        s.get_one(Game, game).stopped_reason = "failed 5 times"
    return Place(f"/games/{game}", "Ann")


@kind("paused")
def _paused(gallery: Gallery) -> Place:
    game = gallery.running("Paused")
    gallery.site.visitor("Ann").post(f"/games/{game}/host/pause", {"reason": "holidays"})
    return Place(f"/games/{game}", gallery.asked(game))


@kind("chat and bank")
def _chat_and_bank(gallery: Gallery) -> Place:
    """A table with banks of time and some talk, where somebody is on vacation."""
    game = gallery.running("With a bank", "Ida", "Jan", "Kim", terms=Terms(clock="bank"))
    ida, jan = gallery.site.visitor("Ida"), gallery.site.visitor("Jan")
    ida.post(f"/games/{game}/chat", {"text": "Who took all the coal?", "nonce": "1"})
    jan.post(f"/games/{game}/chat", {"text": "Not me. Ask Kim, and be nice.", "nonce": "2"})
    ida.post(f"/games/{game}/note", {"text": "Kim wants the north."})
    gallery.site.visitor("Kim").post("/profile/vacation", {"days": "5"})
    return Place(f"/games/{game}", "Ida")
