"""Submissions become events once, in order, or get a reason."""

from datetime import timedelta

import pytest

from core.game import engine
from core.game.events import OwnerReturned
from core.store.tables import EventRow, Game, Submission, Turn
from core.table.acts import lobby
from core.table.drive import adjudicate as judge
from core.table.drive.adjudicate import adjudicate
from core.table.play.stuck import release
from core.table.record import seats


@pytest.fixture
def duel(house):
    """Two people, open auction: one of them is asked to open."""
    return house.played("Anna", "Ben", auction="open", moves=0)


def opener(house, game_id):
    return house.asked(game_id)[0]


def test_a_whole_game_is_played_from_outside(house):
    game = house.start("Anna", "Ben", robots=2)
    house.play(game)
    house.log_is_whole(game)
    assert house.game(game).status == "finished"
    assert house.asked(game) == []
    assert [m.kind for m in house.mails()].count("end") == 2
    assert house.events(game)[-1].seed == house.game(game).seed


def test_an_accepted_move_is_logged_and_the_next_seat_owed_a_mail(house, duel):
    asked = opener(house, duel)
    decided = house.move(duel, asked.seat, "auction 4 for 4")
    other = 1 - asked.seat
    assert (decided.status, decided.seq) == ("accepted", house.game(duel).seq)
    assert house.kinds(duel)[-1] == "AuctionOpened"
    assert [(t.seat, t.turn) for t in house.asked(duel)] == [(other, house.game(duel).seq)]
    assert house.mails(kind="turn")[-1].seat == other
    row = house.all(EventRow, game_id=duel, seq=house.game(duel).seq)[0]
    assert row.submission_id == decided.id


def test_doing_it_again_changes_nothing(house, duel):
    house.move(duel, opener(house, duel).seat, "auction 4 for 4")
    before = (house.kinds(duel), len(house.mails()), house.asked(duel))
    house.adjudicate(duel)
    house.adjudicate(duel)
    assert (house.kinds(duel), len(house.mails()), house.asked(duel)) == before


@pytest.mark.parametrize(("line", "code", "reason"), [
    ("auction 4 for 3", "bid-too-low", "4"),
    ("gimme all", "invalid", "gimme"),
    ("auction 50 for 50", "plant-not-on-market", "50"),
    ("pass", "must-buy", "first round"),
    ("bid 16", "no-auction", "auction"),
])  # fmt: skip
def test_a_bad_move_changes_nothing_but_its_own_status(house, duel, line, code, reason):
    seat, before = opener(house, duel).seat, house.game(duel).seq
    decided = house.move(duel, seat, line)
    assert (decided.status, decided.code) == ("rejected", code)
    assert reason in decided.reason
    assert house.game(duel).seq == before
    assert opener(house, duel).seat == seat


def test_a_refused_move_can_be_mended_within_the_same_turn(house, duel):
    asked = opener(house, duel)
    house.move(duel, asked.seat, "auction 4 for 3")
    assert house.move(duel, asked.seat, "auction 4 for 4", turn=asked.turn).status == "accepted"


@pytest.mark.parametrize("shift", [-1, 1])
def test_m63_an_answer_to_another_turn_is_stale(house, duel, shift):
    asked, before = opener(house, duel), house.kinds(duel)
    decided = house.move(duel, asked.seat, "auction 4 for 4", turn=asked.turn + shift)
    assert (decided.status, decided.code) == ("stale", "stale")
    assert house.kinds(duel) == before


def test_two_answers_to_one_turn_count_once(house, duel):
    asked = opener(house, duel)
    first = house.submit(duel, asked.seat, "auction 4 for 4")
    second = house.submit(duel, asked.seat, "auction 5 for 5", turn=asked.turn)
    house.adjudicate(duel)
    assert house.get(Submission, first).status == "accepted"
    assert house.get(Submission, second).status == "stale"
    assert house.kinds(duel).count("AuctionOpened") == 1


def test_a_seat_that_is_not_asked_is_stale_and_moves_nothing(house, duel):
    asked = opener(house, duel)
    decided = house.move(duel, 1 - asked.seat, "auction 4 for 4", turn=asked.turn)
    assert decided.status == "stale"
    assert "AuctionOpened" not in house.kinds(duel)


def test_what_others_do_at_the_same_time_makes_no_answer_stale(house):
    game = house.played("Anna", "Ben", "Clara", until=lambda state: state.phase == "bureaucracy")
    turns = {t.seat: t.turn for t in house.asked(game)}
    assert len(turns) >= 2
    numbers = [house.submit(game, seat, "power all", turn=turn) for seat, turn in turns.items()]
    house.adjudicate(game)
    assert {house.get(Submission, n).status for n in numbers} == {"accepted"}


