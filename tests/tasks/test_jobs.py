"""Real workers on a real Redis, with a real mail server."""

import time
from datetime import timedelta

from core.store.tables import Heartbeat, Submission
from core.table.acts import lobby
from core.table.record import gamelog, turns
from tests.support.workers import wait_for

OFTEN = {"TEST_TICK": "1", "TEST_VISIBILITY": "60"}
"""The tick comes each second, and nothing is delivered again sooner than by the service."""


def test_a_submission_is_adjudicated_and_the_next_player_mailed(house, workers, ring, smtp_sink):
    game = house.start("Anna", "Ben", auction="open")
    workers.start()
    asked = house.asked(game)[0]
    number = house.submit(game, asked.seat, "auction 4 for 4")
    ring("adjudicate", game)
    wait_for(lambda: house.get(Submission, number).status == "accepted")
    other = house.owner(game, 1 - asked.seat).email
    mails = smtp_sink.wait(
        lambda ms: [
            m for m in ms if m.message["X-Kraftpost-Kind"] == "turn" and other in m.recipients
        ]
    )
    assert mails


def test_without_a_doorbell_the_tick_finds_the_work(house, workers):
    game = house.start("Anna", "Ben", auction="open")
    number = house.submit(game, house.asked(game)[0].seat, "auction 4 for 4")
    workers.environment |= OFTEN
    workers.start(app="tests.support.impatient")
    workers.start_beat("tests.support.impatient")
    wait_for(lambda: house.get(Submission, number).status == "accepted")
    assert {row.name for row in house.all(Heartbeat)} >= {"worker", "beat", "sweep"}


def test_bots_move_on_until_a_person_is_asked(house, workers, ring):
    game = house.open("Anna", robots=5)
    with house.write() as s:
        lobby.start(s, gamelog.find(s, game), house.now)
    workers.start()
    ring("adjudicate", game)
    wait_for(lambda: [t for t in house.asked(game) if t.seat == house.seat(game, "Anna")])
    assert not house.game(game).has_automatic_moves


def test_m34_a_deadline_that_passed_is_resolved_with_nobody_visiting(house, workers):
    game = house.start("Anna", "Ben", auction="open")
    with house.write() as s:
        for turn in turns.asked(s, game):
            turn.deadline = house.now - timedelta(seconds=1)
            s.add(turn)
    workers.environment |= OFTEN
    workers.start(app="tests.support.impatient")
    workers.start_beat("tests.support.impatient")
    wait_for(lambda: "TurnMissed" in house.kinds(game))


def test_m78_a_game_that_wedges_is_stopped_and_others_go_on(house, workers, ring):
    stuck, sound = house.start("Anna", "Ben"), house.start("Clara", "David")
    turn = house.asked(stuck)[0]
    house.submit(stuck, turn.seat, "wedge", turn=turn.turn)
    workers.environment |= {"TEST_ENGINE": "3"}
    workers.start(app="tests.support.wedged", concurrency=2)
    ring("adjudicate", stuck)
    other = house.asked(sound)[0]
    number = house.submit(sound, other.seat, house.line(sound, other.seat))
    ring("adjudicate", sound)
    wait_for(lambda: house.get(Submission, number).status == "accepted")
    if house.engine.dialect.name == "postgresql":  # SQLite has one writer: others wait for the end
        assert house.game(stuck).stopped_reason == ""
    wait_for(lambda: house.game(stuck).stopped_reason, within=40)
    assert "over" in house.game(stuck).stopped_reason
    assert house.game(sound).stopped_reason == ""


def test_m78_a_game_that_waits_for_others_is_not_stopped(house, workers, ring):
    """Its time counts from when it holds its lock."""
    game = house.start("Anna", "Ben", auction="open")
    number = house.submit(game, house.asked(game)[0].seat, "auction 4 for 4")
    workers.environment |= {"TEST_ENGINE": "1", "TEST_VISIBILITY": "30"}
    workers.start(app="tests.support.impatient")
    with house.write() as s:
        gamelog.lock(s, game)
        ring("adjudicate", game)
        wait_for(lambda: "Task adjudicate" in workers.log)
        time.sleep(2)
    wait_for(lambda: house.get(Submission, number).status != "pending")
    assert house.get(Submission, number).status == "accepted"
    assert house.game(game).stopped_reason == ""


def test_m78_a_move_that_kills_its_worker_is_given_up(house, workers, ring):
    game = house.start("Anna", "Ben")
    house.submit(game, house.asked(game)[0].seat, "die")
    workers.start(app="tests.support.wedged")
    ring("adjudicate", game)
    wait_for(lambda: house.game(game).stopped_reason, within=60)
    assert "failed" in house.game(game).stopped_reason
