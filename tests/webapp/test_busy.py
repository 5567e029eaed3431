"""A database that others hold for long: pages answer soon, and nothing written is lost (S12)."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from core.store.session import write
from core.store.tables import Submission
from tests.support.site import Site


@pytest.fixture
def game(site: Site) -> int:
    """A game in which Ann is asked to open an auction."""
    return site.house.start("Ann", robots=2, auction="open")


@contextmanager
def held(site: Site) -> Iterator[None]:
    """Hold the database as a worker does that is long about something."""
    with write(site.house.engine) as session:
        session.connection()  # it begins with its first statement
        yield


def test_s12_a_move_is_refused_within_five_seconds_and_its_form_kept(site: Site, game: int) -> None:
    ann = site.visitor("Ann")
    turn = site.house.asked(game)[0].turn
    fields = {"do": "send", "turn": turn, "nonce": "n", "act": "open", "plant": "4", "amount": "37"}
    token = {"csrf_token": ann.token()}
    headers = {"Referer": f"http://localhost/games/{game}"}
    with held(site):
        began = time.monotonic()
        answer = ann.client.post(f"/games/{game}/turn", data=fields | token, headers=headers)
        took = time.monotonic() - began
    assert answer.status_code == 503
    assert answer.headers["Retry-After"]
    assert took < 5
    assert "nothing was done" in answer.text
    assert not site.house.all(Submission)
    assert 'value="37"' in ann.page(f"/games/{game}")


def test_s12_pages_are_shown_meanwhile(site: Site, game: int) -> None:
    ann = site.visitor("Ann")
    ann.page(f"/games/{game}")
    with held(site):
        began = time.monotonic()
        assert ann.get(f"/games/{game}").status_code == 200
        assert time.monotonic() - began < 2
