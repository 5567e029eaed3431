"""Deadlines, missed turns and caretakers."""

import pytest

from core.game.events import CaretakerAppointed, OwnerReturned, TurnMissed
from core.store.tables import InboundMail, Submission, Turn
from core.table.acts import absence
from core.table.drive.due_work import PATIENCE, sweep
from core.table.play.stuck import ATTEMPTS, begin_mail
from core.table.play.submissions import submit

PEOPLE = ("Anna", "Ben", "Clara")


@pytest.fixture
def game(house):
    return house.played(*PEOPLE, turn_hours=24, auction="sealed", moves=0)


@pytest.fixture
def going(house):
    """The same in round 2: in the first one a seat that never moved is not played for (M39)."""
    return house.played(
        *PEOPLE, turn_hours=24, auction="sealed", until=lambda state: state.round == 2
    )


def due(house):
    with house.read() as s:
        return sweep(s, house.now)


def miss(house, game):
    house.pass_time(hours=24)
    house.adjudicate(game)


def test_m34_an_overdue_turn_is_found_by_the_sweep_alone(house, game):
    assert due(house) == []
    house.pass_time(hours=24, seconds=-1)
    assert due(house) == []
    house.pass_time(seconds=1)
    assert due(house) == [game]


def test_a_missed_turn_is_played_by_the_default_move(house, going):
    asked, before = house.asked(going)[0], len(house.events(going))
    miss(house, going)
    new = house.events(going)[before:]
    assert new[0] == TurnMissed(asked.seat)
    assert new[1].seat == asked.seat
    assert asked.turn not in [t.turn for t in house.asked(going)]
    assert due(house) == []


def test_a_move_in_time_is_not_missed_when_the_sweep_is_late(house, game):
    asked = house.asked(game)[0]
    house.pass_time(hours=23)
    house.submit(game, asked.seat, house.line(game, asked.seat))
    house.pass_time(hours=2)
    house.adjudicate(game)
    assert TurnMissed(asked.seat) not in house.events(game)


@pytest.fixture
def unread(house, game):
    """A mail that came in a minute before the deadline, while no worker had time."""
    house.pass_time(hours=23, minutes=59)
    with house.write() as s:
        mail = InboundMail(
            key="k", message_id="<m@x>", envelope_from="a@x", raw=b"", received_at=house.now
        )
        s.add(mail)
    house.pass_time(minutes=2)
    return mail.id


def test_m34_a_mail_received_in_time_is_read_before_its_turn_is_missed(house, game, unread):
    asked = house.asked(game)[0]
    house.adjudicate(game)
    assert [t.id for t in house.asked(game)] == [asked.id]
    assert due(house) == [game]  # looked at again and again
    with house.write() as s:
        s.get_one(InboundMail, unread).status = "done"
        submit(
            s, game, asked.seat, asked.turn, house.line(game, asked.seat), "mail", "k", house.now
        )
    house.adjudicate(game)
    assert TurnMissed(asked.seat) not in house.events(game)
    assert house.get(Turn, asked.id).closed_by == "move"


@pytest.mark.parametrize("status", ["done", "ignored"])
def test_m34_once_all_mail_is_read_the_turn_is_missed(house, game, unread, status):
    seat = house.asked(game)[0].seat
    with house.write() as s:
        s.get_one(InboundMail, unread).status = status
    house.adjudicate(game)
    assert TurnMissed(seat) in house.events(game)


def test_m34_a_mail_that_cannot_be_read_holds_no_turn_up_for_ever(house, game, unread):
    seat = house.asked(game)[0].seat
    for _ in range(ATTEMPTS + 1):
        house.adjudicate(game)
        assert TurnMissed(seat) not in house.events(game)
        with house.write() as s:
            begin_mail(s, unread, house.now)
    house.adjudicate(game)
    assert TurnMissed(seat) in house.events(game)


def test_m34_a_mail_that_came_too_late_holds_nothing_up(house, game, unread):
    seat = house.asked(game)[0].seat
    with house.write() as s:
        s.get_one(InboundMail, unread).received_at = house.now
    house.adjudicate(game)
    assert TurnMissed(seat) in house.events(game)


def test_one_of_several_is_missed_alone(house, going):
    house.play(going, until=lambda state: state.phase == "bureaucracy")
    asked = house.asked(going)
    late, *others = asked
    for turn in others:
        house.move(going, turn.seat, "power all")
    miss(house, going)
    missed = [e.seat for e in house.events(going) if isinstance(e, TurnMissed)]
    assert missed == [late.seat]


def test_two_misses_in_a_row_bring_a_caretaker_until_the_owner_returns(house, going):
    seat = house.seat(going, "Anna")
    while not house.state(going).players[seat].caretaker:
        _others_move(house, going, seat)
        miss(house, going)
    log = house.events(going)
    assert sum(e == TurnMissed(seat) for e in log) == 2
    assert CaretakerAppointed(seat) in log
    assert [m.context["what"] for m in house.mails(kind="notice")] == ["caretaker"]
    _others_move(house, going, seat, moves=6)
    assert seat not in [t.seat for t in house.asked(going)]
    assert sum(e == TurnMissed(seat) for e in house.events(going)) == 2
    with house.write() as s:
        assert absence.return_owner(s, going, seat, house.now)
        assert not absence.return_owner(s, going, seat, house.now)
    assert house.events(going)[-1] == OwnerReturned(seat)
    house.play(going, until=lambda state: seat in [t.seat for t in house.asked(going)])
    assert house.mails(kind="turn", seat=seat)[-1].turn == _turn(house, going, seat)


def test_a_turn_answered_between_two_misses_starts_the_count_again(house, going):
    seat = house.seat(going, "Anna")
    missed = 0
    while missed < 3 and house.game(going).status == "running":
        _others_move(house, going, seat)
        miss(house, going)
        missed += 1
        _others_move(house, going, seat)
        if _turn(house, going, seat) is not None:
            house.move(going, seat, house.line(going, seat))
    assert CaretakerAppointed(seat) not in house.events(going)


def test_after_the_end_nothing_is_due(house):
    house.played("Anna", "Ben")
    house.pass_time(days=30)
    assert due(house) == []


def test_a_submission_whose_doorbell_was_lost_is_found(house, game):
    asked = house.asked(game)[0]
    number = house.submit(game, asked.seat, house.line(game, asked.seat))
    assert due(house) == []
    house.pass_time(seconds=PATIENCE.seconds)
    assert due(house) == [game]
    house.adjudicate(game)
    assert house.get(Submission, number).status == "accepted"
    assert due(house) == []


def test_a_game_with_bots_that_have_not_moved_is_found(house):
    from core.table.acts import lobby
    from core.table.record import gamelog

    games = [house.open("Anna", robots=2) for _ in range(6)]
    for seed, game in enumerate(games):
        with house.write() as s:
            lobby.start(s, gamelog.find(s, game), house.now, f"{seed:064x}")
    first = [g for g in games if not house.asked(g)]
    assert 0 < len(first) < len(games)
    assert due(house) == first
    for game in first:
        house.adjudicate(game)
    assert due(house) == []


def _turn(house, game, seat):
    return next((t.turn for t in house.asked(game) if t.seat == seat), None)


def _others_move(house, game, seat, moves=200):
    """All but one play on until only he is waited for."""
    for _ in range(moves):
        turn = next((t for t in house.asked(game) if t.seat != seat), None)
        if turn is None:
            return
        house.move(game, turn.seat, house.line(game, turn.seat))
