"""The replay: every position of a game has its page."""

import re

import pytest

from tests.support.site import Site


@pytest.fixture
def played(site: Site) -> tuple[Site, int]:
    """A game of two that has gone on for some rounds."""
    game_id = site.house.start("Ann", "Ben", auction="open")
    site.house.play(game_id, moves=40)
    return site, game_id


def test_every_position_has_its_page_for_everybody(played):
    """M50: stepping from the first event to the last covers all kinds of events."""
    site, game_id = played
    length = site.house.game(game_id).seq
    visitor = site.visitor()
    for n in range(1, length + 1):
        text = visitor.page(f"/games/{game_id}/at/{n}")
        assert f"event {n} of {length}" in text
    for n in (0, length + 1):
        assert visitor.get(f"/games/{game_id}/at/{n}").status_code == 404


def test_next_leads_from_the_first_to_the_last_and_back(played):
    site, game_id = played
    visitor, length = site.visitor(), site.house.game(game_id).seq

    def walk(start: int, rel: str) -> list[int]:
        seen, n = [start], start
        while match := re.search(
            rf'data-go="{rel}" href="/games/{game_id}/at/(\d+)"',
            visitor.page(f"/games/{game_id}/at/{n}"),
        ):
            n = int(match.group(1))
            seen.append(n)
        return seen

    forward = walk(1, "next")
    assert forward == sorted(set(forward))
    assert len(forward) > 40
    assert walk(forward[-1], "previous") == forward[::-1]
    assert forward[-1] <= length
    assert len(walk(1, "round-on")) >= site.house.state(game_id).round


def test_what_changed_is_told_and_a_new_house_is_ringed(played):
    site, game_id = played
    n = site.house.kinds(game_id).index("CityConnected") + 1
    page = site.visitor().page(f"/games/{game_id}/at/{n}")
    changed = page[page.index("What changed") :]
    event = site.house.events(game_id)[n - 1]
    name = site.house.state(game_id).ruleset.city[event.city].name
    assert name in changed[:600]
    assert 'class="ring"' in page
    assert 'class="ring"' not in site.visitor().page(f"/games/{game_id}")


def test_a_position_is_that_after_its_event_and_not_a_moment_later(played):
    site, game_id = played
    kinds = site.house.kinds(game_id)

    def houses(n: int) -> int:
        board = site.visitor().page(f"/games/{game_id}/at/{n}")
        return board[board.index("<svg xmlns") :].count('class="house')

    for n in [n for n, kind in enumerate(kinds, 1) if kind == "CityConnected"][:3]:
        assert houses(n) == houses(n - 1) + 1


def test_the_past_offers_no_move(played):
    site, game_id = played
    seat = site.house.asked(game_id)[0].seat
    page = site.at(game_id, seat).page(f"/games/{game_id}/at/{site.house.game(game_id).seq}")
    assert '<form method="post"' not in page
    assert "Your move" not in page


def test_m51_the_slider_works_without_scripts(played):
    site, game_id = played
    for given, n in (("7", 7), ("x", 1), ("", 1), ("99999999999", 1)):
        answer = site.visitor().get(f"/games/{game_id}/at?n={given}")
        assert answer.location == f"/games/{game_id}/at/{n}"


def test_m53_m55_the_log_links_each_line_to_its_position(played):
    """M53, M55: an address and a time for every line."""
    site, game_id = played
    page = site.visitor().page(f"/games/{game_id}")
    log = page[page.index('id="log"') :]
    links = re.findall(rf'href="/games/{game_id}/at/(\d+)" title="([^"]+)"', log)
    assert len(links) > 20
    assert all("UTC" in time for _n, time in links)


def test_the_end_is_explained(site: Site):
    game_id = site.house.start("Ann", "Ben", auction="sealed")
    site.house.play(game_id)
    page = site.visitor().page(f"/games/{game_id}")
    assert "The game is over" in page
    assert "won" in page
    assert "Watch the replay" in page
    assert site.visitor("Ann").get(f"/games/{game_id}").status_code == 200
    seed = site.house.game(game_id).seed
    assert len(seed) == 64
