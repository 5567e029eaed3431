"""Games as files: out, and back in as games to look at."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache

import pytest

from core.bots import CARETAKER, bot
from core.game.events import GameAbandoned
from core.game.log.jsonl import GameLog, dump, load, log_of
from core.game.rules.load import load as rules
from core.game.verify import verify
from core.store.tables import EventRow, Game, SeatRow
from core.table.people import archive
from core.table.record import gamelog
from core.table.record.errors import TableError
from core.table.views.table_view import table_view
from tests.support.table import House
from webapp.instruments.selfplay import play_game

NAMES = ("Änne", "<b>Ben</b>", "Çem")


@cache
def log(abandoned: bool = False) -> GameLog:
    events = play_game(rules("france"), [bot(CARETAKER)] * 3, "5eed")
    if abandoned:
        events = [*events[:50], GameAbandoned("time", "5eed")]
    return log_of(events, NAMES)


def bring(house: House, given: GameLog) -> Game:
    with house.write() as s:
        return archive.import_log(s, given, house.now)


@pytest.mark.parametrize(("abandoned", "status"), [(False, "finished"), (True, "abandoned")])
def test_an_imported_game_is_there_with_names_and_every_event(
    house: House, abandoned: bool, status: str
) -> None:
    given = log(abandoned)
    game = house.game(bring(house, given).id)
    assert (game.status, game.imported, game.host_id) == (status, True, None)
    assert (game.map, game.variant, game.players) == ("france", "standard", 3)
    assert game.title == "France: Änne, <b>Ben</b>, Çem"
    assert tuple(house.events(game.id)) == given.events
    rows = house.all(SeatRow, game_id=game.id)
    assert [(r.seat, r.name, r.user_id) for r in sorted(rows, key=lambda r: r.seat)] == [
        (seat, name, None) for seat, name in enumerate(NAMES)
    ]
    assert len({row.letter for row in rows}) == 3
    house.log_is_whole(game.id)


def test_the_same_file_is_one_game(house: House) -> None:
    first = bring(house, log())
    again = load("".join(dump(log())).splitlines())  # other blanks and order of keys do not matter
    assert bring(house, again).id == first.id
    assert len(house.all(Game)) == 1
    other = replace(log(), header=replace(log().header, names=("A", "B", "C")))
    assert bring(house, other).id != first.id


def test_what_comes_out_again_is_what_went_in(house: House) -> None:
    game = bring(house, log())
    with house.read() as s:
        text = "".join(archive.export(s, gamelog.find(s, game.id)))
    assert load(text.splitlines()).events == log().events
    assert verify(load(text.splitlines()).events).fair


def test_a_game_played_here_can_move_to_another_house(house: House) -> None:
    played = house.played("Anna", "Ben")
    with house.read() as s:
        text = "".join(archive.export(s, gamelog.find(s, played)))
    game = bring(house, load(text.splitlines()))
    assert house.events(game.id) == house.events(played)
    times = [[r.at for r in house.all(EventRow, game_id=g)] for g in (played, game.id)]
    assert times[0] == times[1]
    assert not house.game(played).imported


def test_times_that_are_missing_are_filled_from_those_before(house: House) -> None:
    start = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
    entries = log().entries
    known = {4: start, 20: start + timedelta(hours=1)}
    timed = replace(
        log(), entries=tuple(replace(e, at=known.get(i)) for i, e in enumerate(entries))
    )
    game = bring(house, timed)
    rows = sorted(house.all(EventRow, game_id=game.id), key=lambda row: row.seq)
    assert [rows[i].at - start for i in (0, 4, 19, 20, -1)] == [
        timedelta(0), timedelta(0), timedelta(0), timedelta(hours=1), timedelta(hours=1),
    ]  # fmt: skip
    stored = house.game(game.id)
    assert (stored.started_at, stored.ended_at) == (start, start + timedelta(hours=1))
    undated = house.game(bring(house, log()).id)
    assert undated.started_at == undated.ended_at == house.now


def test_nobody_is_mailed_and_nothing_is_left_to_do(house: House) -> None:
    game = bring(house, log())
    house.pass_time(days=30)
    house.adjudicate(game.id)
    assert house.mails() == []
    assert house.asked(game.id) == []
    assert house.game(game.id).seq == len(log().entries)


def test_every_position_can_be_looked_at(house: House) -> None:
    game = bring(house, log())
    for n in (1, 100, len(log().entries)):
        with house.read() as s:
            table = table_view(s, game.id, None, now=house.now, upto=n)
        assert (table.imported, table.names, table.view.seq) == (True, NAMES, n)


def _unfinished(given: GameLog) -> GameLog:
    return replace(given, entries=given.entries[:100])


def _named(*names: str) -> Callable[[GameLog], GameLog]:
    return lambda given: replace(given, header=replace(given.header, names=names))


def _torn_map(given: GameLog) -> GameLog:
    first = given.entries[0]
    board = replace(first.event.ruleset.map, connections=())
    event = replace(first.event, ruleset=replace(first.event.ruleset, map=board))
    return replace(given, entries=(replace(first, event=event), *given.entries[1:]))


@pytest.mark.parametrize(
    ("spoil", "code", "reason"),
    [
        (_unfinished, "log-unfinished", "Event 100 is the last, and the game is not over"),
        (_named("A", "\t", "C"), "log-unfit", "Line 1: names: one is empty"),
        (_named("A"), "log-unfit", "Line 1: names: 2 to 6"),
        (_named(*"ABCDEFG"), "log-unfit", "Line 1: names: 2 to 6"),
        (_torn_map, "log-unfit", "Event 1: connections: the map is not connected"),
    ],
)
def test_what_cannot_be_shown_is_refused_with_the_reason_and_nothing_is_stored(
    house: House, spoil: Callable[[GameLog], GameLog], code: str, reason: str
) -> None:
    with pytest.raises(TableError) as refusal:
        bring(house, spoil(log()))
    assert refusal.value.code == code
    assert reason in str(refusal.value)
    assert [house.all(table) for table in (Game, SeatRow, EventRow)] == [[], [], []]
