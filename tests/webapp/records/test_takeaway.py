"""What is taken away of a game: as a text, on paper."""

import re

import pytest

from tests.support import hosting
from tests.support.finished import finished
from tests.support.site import Site


@pytest.fixture
def running(site: Site) -> int:
    """A game of three that has just begun its fourth round, with hidden money."""
    return site.house.played("Ann", "Ben", "Cem", until=lambda state: state.round == 4)


def rounds(text: str) -> list[str]:
    return re.findall(r"^Round (\d+) ", text, re.MULTILINE)


def test_a_finished_game_is_told_to_its_end(site: Site):
    game_id = finished(site.house)
    final = site.house.state(game_id)
    answer = site.visitor().get(f"/games/{game_id}/report.txt")
    assert answer.content_type == "text/plain; charset=utf-8"
    assert rounds(answer.text) == [str(n) for n in range(1, final.round + 1)]
    assert "Final table" in answer.text
    assert "Seed of all chance:\n" + "be" * 32 in answer.text
    assert f"http://127.0.0.1:8000/games/{game_id}\n" in answer.text
    assert max(map(len, answer.text.splitlines())) <= 78


def test_a_running_game_is_told_as_far_as_it_is_and_money_only_to_its_owner(
    site: Site, running: int
):
    stranger = site.visitor().page(f"/games/{running}/report.txt")
    assert rounds(stranger) == ["1", "2", "3"]
    assert "Still running" in stranger
    assert "Money is hidden" in stranger
    assert "Elektro in round" not in stranger
    assert ", has " not in stranger
    assert "Seed" not in stranger
    mine = site.visitor("Ann").page(f"/games/{running}/report.txt")
    assert [line for line in mine.splitlines() if re.match(r"(Ann|Ben|Cem)  ", line)] == [
        line for line in mine.splitlines() if re.match(r"Ann  +\d", line)
    ]
    money = site.house.state(running).players[site.house.seat(running, "Ann")].elektro
    assert re.findall(r"^Ann .* (\d+)$", mine, re.MULTILINE)[-1] == str(money)


def test_where_money_is_open_all_sums_are_told_while_the_game_runs(site: Site):
    game_id = site.house.played(
        "Ann", "Ben", options={"hidden_money": False}, until=lambda state: state.round == 2
    )
    text = site.visitor().page(f"/games/{game_id}/report.txt")
    assert "Elektro in round 1" in text
    assert re.search(r"^Ben  +50 ", text, re.MULTILINE)


def test_an_abandoned_game_says_why_and_has_no_final_table(site: Site, running: int):
    with site.house.write() as s:
        hosting.end(s, running, site.house.user("Ann"), "Holiday", site.house.now)
    text = site.visitor().page(f"/games/{running}/report.txt")
    assert "Holiday" in text
    assert "Final table" not in text
    assert "Elektro in round 2" in text
    assert "Holiday" in site.visitor().page(f"/games/{running}/print")


@pytest.mark.parametrize("kind", ["report.txt", "print"])
def test_before_its_game_a_table_has_nothing_to_take_away(site: Site, kind: str):
    game_id = site.house.open("Ann", players=3)
    answer = site.visitor("Ann").get(f"/games/{game_id}/{kind}")
    assert answer.status_code == 403
    assert "has not begun" in answer.text


def test_paper_has_a_cover_a_sheet_for_each_round_and_the_end(site: Site):
    game_id = finished(site.house)
    page = site.visitor().page(f"/games/{game_id}/print")
    assert page.count('<article class="leaf') == site.house.state(game_id).round + 2
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_paper_of_a_running_game_has_no_end_and_no_hidden_money(site: Site, running: int):
    page = site.visitor().page(f"/games/{running}/print")
    assert page.count('<article class="leaf') == 1 + 3
    assert "The whole game" not in page
    purses = re.findall(r'class="purses".*?</table>', page, re.DOTALL)
    assert all(table.count('<td class="num">?</td>') == 3 * 7 for table in purses)


def test_each_round_on_paper_shows_the_board_at_its_end(site: Site):
    game_id = finished(site.house)
    page = site.visitor().page(f"/games/{game_id}/print")
    final = site.house.state(game_id)
    sheets = page.split('<article class="leaf round')[1:]
    houses = [sheet[: sheet.index("markets")].count('class="house') for sheet in sheets]
    assert houses == sorted(houses)
    assert houses[-1] == sum(len(player.cities) for player in final.players)


def test_the_game_page_leads_to_both(site: Site):
    game_id = finished(site.house)
    page = site.visitor().page(f"/games/{game_id}")
    assert f'href="/games/{game_id}/report.txt"' in page
    assert f'href="/games/{game_id}/print"' in page
