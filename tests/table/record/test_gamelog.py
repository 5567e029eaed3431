"""The log in the database: whole, in order, and folding to what was live (M50)."""

import pytest
from sqlalchemy.exc import IntegrityError

from core.game.errors import LogError
from core.game.events import (
    CaretakerAppointed,
    DeadlineExtended,
    OwnerReturned,
    TurnMissed,
)
from core.game.evolve import replay
from core.game.log import codec
from core.store.tables import EventRow, User
from core.table.acts import absence
from core.table.record import gamelog
from core.table.record.errors import TableError
from core.terms import Terms
from tests.support import hosting


def eventful(house, seen):
    """A game with missed turns, bots, a caretaker, host acts; notes every position on the way."""
    game = house.start("Anna", "Ben", "Clara", robots=1, turn_hours=24, terms=Terms(graces=0))
    host = next(u for u in house.all(User) if u.name == "Anna")
    anna = house.seat(game, "Anna")

    def note():
        state = house.state(game)
        seen[state.seq] = state

    note()
    step = 0
    while house.game(game).status == "running":
        step += 1
        asked = house.asked(game)
        away = 5 <= step < 30 and any(t.seat == anna for t in asked)
        if step == 8:
            with house.write() as s:
                hosting.extend(s, game, host, 2, "a storm", house.now)
        elif away:
            house.pass_time(hours=27)
            house.adjudicate(game)
        elif step == 30 and house.state(game).players[anna].caretaker:
            with house.write() as s:
                absence.return_owner(s, game, anna, house.now)
        elif asked:
            house.move(game, asked[0].seat, house.line(game, asked[0].seat))
        note()
    return game


def test_m50_the_position_at_every_event_equals_the_live_one(house):
    seen = {}
    game = eventful(house, seen)
    kinds = {type(event) for event in house.events(game)}
    assert kinds >= {TurnMissed, CaretakerAppointed, OwnerReturned, DeadlineExtended}
    log = house.events(game)
    for seq, live in seen.items():
        assert house.state(game, seq) == live == replay(log[:seq])
    state = None
    for seq, event in enumerate(log, 1):
        state = replay([event], state)
        assert state.seq == seq
    assert state == house.state(game)


def test_two_events_cannot_have_one_number(house):
    game = house.start("Anna", "Ben")
    body = house.all(EventRow, game_id=game, seq=2)[0].body
    with pytest.raises(IntegrityError), house.write() as s:
        s.add(EventRow(game_id=game, seq=2, at=house.now, body=body))


def test_what_was_undone_is_not_remembered(house):
    """Not even when other events then take the same numbers."""
    game = house.start("Anna", "Ben")
    with pytest.raises(ZeroDivisionError), house.write() as s:
        row = gamelog.lock(s, game)
        gamelog.append(s, row, [TurnMissed(0)], house.now)
        assert gamelog.load(s, game).players[0].missed == 1
        raise ZeroDivisionError
    with house.write() as s:
        gamelog.append(s, gamelog.lock(s, game), [TurnMissed(1)], house.now)
    assert [p.missed for p in house.state(game).players] == [0, 1]


def test_a_process_that_has_seen_more_than_the_database_folds_afresh(house):
    """A read that began before the last move must not get the newer position."""
    game = house.start("Anna", "Ben", auction="open")
    with house.read() as old:
        before = gamelog.find(old, game).seq
        house.move(game, house.asked(game)[0].seat, "auction 4 for 4")
        assert house.state(game).seq > before
        old.expire_all()
        assert gamelog.load(old, game).seq == before


def test_games_of_the_same_number_in_two_databases_are_two_games(house, tmp_path):
    from core.store.session import make_engine
    from tests.support.database import make_tables
    from tests.support.table import House

    url = f"sqlite:///{tmp_path}/other.sqlite3"
    make_tables(url)
    other = House(make_engine(url))
    first, second = house.start("Anna", "Ben"), other.start("Clara", "David")
    assert first == second
    assert house.state(first).stack != other.state(second).stack


def test_a_log_with_a_hole_is_not_folded(house):
    game = house.start("Anna", "Ben")
    with house.write() as s:
        gamelog.find(s, game).seed = "another, so that no process remembers the game"
        s.delete(s.get_one(EventRow, (game, 2)))
    with house.read() as s, pytest.raises(LogError):
        gamelog.load(s, game)


def test_no_such_game(house):
    with house.read() as s, pytest.raises(TableError, match="no such game"):
        gamelog.load(s, 99)


def test_a_log_is_decoded_once_however_often_it_is_read(house, monkeypatch):
    game = house.start("Anna", "Ben", auction="open")
    house.events(game)
    decoded = []
    decode = codec.decode
    monkeypatch.setattr(codec, "decode", lambda body: decoded.append(body) or decode(body))
    length = house.game(game).seq
    assert len(house.events(game)) == length
    with house.read() as s:
        assert [e.seq for e in gamelog.events(s, game, upto=length - 1, after=1)] == [
            *range(2, length)
        ]
    assert not decoded
    house.move(game, house.asked(game)[0].seat, "auction 4 for 4")
    decoded.clear()
    new = house.game(game).seq - length
    assert len(house.events(game)) == length + new
    assert len(decoded) == new > 0


def test_a_log_from_which_a_name_was_taken_is_read_anew_and_only_once_that_is_committed(house):
    game = house.start("Anna", "Ben")
    before = house.events(game)
    with pytest.raises(ZeroDivisionError), house.write() as s:
        _change(s, game)
        assert [entry.event for entry in gamelog.events(s, game)] != before
        raise ZeroDivisionError
    assert house.events(game) == before
    with house.write() as s:
        _change(s, game)
    assert house.events(game) != before


def _change(session, game):
    gamelog.rewritten(session, gamelog.lock(session, game))
    row = session.get_one(EventRow, (game, 2))
    row.body = {**row.body, "round": 7}
    session.flush()
