"""The film's page, the card of a link, and who may see them."""

import re
from datetime import timedelta
from io import BytesIO

import pytest
from PIL import Image

from core.store.tables import Game, Heartbeat, Picture
from core.table.views import pictures
from tests.support.finished import finished
from tests.support.site import Site
from tests.support.twins import twin


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "_WIDTH", 120)
    monkeypatch.setattr(pictures, "MOST_STILLS", 4)
    monkeypatch.setattr("tasks.enqueue.draw", lambda: None)


@pytest.fixture
def game_id(site: Site) -> int:
    return finished(site.house, players=2)


def work(site: Site) -> None:
    """The worker's part."""
    while pictures.work(site.house.engine, lambda: site.house.now):
        pass


def hide(site: Site, game_id: int) -> None:
    with site.house.write() as s:
        s.get_one(Game, game_id).private = True


def beat(site: Site, **ago: float) -> None:
    with site.house.write() as s:
        s.merge(Heartbeat(name="worker", at=site.house.now - timedelta(**ago)))


def test_a_film_is_asked_for_made_and_kept(site: Site, game_id: int):
    visitor, at = site.visitor(), f"/games/{game_id}/film"
    assert f'href="{at}"' in visitor.page(f"/games/{game_id}")
    assert "Make the film" in visitor.page(at)
    assert visitor.get(f"{at}.webp").status_code == 404
    for _ in range(2):
        assert visitor.post(at).location == at
    assert len(site.house.all(Picture)) == 1
    beat(site)
    waiting = visitor.get(at)
    assert waiting.headers["Refresh"] == "3"
    assert "<progress" in waiting.text
    assert "not running" not in waiting.text
    work(site)
    done = visitor.get(at)
    assert "Refresh" not in done.headers
    assert f'<img class="film" src="{at}.webp"' in done.text
    film = visitor.get(f"{at}.webp")
    assert film.content_type == "image/webp"
    assert Image.open(BytesIO(film.data)).is_animated
    assert visitor.get(f"{at}.webp", headers={"If-None-Match": film.headers["ETag"]}).data == b""


@pytest.mark.parametrize("ago", [None, 120])
def test_a_page_that_waits_in_vain_says_that_no_worker_runs(site: Site, game_id: int, ago):
    if ago:
        beat(site, seconds=ago)
    visitor = site.visitor()
    visitor.post(f"/games/{game_id}/film")
    page = visitor.page(f"/games/{game_id}/film")
    assert "not running" in page
    assert "Nothing is lost" in page


def test_a_film_that_failed_says_why_and_can_be_tried_again(
    site: Site, game_id: int, monkeypatch: pytest.MonkeyPatch
):
    visitor, at = site.visitor(), f"/games/{game_id}/film"
    visitor.post(at)
    with monkeypatch.context() as tight:
        tight.setattr(pictures, "MOST_BYTES", 1000)
        work(site)
    page = visitor.page(at)
    assert "larger than 2 MB" in page
    assert "Try again" in page
    visitor.post(at)
    work(site)
    assert visitor.get(f"{at}.webp").status_code == 200


def test_no_film_of_a_running_game(site: Site):
    running = site.house.start("Ann", "Ben")
    for answer in (
        site.visitor("Ann").get(f"/games/{running}/film"),
        site.visitor("Ann").post(f"/games/{running}/film"),
    ):
        assert answer.status_code == 403
        assert "when the game is over" in answer.text


def test_a_private_games_pictures_are_for_those_who_may_see_it(site: Site):
    house = site.house
    game_id = house.played("Ann", "Ben")
    hide(site, game_id)
    ann, stranger, at = site.visitor("Ann"), site.visitor("Eve"), f"/games/{game_id}"
    ann.post(f"{at}/film")
    work(site)
    for path in ("/film", "/film.webp", "/card.png", "/report.txt", "/print"):
        assert stranger.get(at + path).status_code == 404, path
        assert site.visitor().get(at + path).status_code == 404, path
        assert ann.get(at + path).status_code == 200, path
    assert stranger.post(f"{at}/film").status_code == 404
    assert ann.get(f"{at}/film.webp").headers["Cache-Control"].startswith("private")


def tag(page: str, name: str) -> str:
    return re.search(rf'<meta property="{name}" content="([^"]*)"', page)[1]


def test_the_card_of_a_public_game_goes_with_its_link(site: Site, game_id: int):
    visitor, at = site.visitor(), f"/games/{game_id}/card.png"
    plain = visitor.get(at)
    assert Image.open(BytesIO(plain.data)).size == (1200, 630)
    with site.house.write() as s:
        pictures.owe_cards(s, site.house.now)
    work(site)
    card = visitor.get(at)
    assert card.data != plain.data
    assert Image.open(BytesIO(card.data)).size == (1200, 630)
    assert card.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    for path in (f"/games/{game_id}", f"/games/{game_id}/story"):
        page = visitor.page(path)
        assert tag(page, "og:image") == f"http://127.0.0.1:8000{at}"
        assert tag(page, "og:title") == site.house.game(game_id).title
        assert 'name="twitter:card" content="summary_large_image"' in page


def test_a_private_game_has_the_general_card(site: Site, game_id: int):
    house = site.house
    game_id = house.start("Ann", "Ben")
    with house.write() as s:
        pictures.owe_cards(s, house.now)
    work(site)
    hide(site, game_id)
    page = site.visitor("Ann").page(f"/games/{game_id}")
    assert tag(page, "og:image") == "http://127.0.0.1:8000/static/card.png"
    own = site.visitor("Ann").get(f"/games/{game_id}/card.png")
    assert own.data == site.visitor().get("/static/card.png").data


def test_m66_a_card_of_a_running_game_is_the_same_in_its_twins(site: Site):
    """Whatever lies in the stack and players keep to themselves; and no address is on it."""
    house = site.house
    game_id = house.played("Ann", "Ben", "Cem", until=lambda state: state.round == 2)

    def card() -> str:
        with house.read() as s:
            return pictures.card(s, s.get_one(Game, game_id), house.now)

    true = card()
    assert "Round 2" in true
    assert "Elektro" not in true
    assert "@" not in re.sub(r"<style>.*?</style>", "", true)
    with twin(house, game_id, keep=None, number=1):
        assert card() == true
    house.play(game_id, until=lambda state: state.round == 3)
    assert card() != true
