"""Sealed bids stay outside the log until all are in, and are gone afterwards."""

import json

import pytest

from core.game.events import SealedBidsOpened
from core.store.tables import EventRow, SealedBidRow
from core.table.views.table_view import table_view


@pytest.fixture
def game(house):
    """Three people in a sealed auction; the opener has put up a plant and bid 37."""
    game = house.start("Anna", "Ben", "Clara", auction="sealed")
    house.move(game, house.asked(game)[0].seat, "auction 5 for 37")
    return game


def test_a_given_bid_is_kept_outside_the_log(house, game):
    assert [row.maximum for row in house.all(SealedBidRow)] == [37]
    logged = json.dumps([row.body for row in house.all(EventRow, game_id=game) if row.seq > 1])
    assert '"SealedBidGiven"' in logged
    assert "37" not in logged


def test_no_view_of_anybody_holds_a_bid_before_all_are_in(house, game):
    opener = house.all(SealedBidRow)[0].seat
    with house.read() as s:
        for seat in (None, 0, 1, 2):
            view = table_view(s, game, seat, now=house.now)
            told = repr((view.log, view.view.auction, view.asked))
            assert "SealedBidGiven" in told
            assert "37" not in told.replace(repr(view.log[0]), "")
            assert (seat in [a.seat for a in view.asked]) == (seat not in (None, opener))


def test_the_bids_decide_wherever_and_whenever_they_were_given(house, game):
    opener = house.all(SealedBidRow)[0].seat
    first, second = [t.seat for t in house.asked(game)]
    house.move(game, second, "bid 21")
    assert {row.seat for row in house.all(SealedBidRow)} == {opener, second}
    house.move(game, first, "pass")
    opened = next(e for e in house.events(game) if isinstance(e, SealedBidsOpened))
    assert {b.seat: b.maximum for b in opened.bids} == {opener: 37, first: None, second: 21}
    bought = next(e for e in house.events(game) if type(e).__name__ == "PlantBought")
    assert (bought.seat, bought.plant) == (opener, 5)
    assert bought.price in (21, 22)


def test_opened_bids_are_kept_nowhere_else(house, game):
    for turn in house.asked(game):
        house.move(game, turn.seat, "pass")
    assert house.all(SealedBidRow) == []


def test_a_seat_gives_one_bid(house, game):
    turn = house.asked(game)[0]
    house.move(game, turn.seat, "bid 20")
    again = house.move(game, turn.seat, "bid 40", turn=turn.turn)
    assert again.status == "stale"
    bids = {row.seat: row.maximum for row in house.all(SealedBidRow)}
    assert bids.get(turn.seat, 20) == 20


def test_a_missed_sealed_bid_is_a_pass(house, game):
    """In the second round: who has never acted in the first is waited for."""
    house.play(game, until=lambda state: state.round == 2 and state.auction is not None)
    before = house.game(game).seq
    asked = [t.seat for t in house.asked(game)]
    house.pass_time(days=3)
    house.adjudicate(game)
    opened = next(e for e in house.events(game)[before:] if isinstance(e, SealedBidsOpened))
    assert {b.seat: b.maximum for b in opened.bids if b.seat in asked} == dict.fromkeys(asked)


def test_a_refused_bid_is_not_kept(house, game):
    turn = house.asked(game)[0]
    assert house.move(game, turn.seat, "bid 999").status == "rejected"
    assert turn.seat not in [row.seat for row in house.all(SealedBidRow)]
