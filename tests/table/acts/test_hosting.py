"""What a host may do, each with its reason in the log (M48, M77)."""

from datetime import timedelta

import pytest

from core.game.events import DeadlineExtended, DeadlineMoved, GameAbandoned
from core.store.tables import Submission, User
from core.table.record import turns
from core.table.record.errors import TableError
from core.terms import Terms
from tests.support import hosting


@pytest.fixture
def game(house):
    return house.played("Anna", "Ben", "Clara", moves=0)


def act(house, how, *rest, who="Anna"):
    with house.write() as s:
        how(s, *rest[:1], _user(house, who), *rest[1:], house.now)


def _user(house, name):
    return next(u for u in house.all(User) if u.name == name)


def test_m77_more_time_moves_all_open_deadlines_and_is_told_before_and_after(house, game):
    house.play(game, until=lambda state: state.phase == "bureaucracy")
    before = {t.id: t.deadline for t in house.asked(game)}
    seats = [(t.seat, t.deadline.isoformat()) for t in house.asked(game)]
    act(house, hosting.extend, game, 12, " Anna is\n ill ")
    assert len(before) > 1
    assert {t.id: t.deadline for t in house.asked(game)} == {
        key: at + timedelta(hours=12) for key, at in before.items()
    }
    later = {t.seat: t.deadline.isoformat() for t in house.asked(game)}
    moved = tuple(DeadlineMoved(seat, at, later[seat]) for seat, at in seats)
    assert house.events(game)[-1] == DeadlineExtended(12, "Anna is ill", "host", moved)


def test_an_answer_to_the_same_turn_still_counts_after_an_extension(house, game):
    asked = house.asked(game)[0]
    act(house, hosting.extend, game, 12, "holidays")
    decided = house.move(game, asked.seat, house.line(game, asked.seat), turn=asked.turn)
    assert decided.status == "accepted"


def test_ending_a_game_tells_everybody_and_gives_the_seed_away(house, game):
    waiting = house.submit(game, house.asked(game)[0].seat, "pass")
    act(house, hosting.end, game, "We start anew.")
    row = house.game(game)
    assert (row.status, row.ended_at) == ("abandoned", house.now)
    assert house.events(game)[-1] == GameAbandoned("We start anew.", row.seed, because="vote")
    assert house.asked(game) == []
    assert len(house.mails(kind="end")) == 3
    house.adjudicate(game)
    assert house.get(Submission, waiting).status == "stale"


@pytest.mark.parametrize(("how", "rest", "who", "code"), [
    (hosting.extend, (12, "x"), "Ben", "not-the-host"),
    (hosting.end, ("x",), "Ben", "not-the-host"),
    (hosting.extend, (0, "x"), "Anna", "hours-out-of-range"),
    (hosting.extend, (337, "x"), "Anna", "hours-out-of-range"),
    (hosting.extend, (1, " \n"), "Anna", "reason-missing"),
    (hosting.end, ("",), "Anna", "reason-missing"),
])  # fmt: skip
def test_what_a_host_may_not(house, game, how, rest, who, code):
    before = house.kinds(game)
    with pytest.raises(TableError) as refusal:
        act(house, how, game, *rest, who=who)
    assert refusal.value.code == code
    assert house.kinds(game) == before


def test_nothing_to_host_after_the_end(house, game):
    act(house, hosting.end, game, "enough")
    with pytest.raises(TableError) as refusal:
        act(house, hosting.extend, game, 5, "more")
    assert refusal.value.code == "not-running"


def test_more_time_is_for_planning_calls_too(house):
    """Whoever is asked has more, for a move or for plans (M77)."""
    game = house.start("Anna", "Ben", turn_hours=24, terms=Terms(planning="round", graces=0))
    with house.read() as s:
        before = {turn.seat: turn.deadline for turn in turns.asked(s, game) if turn.plan}
    assert len(before) == 2
    with house.write() as s:
        hosting.extend(s, game, s.get_one(User, house.user("Anna").id), 5, "a reason", house.now)
    with house.read() as s:
        after = {turn.seat: turn.deadline for turn in turns.asked(s, game) if turn.plan}
    assert after == {seat: at + timedelta(hours=5) for seat, at in before.items()}
    told = house.events(game)[-1]
    assert {moved.seat for moved in told.turns} == set(before)
