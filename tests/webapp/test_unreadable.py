"""S10: the pages of people whose game cannot be read say so, and all their other pages work."""

import pytest

from core.store.tables import EventRow
from core.table.record import gamelog
from tests.support.site import Site


@pytest.fixture
def broken(site: Site) -> int:
    game = site.house.start("Anna", "Ben", title="Broken")
    site.house.start("Anna", "Cleo", title="Whole")
    site.house.open("Dora", "Ben", title="Gathering")
    with site.house.write() as s:
        row = gamelog.lock(s, game)
        row.seq += 1
        body = {"type": "HeardOfByLaterVersions", "v": 1}
        s.add(EventRow(game_id=game, seq=row.seq, at=site.house.now, body=body))
    return game


def test_s10_its_own_pages_say_that_it_stands_still(site: Site, broken: int):
    anna = site.visitor("Anna")
    for path in (
        f"/games/{broken}",
        f"/games/{broken}/host",
        f"/games/{broken}/at/2",
        f"/api/tables/{broken}",
    ):
        answer = anna.get(path)
        assert answer.status_code == 503, path
        assert "stands still" in answer.text


@pytest.mark.parametrize(
    "path", ["/", "/profile", "/profile/clock", "/profile/mail", "/profile/channels", "/gallery",
             "/games/2", "/games/3", "/statistics", "/api/me/turns", "/players/1", "/players/2"]
)  # fmt: skip
def test_s10_all_other_pages_of_its_players_work(site: Site, broken: int, path: str):
    for name in ("Anna", "Ben"):
        assert site.visitor(name).get(path).status_code < 500, path
