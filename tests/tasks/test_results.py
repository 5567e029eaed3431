"""The end of a game, judged by real workers: its result, its ratings and its picture follow."""

from datetime import UTC, datetime

from core.game.events import SeatMoved
from core.store.tables import Picture, Rating, Result
from core.table.people import ratings
from tests.support.over import events, play_over, timed
from tests.support.workers import wait_for
from tests.table.record.test_results import everything, rebuild


def test_a_game_that_workers_end_is_counted_rated_and_drawn(house, workers):
    log = events(3)
    last = max(n for n, event in enumerate(log) if isinstance(event, SeatMoved))
    played = timed(log[:last], {0: 100, 1: 250, 2: 730}, datetime(2026, 6, 1, tzinfo=UTC))
    game_id = play_over(house, ("Anna", "Ben", "Clara"), played, has_automatic_moves=True)
    workers.start(concurrency=2)
    workers.start_beat()
    seat = log[last].seat

    def asked():
        return [turn for turn in house.asked(game_id) if turn.seat == seat]

    wait_for(asked, within=200)
    assert house.all(Result) == []
    house.submit(game_id, seat, house.line(game_id, seat))
    wait_for(lambda: house.game(game_id).status == "finished", within=200)
    assert house.get(Result, game_id).rated
    wait_for(lambda: len(house.all(Rating, game_id=game_id)) == 3, within=200)
    with house.read() as s:
        assert not ratings.is_due(s)

    def drawn():
        """The card of the end; there may have been one before the last move."""
        rows = house.all(Picture, game_id=game_id, seq=house.game(game_id).seq)
        return [row for row in rows if row.status == "ready"]

    [card] = wait_for(drawn, within=200)
    assert card.body
    before = everything(house)
    rebuild(house)
    assert everything(house) == before
