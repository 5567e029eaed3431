"""Statistics pages: what they say, and that strangers learn nothing of private games."""

import re
from datetime import timedelta

import pytest

from core.store.tables import User
from core.terms import Terms
from tests.support.over import result
from tests.support.table import NOON
from tests.table.record.test_results import rate_all


def words(page: str) -> str:
    """A page's text without its marks."""
    page = page[page.index("<main") : page.index("</main")]
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


@pytest.fixture
def played(site):
    """Ben has won in public and lost in private; Dora has only played in private."""
    result(site.house, {"Anna": 2, "Ben": 1, "Clara": 3}, ended=NOON)
    result(site.house, {"Anna": 1, "Ben": 2}, ended=NOON + timedelta(1), map="usa", private=True,
           rated=False, unrated="private")  # fmt: skip
    result(site.house, {"Anna": 1, "Dora": 2}, private=True, rated=False, unrated="private")
    rate_all(site.house)
    return site


def of(site, name: str) -> str:
    return f"/players/{site.house.user(name).id}"


def pair(site, one: str, other: str) -> str:
    return f"{of(site, one)}/vs/{site.house.user(other).id}"


def test_a_player_in_numbers(played) -> None:
    page = words(played.visitor().page(of(played, "Ben")))
    assert "1 game, 1 won (100 %), average place 1.0" in page
    assert "provisional, from fewer than 8 rated games" in page
    assert "Clara" in page and "Compare" in page
    assert "Usually answers within 2 minutes" in page


@pytest.mark.parametrize("who", [None, "Clara", "Dora"])
def test_whoever_was_not_there_learns_nothing_of_a_private_game(played, who) -> None:
    """The pages are those of a site on which it was never played, letter by letter."""
    visitor = played.visitor(who)
    paths = [of(played, "Anna"), of(played, "Ben"), pair(played, "Anna", "Ben"), "/statistics"]
    seen = [words(visitor.page(path)) for path in paths]
    assert "USA" not in seen[0] + seen[1] + seen[2]
    assert "1 game, 1 won (100 %)" in seen[1]
    if who != "Dora":
        assert "Dora" not in "".join(seen)
        for path in (of(played, "Dora"), pair(played, "Anna", "Dora"), "/players/Dora"):
            assert visitor.get(path).status_code == 404
    result(played.house, {"Ben": 1, "Anna": 2}, private=True, rated=False, unrated="private")
    rate_all(played.house)
    assert [words(visitor.page(path)) for path in paths] == seen


def test_who_was_there_sees_it_counted(played) -> None:
    page = words(played.visitor("Anna").page(of(played, "Ben")))
    assert "2 games, 1 won (50 %), average place 1.5" in page
    assert "USA" in page
    page = words(played.visitor("Ben").page(pair(played, "Ben", "Anna")))
    assert "In 2 games together: Ben came in before Anna once, Anna before Ben once, level " in page


def test_who_does_not_share_private_games_keeps_them_to_himself(played) -> None:
    ben = played.visitor("Ben")
    form = {"name": "Ben", "zone": "UTC", "mail_turns": "on"}
    assert ben.post("/profile", form).status_code == 303
    assert not played.house.get(User, played.house.user("Ben").id).share_private
    anna = played.visitor("Anna")
    assert "1 game, 1 won" in words(anna.page(of(played, "Ben")))
    assert "In 1 game together" in words(anna.page(pair(played, "Anna", "Ben")))
    assert "2 games, 1 won" in words(ben.page(of(played, "Ben")))
    assert ben.post("/profile", {**form, "share_private": "on"}).status_code == 303
    assert "2 games, 1 won" in words(anna.page(of(played, "Ben")))


def test_no_page_shows_an_address(played) -> None:
    for path in (of(played, "Ben"), pair(played, "Ben", "Anna"), "/statistics", "/players/Ben"):
        assert "@example.org" not in played.visitor("Anna").page(path)


def test_one_who_sits_nowhere_one_may_look_is_not_there(site) -> None:
    lonely = site.house.user("Lonely")
    assert site.visitor().get(f"/players/{lonely.id}").status_code == 404
    assert site.visitor().get("/players/Lonely").status_code == 404
    assert "No finished game" in site.visitor("Lonely").page(f"/players/{lonely.id}")
    site.house.open("Lonely", "Other")
    assert site.visitor().get(f"/players/{lonely.id}").status_code == 200
    assert site.visitor().get("/players/999999999").status_code == 404


def test_a_name_leads_to_its_player_or_to_all_who_have_it(played) -> None:
    with played.house.write() as s:
        clara = s.get_one(User, played.house.user("Clara").id)
        clara.name = "Ben"
        s.add(clara)
    page = played.visitor().page("/players/Ben")
    assert page.partition("<footer")[0].count('href="/players/') == 2
    answer = played.visitor().get("/players/Anna")
    assert (answer.status_code, answer.location) == (302, of(played, "Anna"))


def test_a_player_against_himself_is_his_own_page(played) -> None:
    assert played.visitor().get(pair(played, "Ben", "Ben")).location == of(played, "Ben")


def test_the_whole_site(played) -> None:
    page = words(played.visitor().page("/statistics"))
    assert "Germany 1 10.0 1.0 100" in page
    assert "3 players Place in order Games Won % Average place 1 1 0.0 2.00 2 1 100.0 1.00" in page
    assert "No game fits" in words(played.visitor().page("/statistics?map=usa"))
    assert played.visitor().get("/statistics?map=%00nothing&variant='").status_code == 200


def test_an_empty_site(site) -> None:
    page = words(site.visitor().page("/statistics"))
    assert "No public game has been played to its end yet" in page


def test_tables_say_whether_they_count(site) -> None:
    rated, private = site.house.open("Anna", "Ben"), site.house.open("Anna", robots=1, private=True)
    fun = site.house.open("Anna", "Ben", terms=Terms(rated=False))
    anna = site.visitor("Anna")
    assert "rated, where at least two people play" in anna.page(f"/games/{rated}")
    assert "private games do not count" in anna.page(f"/games/{private}")
    assert "unrated, as agreed" in anna.page(f"/games/{fun}")
    assert anna.page("/").count("· unrated") == 1