def test_every_move_by_mail_is_answered_by_mail_once(house, duel):
    asked = opener(house, duel)
    for key, line in (("<1@x>#0", "auction 4 for 3"), ("<2@x>#0", "auction 4 for 4")):
        house.move(duel, asked.seat, line, turn=asked.turn, channel="mail", key=key)
    house.move(duel, asked.seat, "pass", turn=asked.turn, channel="mail", key="<3@x>#0")
    house.adjudicate(duel)
    answers = [m for m in house.mails() if m.kind in ("done", "refused")]
    assert [(m.kind, m.thread) for m in answers] == [
        ("refused", "<1@x>"), ("done", "<2@x>"), ("refused", "<3@x>")
    ]  # fmt: skip
    assert {m.address for m in answers} == {house.owner(duel, asked.seat).email}


def test_a_move_by_form_is_answered_on_the_page(house, duel):
    house.move(duel, opener(house, duel).seat, "auction 4 for 4")
    assert not [m for m in house.mails() if m.kind in ("done", "refused")]


def test_a_move_after_the_end_is_stale(house):
    game = house.start("Anna", robots=1)
    asked = opener(house, game)
    house.play(game)
    decided = house.move(game, asked.seat, "pass", turn=asked.turn)
    assert (decided.status, decided.reason) == ("stale", "The game is over.")


def test_bots_move_in_bounded_portions_until_a_person_is_asked(house, monkeypatch):
    monkeypatch.setattr(judge, "MOVES_AT_ONCE", 1)
    game = house.start("Anna", robots=5)
    most = 0
    while house.state(game).round < 3:
        turn = opener(house, game)
        house.submit(game, turn.seat, house.line(game, turn.seat))
        portions = [True]
        while portions[-1]:
            with house.write() as s:
                portions.append(adjudicate(s, game, house.now))
            assert house.game(game).has_automatic_moves == portions[-1]
        assert [t.seat for t in house.asked(game)] == [turn.seat]
        most = max(most, len(portions))
    assert most > 3


def test_a_seat_without_a_choice_is_not_asked_while_it_waits_for_its_portion(house, monkeypatch):
    game = house.start("Anna", "Ben", "Clara", options={"starting_elektro": 45}, auction="open")
    waited = 0
    while house.state(game).round < 4:
        turn = opener(house, game)
        house.submit(game, turn.seat, house.line(game, turn.seat))
        with monkeypatch.context() as patch, house.write() as s:
            patch.setattr(judge, "MOVES_AT_ONCE", 0)
            adjudicate(s, game, house.now)
        if house.game(game).has_automatic_moves:
            waited += 1
            state = house.state(game)
            asked = {t.seat for t in house.asked(game)}
            assert not any(engine.options(state, seat).forced for seat in asked)
        house.adjudicate(game)
    assert waited


POOR = {"starting_elektro": 1003, "house_costs": [1000] * 3, "payment": [1] * 22}


def test_m78_a_game_that_does_not_end_is_stopped_for_somebody_to_look(house):
    """Nobody can ever build again, so that bots would go round for ever."""
    game = house.open("Anna", robots=1, options=POOR)
    with house.write() as s:
        s.delete(seats.seat_of(s, game, s.get_one(Game, game).host_id))
        s.flush()
        lobby.add_bot(s, house.game(game), "engineer", house.now)
    with house.write() as s:
        lobby.start(s, house.game(game), house.now)
    for times in (1, 2):
        house.adjudicate(game)
        reached = house.state(game).round
        assert judge.ROUNDS * times <= reached < judge.ROUNDS * (times + 1)
        assert f"round {reached}" in house.game(game).stopped_reason
        with house.write() as s:
            release(s, game, house.now)  # who looked lets it go on as long again


def test_turns_are_due_after_the_hours_of_the_table(house):
    game = house.start("Anna", "Ben", turn_hours=5)
    turn = opener(house, game)
    assert turn.deadline == house.now + timedelta(hours=5)
    house.pass_time(hours=1)
    house.move(game, turn.seat, house.line(game, turn.seat))
    assert {t.deadline for t in house.asked(game)} == {house.now + timedelta(hours=5)}


def test_a_closed_turn_says_how_and_where(house, duel):
    asked, before = opener(house, duel), house.game(duel).seq
    house.move(duel, asked.seat, "auction 4 for 4")
    closed = house.get(Turn, asked.id)
    assert (closed.closed_by, closed.closed_seq) == ("move", before)
    assert closed.closed_at == house.now


def test_whoever_writes_for_a_caretaken_seat_is_back(house):
    game = house.start("Anna", "Ben", "Clara")
    seat = house.seat(game, "Anna")
    house.play(game, until=lambda state: state.round == 2)
    while not house.state(game).players[seat].caretaker:
        for turn in house.asked(game):
            if turn.seat != seat:
                house.move(game, turn.seat, house.line(game, turn.seat))
        if all(turn.seat == seat for turn in house.asked(game)):
            house.pass_time(hours=49)
            house.adjudicate(game)
    decided = house.move(game, seat, "pass", turn=1)
    assert decided.status == "stale"
    assert house.events(game)[-1] == OwnerReturned(seat)
    assert not house.state(game).players[seat].caretaker
