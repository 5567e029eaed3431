"""The story of a game in numbers: for everybody when it is over, without secrets before."""

import re

import pytest

from core.store.tables import SeatRow
from tests.support.site import Site


@pytest.fixture
def over(site: Site) -> tuple[Site, int]:
    game_id = site.house.played("Ann", "Ben", "Cem")
    return site, game_id


def cells(row: str) -> list[str]:
    return [re.sub(r"<[^>]+>", "", cell).strip() for cell in re.findall(r"<t[hd].*?</t[hd]>", row)]


def rows_under(page: str, title: str) -> list[list[str]]:
    part = page[page.index(f'id="{title}"') :]
    body = part[part.index("<tbody>") : part.index("</tbody>")]
    return [cells(row) for row in re.findall(r"<tr.*?</tr>", body, re.DOTALL)]


def test_the_amounts_of_the_page_sum_up_to_everybodys_elektro(over):
    site, game_id = over
    page, final = site.visitor().page(f"/games/{game_id}/story"), site.house.state(game_id)
    rows = rows_under(page, "money-title")
    assert len(rows) == 3
    for row, player in zip(rows, final.players, strict=True):
        *amounts, total = map(int, row[1:])
        assert sum(amounts) == total == player.elektro


def test_every_plot_has_its_table_with_a_row_for_each_round(over):
    site, game_id = over
    page, final = site.visitor().page(f"/games/{game_id}/story"), site.house.state(game_id)
    plots = re.findall(r'<svg[^>]*class="plot"', page)
    assert len(plots) == 7
    rows = rows_under(page, "cities-title")
    assert [int(row[0]) for row in rows] == list(range(1, final.round + 1))
    assert [int(cell) for cell in rows[-1][1:]] == [len(p.cities) for p in final.players]


def test_the_end_says_who_decided_it_when_and_why(over):
    site, game_id = over
    page = site.visitor().page(f"/games/{game_id}/story")
    seated = site.house.all(SeatRow, game_id=game_id)
    won = site.house.state(game_id).standings[0].seat
    winner = next(row.name for row in seated if row.seat == won)
    decided = re.search(r'<p class="big">(.*?)</p>', page).group(1)
    assert winner in decided
    assert re.search(r"Round \d+|first round|last", decided)
    assert f'href="/games/{game_id}/story"' in site.visitor().page(f"/games/{game_id}")


def test_a_running_game_tells_what_is_known_and_hidden_money_is_not(site: Site):
    game_id = site.house.played("Ann", "Ben", options={"hidden_money": False}, moves=30)
    assert site.visitor().get(f"/games/{game_id}/story").status_code == 200
    secret = site.house.played("Ann", "Ben", options={"hidden_money": True}, moves=30)
    for visitor in (site.visitor(), site.at(secret, 0)):
        answer = visitor.get(f"/games/{secret}/story")
        assert answer.status_code == 403
        assert "Money is hidden" in answer.text
    site.house.play(secret)
    assert site.visitor().get(f"/games/{secret}/story").status_code == 200


def test_before_its_game_a_table_has_no_story(site: Site):
    game_id = site.house.open("Ann", players=3)
    assert site.visitor("Ann").get(f"/games/{game_id}/story").status_code == 403
