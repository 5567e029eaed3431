"""Kinds of pages: games as their players and others see them."""

from typing import Final

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
from tests.browser.gallery import Gallery, Place, kind

OFFERS: Final = {
    "regions": RegionOffer, "opening": OpeningOffer, "bid": BidOffer, "discard": DiscardOffer,
    "fuel": PurchaseOffer, "building": BuildOffer, "power": PowerOffer,
}  # fmt: skip


def finished(gallery: Gallery) -> int:
    """One finished game for all pages about such."""
    game = gallery.house.start("Ann", "Ben", "Cem", title="Over")
    gallery.house.play(game)
    return game


def _phase(name: str, offer: type) -> None:
    """A game at the first question of this kind, looked at by who is asked."""

    @kind(name)
    def make(gallery: Gallery) -> Place:
        house = gallery.house
        auction = "open" if name == "bid" else "sealed"
        options = {"region_choice": "draft"} if name == "regions" else {}
        game = house.start("Ann", "Ben", "Cem", auction=auction, options=options, title=name)

        def there(state) -> bool:
            asked = engine.options(state, house.asked(game)[0].seat)
            late = name in ("regions", "discard", "bid") or state.round > 2
            choice = len(getattr(asked, "targets", "more")) > 1
            return late and choice and isinstance(asked, offer)

        house.play(game, until=there)
        return Place(f"/games/{game}", gallery.asked(game))


for _name, _offer in OFFERS.items():
    _phase(_name, _offer)


@kind("six")
def _six(gallery: Gallery) -> Place:
    """Six companies with all their plants, one of whom is asked for another bid."""
    house, names = gallery.house, ("Ann", "Benedikt", "Cem", "Dora", "Emil", "Franziska")
    game = house.start(*names, auction="open", title="Six")

    def full(state) -> bool:
        owned = len(state.players[house.asked(game)[0].seat].plants)
        return owned == state.numbers.plant_limit and state.auction is not None

    house.play(game, until=full)
    return Place(f"/games/{game}", gallery.asked(game))


@kind("waiting")
def _waiting(gallery: Gallery) -> Place:
    game = gallery.house.start("Ann", "Ben", "Cem", title="Waiting", auction="open")
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
