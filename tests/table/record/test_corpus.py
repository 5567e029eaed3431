"""Every stored game folds to what it was, or the difference is told (M47)."""

import pytest
from sqlalchemy import update
from sqlmodel import col

from core.game.events import GameAbandoned
from core.game.judge import judge
from core.game.log import codec
from core.game.log.jsonl import log_of
from core.store.tables import EventRow, Game, PositionRow, Turn
from core.table.people import archive
from core.table.record import corpus, gamelog
from core.table.record.corpus import Finding
from tests.game.editions.test_editions import CHANGES, Patch
from tests.game.test_judge import game as played_game
from tests.support import hosting
from tests.support.table import House


def check(house: House, game: int) -> Finding:
    with house.read() as s:
        return corpus.check(s, game)


def edit(house: House, game: int, seq: int, **changes: object) -> None:
    """What a later build would do to an event, done to the event."""
    row = house.get(EventRow, (game, seq))
    with house.write() as s:
        s.execute(
            update(EventRow)
            .where(col(EventRow.game_id) == game, col(EventRow.seq) == seq)
            .values(body={**row.body, **changes})
        )


def find(house: House, game: int, kind: str) -> int:
    return house.kinds(game).index(kind) + 1


@pytest.fixture
def running(house: House) -> int:
    """A game at the beginning of a phase, where its position is kept."""
    return house.played(
        "Anna", "Ben", robots=1, auction="open",
        until=lambda state: state.round == 2 and state.phase == "auction",
    )  # fmt: skip


def test_m47_a_running_game_is_what_it_was_at_its_last_move(house: House, running: int) -> None:
    found = check(house, running)
    assert (found.problems, found.compared, found.status) == ((), True, "running")
    assert found.events == house.game(running).seq
    assert found.digest == house.get(PositionRow, running).digest
    house.play(running, moves=1)
    assert check(house, running).digest != found.digest


def test_m47_the_position_is_kept_at_the_end_of_a_phase(house: House, running: int) -> None:
    began = house.game(running).seq
    house.play(running, moves=1)
    assert house.state(running).phase == "auction"
    assert house.get(PositionRow, running).seq == began < house.game(running).seq
    assert check(house, running).problems == ()
    house.play(running, until=lambda state: state.phase == "resources")
    assert house.get(PositionRow, running).seq == house.game(running).seq


def test_m47_a_finished_and_an_ended_game_are_what_they_were(house: House) -> None:
    finished = house.played("Anna", "Ben")
    ended = house.start("Clara", "David")
    with house.write() as s:
        hosting.end(s, ended, house.user("Clara"), "no time", house.now)
    for game, status in ((finished, "finished"), (ended, "abandoned")):
        found = check(house, game)
        assert (found.problems, found.compared, found.status) == ((), True, status)


def test_a_changed_result_is_told_in_words(house: House, running: int) -> None:
    seq = find(house, running, "PlantBought")
    event = house.events(running)[seq - 1]
    edit(house, running, seq, price=event.price + 7)
    told = check(house, running).problems
    left = house.state(running, house.game(running).seq).players[event.seat].elektro
    assert len(told) == 2
    assert told[1].startswith(
        f"the code of today decides otherwise (edition 1): event {seq}: PlantBought: price: "
    )
    assert told[0].startswith(
        f"after event {house.game(running).seq}: players.{event.seat}.elektro"
    )
    assert isinstance(left, int)


def test_an_event_that_cannot_be_folded_is_named(house: House, running: int) -> None:
    seq = find(house, running, "PlantBought")
    edit(house, running, seq, v=9)
    (told,) = check(house, running).problems
    assert told.startswith(f"event {seq}, PlantBought, cannot be folded: LogError: PlantBought has")
    edit(house, running, seq, v=1, seat=17)
    (told,) = check(house, running).problems
    assert told.startswith(f"event {seq}, PlantBought, cannot be folded: IndexError")


def test_a_log_with_a_gap_or_too_short_is_told(house: House, running: int) -> None:
    last = house.game(running).seq
    with house.write() as s:
        s.delete(s.get_one(EventRow, (running, last)))
    assert check(house, running).problems[:2] == (
        f"the log has {last - 1} events, the game says {last}",
        f"the log has {last - 1} events, once it had {last}",
    )
    with house.write() as s:
        s.delete(s.get_one(EventRow, (running, 5)))
    assert check(house, running).problems == ("event 5 is missing",)


def test_whoever_is_asked_must_be_to_move(house: House, running: int) -> None:
    house.play(running, until=lambda state: state.phase == "resources")  # each at a time
    turn = house.asked(running)[0]
    with house.write() as s:
        row = s.get_one(Turn, turn.id)
        row.seat = next(n for n in range(3) if n != turn.seat)
        s.add(row)
    (told,) = check(house, running).problems
    assert "is asked, and it is not its move" in told


def test_a_status_that_its_log_does_not_bear_out_is_told(house: House, running: int) -> None:
    with house.write() as s:
        gamelog.append(s, s.get_one(Game, running), [GameAbandoned("", "")], house.now)
    assert check(house, running).problems[0].startswith("the game is running, and its log says fin")


def test_what_was_not_known_then_is_no_difference(house: House, running: int) -> None:
    """A later build may add a field to a position."""
    kept = house.get(PositionRow, running)
    fewer = {key: value for key, value in kept.facts.items() if key != "unasked"}
    with house.write() as s:
        row = s.get_one(PositionRow, running)
        row.facts, row.digest = fewer, codec.digest(fewer)
        s.add(row)
    assert check(house, running).problems == ()


def test_a_game_of_an_older_build_is_noted_once(house: House, running: int) -> None:
    with house.write() as s:
        s.delete(s.get_one(PositionRow, running))
    assert not check(house, running).compared
    with house.write() as s:
        corpus.keep_missing(s, running, house.now)
    assert check(house, running).compared
    edit(house, running, find(house, running, "BidPlaced"), amount=1)
    with house.write() as s:
        corpus.keep_missing(s, running, house.now)  # never written anew
    house.play(running, moves=1)
    (told,) = check(house, running).problems  # it has moved on: kept anew by the move itself
    assert told.startswith("the code of today decides otherwise (edition 1): event ")
    assert "BidPlaced: the log says bid 1, the rules refuse it" in told


def test_only_games_with_a_log_are_looked_at(house: House, running: int) -> None:
    house.open("Anna", "Ben")
    with house.read() as s:
        assert corpus.games(s) == [running]


@pytest.mark.parametrize(("change", "variant", "event"), CHANGES)
def test_k2_games_that_would_be_decided_otherwise_are_named(
    change: Patch, variant: str, event: str, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Turn order the other way, a token that stays, a tie broken otherwise: which games is it?"""
    kept = {}
    for players in (3, 4, 5):
        log = played_game(variant, players)
        with house.write() as s:
            names = [f"P{n}" for n in range(players)]
            kept[archive.import_log(s, log_of(log, names), house.now).id] = log
    change(monkeypatch)
    otherwise = {number for number, log in kept.items() if judge(log).difference}
    assert otherwise
    found = {number: check(house, number).problems for number in kept}
    assert {number for number, problems in found.items() if problems} == otherwise
    for number in otherwise:
        (told,) = found[number]
        assert told.startswith("the code of today decides otherwise (edition 1): event ")
        assert event in told
