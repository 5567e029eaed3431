"""Deleting one's account on the site: the word, a fresh sign-in, and what is left."""

from datetime import timedelta

import pytest

from core.store.tables import User, WebSession
from tests.support.site import Site


@pytest.fixture
def game(site: Site) -> int:
    return site.house.played("Anna", "Ben", "Clara", auction="open", moves=2)


def test_m52_an_account_is_deleted_by_its_word_and_its_games_stay(site: Site, game: int) -> None:
    anna = site.visitor("Anna")
    number = site.house.user("Anna").id
    assert "/profile/delete" in anna.page("/profile")
    assert "type the word “delete”" in anna.page("/profile/delete")
    answer = anna.post("/profile/delete", {"word": " Delete "})
    assert (answer.status_code, answer.location) == (303, "/")
    assert "Your account is deleted." in anna.page("/")
    assert anna.get("/profile").location.startswith("/sign-in")
    stranger = site.visitor()
    page = stranger.page(f"/games/{game}")
    assert "a former player" in page
    for path in (f"/games/{game}", f"/games/{game}/at/3", f"/games/{game}/log.jsonl", "/"):
        assert "Anna" not in stranger.get(path).text, path
    assert stranger.get(f"/players/{number}").status_code == 404
    assert "Take" in site.visitor("Dora").page(f"/games/{game}")  # the seat is free


@pytest.mark.parametrize("word", ["", "yes", "delet", "delete!"])
def test_another_word_deletes_nothing(site: Site, word: str) -> None:
    anna = site.visitor("Anna")
    answer = anna.post("/profile/delete", {"word": word})
    assert answer.status_code == 422
    assert "Nothing was deleted: please type the word delete." in answer.text
    assert site.house.all(User)[0].deleted_at is None
    assert anna.get("/profile").status_code == 200


def test_opening_the_page_deletes_nothing(site: Site) -> None:
    anna = site.visitor("Anna")
    for _ in range(3):
        anna.get("/profile/delete?word=delete")
    assert site.house.all(User)[0].deleted_at is None


def test_who_signed_in_long_ago_is_mailed_a_link_first(site: Site) -> None:
    anna = site.visitor("Anna")
    with site.house.write() as s:
        session = s.get_one(WebSession, 1)
        session.created_at -= timedelta(hours=2)
        s.add(session)
    page = anna.page("/profile/delete")
    assert "Mail me the link" in page
    assert 'name="word"' not in page
    assert anna.post("/profile/delete", {"word": "delete"}).status_code == 422
    assert site.house.all(User)[0].deleted_at is None
    asked = anna.post("/sign-in", {"email": "anna@example.org", "next": "/profile/delete"})
    assert asked.location == "/sign-in/sent"
    token = site.house.mails(kind="signin")[0].context["token"]
    assert anna.post(f"/sign-in/{token}").location == "/profile/delete"
    assert anna.post("/profile/delete", {"word": "delete"}).status_code == 303


def test_without_the_token_of_the_form_nothing_is_deleted(site: Site) -> None:
    anna = site.visitor("Anna")
    assert anna.client.post("/profile/delete", data={"word": "delete"}).status_code == 400
    assert site.house.all(User)[0].deleted_at is None
