"""Kinds of pages: what is there of games that are over, and statistics of who played them."""

from tests.browser.gallery import Gallery, Place, kind
from tests.browser.kinds_play import finished


def _of_the_game(name: str, rest: str) -> None:
    @kind(name)
    def make(gallery: Gallery) -> Place:
        return Place(f"/games/{gallery.once(finished)}/{rest}", "Ann")


_of_the_game("replay player", "replay")
_of_the_game("film", "film")


def _after_a_game(name: str, path: str) -> None:
    @kind(name)
    def make(gallery: Gallery) -> Place:
        gallery.once(finished)
        people = {one: gallery.house.user(one).id for one in ("Ann", "Ben")}
        return Place(path.format(**people), "Ann")


_after_a_game("gallery", "/gallery")
_after_a_game("statistics", "/statistics")
_after_a_game("player", "/players/{Ben}")
_after_a_game("two players", "/players/{Ann}/vs/{Ben}")


@kind("player who has not played")
def _fresh(gallery: Gallery) -> Place:
    return Place(f"/players/{gallery.house.user('Newcomer').id}")
