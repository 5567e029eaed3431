"""M78: an engine that hangs, from a real worker to doctor, metrics and the mail to the admin."""

import json

import pytest
from click.testing import CliRunner

from core.settings import load
from core.store.tables import Submission
from core.table.record import gamelog
from tests.support.post_office import text_of
from tests.support.workers import wait_for
from webapp.app import create_app
from webapp.cli import main

ADMIN = "admin@example.org"


@pytest.fixture
def engine_url(postgres_url: str) -> str:
    """Where others can write meanwhile; SQLite has one writer."""
    return postgres_url


def test_m78_whether_it_burns_or_waits_it_is_stopped_and_told(house, workers, smtp_sink):
    burns, waits = house.start("Anna", "Ben"), house.start("Clara", "David")
    sound = house.start("Eva", "Fred")
    workers.environment |= {
        "TEST_ENGINE": "0.5", "TEST_WAIT": "3", "TEST_TICK": "1", "ADMIN_MAIL": ADMIN,
    }  # fmt: skip
    for game, line in ((burns, "wedge"), (waits, "wait")):
        house.submit(game, house.asked(game)[0].seat, line)
    workers.start(app="tests.support.wedged", concurrency=2)
    workers.start_beat("tests.support.wedged")
    wait_for(lambda: house.game(waits).attempts)
    seat = house.asked(sound)[0].seat
    number = house.submit(sound, seat, house.line(sound, seat))
    wait_for(lambda: house.get(Submission, number).status == "accepted")
    wait_for(
        lambda: house.game(burns).stopped_reason and house.game(waits).stopped_reason, within=90
    )
    assert "took over" in house.game(burns).stopped_reason
    assert "failed" in house.game(waits).stopped_reason
    assert house.game(sound).stopped_reason == ""

    told = [f"game {game}: {house.game(game).stopped_reason}" for game in (burns, waits)]
    doctor = CliRunner(env=workers.environment).invoke(main, ["doctor", "--json"])
    (games,) = (one for one in json.loads(doctor.stdout) if one["name"] == "games")
    assert doctor.exit_code == 1
    assert not games["ok"]
    assert all(words in games["told"] for words in told)
    metrics = create_app(load(workers.environment)).test_client().get("/metrics").text
    assert 'kraftpost_trouble{check="games"} 2.0' in metrics
    mails = smtp_sink.wait(lambda ms: [m for m in ms if ADMIN in m.recipients])
    (mail,) = (m.message for m in mails if ADMIN in m.recipients)
    assert told[0] in text_of(mail) or told[1] in text_of(mail)


def test_m78_nobody_queues_up_behind_a_game_that_hangs(house, ring, workers):
    """Each tick asks for it again: else all processes soon waited for its lock."""
    stuck, sound = house.start("Anna", "Ben"), house.start("Clara", "David")
    seat = house.asked(sound)[0].seat
    number = house.submit(sound, seat, house.line(sound, seat))
    workers.start(app="tests.support.impatient")
    with house.write() as s:
        gamelog.lock(s, stuck)
        ring("adjudicate", stuck, True)
        ring("adjudicate", sound)
        wait_for(lambda: house.get(Submission, number).status == "accepted", within=10)
    assert house.game(stuck).attempts == 0
