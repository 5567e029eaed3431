"""Pictures: owed once, made in slices by one at a time, given up and tried again."""

from datetime import datetime, timedelta
from io import BytesIO

import pytest
from PIL import Image, ImageChops

from core.game.events import GameEnded
from core.game.evolve import replay
from core.store.tables import Game, Picture
from core.table.record import calendar, deadlines
from core.table.record.errors import TableError
from core.table.record.timeline import timeline
from core.table.views import pictures
from core.terms import Terms
from tests.support.finished import finished

pytestmark = pytest.mark.usefixtures("small")


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "_WIDTH", 120)


@pytest.fixture
def game_id(house) -> int:
    return finished(house, players=2)


def owe(house, game_id: int, kind: str = pictures.FILM) -> None:
    with house.write() as s:
        pictures.owe(s, s.get_one(Game, game_id), kind, house.now)


def row(house, game_id: int, kind: str = pictures.FILM) -> Picture:
    return house.get(Picture, (game_id, kind))


def step(house) -> bool:
    """One slice: the clock runs four seconds each time somebody looks at it."""
    times = iter(house.now + timedelta(seconds=5 * n) for n in range(99))
    return pictures.work(house.engine, lambda: next(times))


def test_a_film_stops_after_every_phase_and_shows_the_result_last(house, game_id):
    with house.read() as s:
        stops = pictures.stops(timeline(s, s.get_one(Game, game_id)))
    events = house.events(game_id)
    assert stops[-1] == len(events)
    assert list(stops) == sorted(set(stops))
    seen = [(p.round, p.phase) for p in (replay(events[:n]) for n in stops)]
    assert len(set(seen)) == len(seen)
    assert {n for n, _phase in seen} == set(range(replay(events).round + 1))
    assert any(isinstance(event, GameEnded) for event in events[stops[-2] :])


def test_a_long_game_is_shown_in_larger_steps(house, game_id, monkeypatch):
    monkeypatch.setattr(pictures, "MOST_STILLS", 10)
    with house.read() as s:
        stops = pictures.stops(timeline(s, s.get_one(Game, game_id)))
    assert 4 < len(stops) <= 11
    assert stops[-1] == house.game(game_id).seq


def test_a_film_that_is_made_in_slices_is_the_same_as_one_made_at_once(house, game_id, monkeypatch):
    monkeypatch.setattr(pictures, "MOST_STILLS", 6)
    owe(house, game_id)
    seen = []
    while step(house):
        seen.append(row(house, game_id).done)
        assert len(seen) < 50
    assert seen == sorted(set(seen))
    assert len(seen) > 2
    made = row(house, game_id)
    assert made.status == "ready"
    with house.read() as s:
        reel = pictures.FilmFrames(s, s.get_one(Game, game_id))
    shown = Image.open(BytesIO(made.body))
    assert shown.n_frames == len(reel.stops) == made.total
    for n in range(shown.n_frames):
        shown.seek(n)
        difference = ImageChops.difference(shown.convert("RGB"), reel.picture(n, 120))
        assert difference.getbbox() is None


def test_only_one_picture_is_made_at_a_time(house, game_id):
    owe(house, game_id)
    owe(house, game_id, pictures.CARD)
    with house.write() as s:
        taken = s.get_one(Picture, (game_id, pictures.FILM))
        taken.lease_until = house.now + timedelta(seconds=30)
        s.add(taken)
    with house.read() as s:
        assert not pictures.due(s, house.now)
        assert pictures.due(s, house.now + timedelta(minutes=1))
    assert step(house) is False
    assert row(house, game_id, pictures.CARD).status == "owed"


def test_what_breaks_is_tried_three_times_then_given_up_and_can_be_asked_for_again(
    house, game_id, monkeypatch
):
    owe(house, game_id)
    with monkeypatch.context() as broken:
        broken.setattr(pictures, "FilmFrames", lambda *_: 1 / 0)
        for _ in range(pictures.TRIES + 1):
            step(house)
    failed = row(house, game_id)
    assert (failed.status, failed.error, failed.lease_until) == ("failed", "broken", None)
    owe(house, game_id)
    again = row(house, game_id)
    assert (again.status, again.error, again.attempts, again.done) == ("owed", "", 0, 0)
    step(house)
    assert row(house, game_id).done > 0


def test_a_film_that_grows_too_large_is_given_up_at_once(house, game_id, monkeypatch):
    monkeypatch.setattr(pictures, "MOST_BYTES", 1000)
    owe(house, game_id)
    step(house)
    assert (row(house, game_id).status, row(house, game_id).error) == ("failed", "large")


def test_a_running_game_has_no_film(house):
    game_id = house.start("Ann", "Ben")
    with pytest.raises(TableError, match="when the game is over"):
        owe(house, game_id)


def test_cards_are_owed_to_public_games_that_have_none_or_an_old_one(house):
    game_id, hidden = house.start("Ann", "Ben"), house.start("Ann", "Ben")
    with house.write() as s:
        s.get_one(Game, hidden).private = True
    house.open("Ann", players=3)

    def wanted(**later: float) -> list[int]:
        with house.read() as s:
            at = house.now + timedelta(**later)
            return [game.id for game in pictures.without_card(s, at, 9)]

    assert wanted() == [game_id]
    with house.write() as s:
        pictures.owe_cards(s, house.now)
    assert wanted() == []
    while step(house):
        pass
    made = row(house, game_id, pictures.CARD)
    assert Image.open(BytesIO(made.body)).size == (1200, 630)
    assert wanted(hours=7) == []
    house.play(game_id, moves=2)
    assert wanted(hours=5) == []
    assert wanted(hours=7) == [game_id]
    assert house.all(Picture, game_id=hidden) == []


def test_a_card_reckons_clocks_up_to_now_only(house, monkeypatch):
    """Up to the end of time, a bank with weekends off would take a worker many minutes."""
    bank = Terms(clock="bank", bank_hours=48, increment_hours=12, cap_hours=72, weekends_off=True)
    game_id = house.start("Ann", "Ben", terms=bank)
    reckoned: list[datetime] = []

    def charged(asked_at, until, hours):
        reckoned.append(until)
        return calendar.charged(asked_at, until, hours)

    monkeypatch.setattr(deadlines, "charged", charged)
    owe(house, game_id, pictures.CARD)
    while step(house):
        pass
    assert row(house, game_id, pictures.CARD).status == "ready"
    assert reckoned
    assert max(reckoned) < house.now + timedelta(hours=1)


def test_a_card_that_is_made_anew_is_there_meanwhile(house, game_id):
    owe(house, game_id, pictures.CARD)
    while step(house):
        pass
    first = row(house, game_id, pictures.CARD).body
    owe(house, game_id, pictures.CARD)
    again = row(house, game_id, pictures.CARD)
    assert (again.status, again.body) == ("owed", first)
