"""The gallery as its visitors see it."""

from datetime import timedelta

import pytest

from core.store.tables import Game
from core.table.people.gallery import PAGE
from tests.support.over import result
from tests.support.site import Site
from tests.support.table import NOON


def test_a_stranger_finds_games_with_winner_facts_and_ways_on(site: Site) -> None:
    game = result(site.house, {"Anna": 1, "Ben": 2}, closeness=3, rounds=11)
    with site.house.write() as s:
        s.get_one(Game, game).title = "Anna & Co"
    result(site.house, {"Clara": 1, "Dora": 2}, private=True, rated=False)
    page = site.visitor().page("/gallery")
    assert "<strong>Anna &amp; Co</strong>" in page
    assert "<strong>Anna</strong>" in page
    for words in ("Germany", "11 rounds", "2 players", "won by 3 Elektro", "Ben"):
        assert words in page, words
    assert "Clara" not in page
    for link in ("/games/1", "/games/1/replay", "/games/1/story"):
        assert f'href="{link}"' in page
    assert "Bring a game back" not in page
    assert "Bring a game back" in site.visitor("Emil").page("/gallery")


@pytest.mark.parametrize(
    ("closeness", "words"),
    [(0, "tie-break"), (1, "by 1 Elektro"), (1000, "by 1 city powered"), (2999, "by 2 cities")],
)
def test_how_close_it_was_is_said_in_words(site: Site, closeness: int, words: str) -> None:
    result(site.house, {"Anna": 1, "Ben": 2}, closeness=closeness)
    assert words in site.visitor().page("/gallery")


def test_an_empty_gallery_says_so_and_one_without_a_match_too(site: Site) -> None:
    assert "No public game has been played to its end yet" in site.visitor().page("/gallery")
    result(site.house, {"Anna": 1, "Ben": 2})
    page = site.visitor().page("/gallery?map=usa")
    assert "No game is like this" in page
    assert '<option value="usa" selected>' in page


def test_the_next_page_keeps_what_was_asked_for(site: Site) -> None:
    for n in range(PAGE + 1):
        result(site.house, {"1": 1, "2": 2}, ended=NOON + timedelta(hours=n))
    page = site.visitor().page("/gallery?map=germany&players=2")
    assert 'rel="next" href="/gallery?before=2&amp;map=germany&amp;players=2"' in page
    last = site.visitor().page("/gallery?before=2&map=germany&players=2")
    assert last.count('aria-label="Replay of') == 1
    assert 'rel="next"' not in last
    assert 'href="/gallery?map=germany&amp;players=2">Newest games' in last


@pytest.mark.parametrize(
    "query",
    ["before=x", "before=-1", "before=99999999999", "before=%00", "players=7", "players=x",
     "map=%27;drop", "close=zzz", "rated=maybe", "length=__class__", "variant=a&variant=b"],
)  # fmt: skip
def test_what_cannot_be_asked_for_is_not(site: Site, query: str) -> None:
    result(site.house, {"Anna": 1, "Ben": 2})
    assert "<strong>Anna</strong>" in site.visitor().page(f"/gallery?{query}")
