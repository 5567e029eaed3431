"""A move comes in: stored once, checked without changing anything."""

import threading

import pytest

from core.game.errors import IllegalMove, InvalidMove, StaleMove
from core.game.events import BidPlaced
from core.store.tables import Draft, EventRow, Submission
from core.table.play import submissions
from core.table.play.submissions import check


@pytest.fixture
def duel(house):
    return house.played("Anna", "Ben", auction="open", moves=0)


def test_m64_the_same_key_is_the_same_submission(house, duel):
    asked = house.asked(duel)[0]
    first = house.submit(duel, asked.seat, "auction 4 for 4", key="nonce")
    again = house.submit(duel, asked.seat, "auction 5 for 5", turn=asked.turn, key="nonce")
    assert first == again
    assert house.get(Submission, first).text == "auction 4 for 4"


def test_another_seat_cannot_use_or_read_a_key(house, duel):
    asked = house.asked(duel)[0]
    mine = house.submit(duel, asked.seat, "auction 4 for 4", key="nonce")
    other = house.submit(duel, 1 - asked.seat, "pass", turn=asked.turn, key="nonce")
    again = house.submit(duel, 1 - asked.seat, "bid 9", turn=asked.turn, key="nonce")
    assert other == again != mine


def test_m64_twenty_at_once_are_one_event_and_one_answer(house, duel):
    asked, found = house.asked(duel)[0], []

    def send():
        number = house.submit(
            duel, asked.seat, "auction 4 for 4", turn=asked.turn, key="double click"
        )
        house.adjudicate(duel)
        row = house.get(Submission, number)
        found.append((row.id, row.status, row.seq, row.reason))

    threads = [threading.Thread(target=send) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 20
    assert len(set(found)) == 1
    assert found[0][1] == "accepted"
    assert house.kinds(duel).count("AuctionOpened") == 1


def test_a_check_tells_what_would_happen_and_changes_nothing(house, duel):
    asked = house.asked(duel)[0]
    house.move(duel, asked.seat, "auction 4 for 4")
    other, before = house.asked(duel)[0], house.all(EventRow, game_id=duel)
    with house.read() as s:
        preview = check(s, duel, other.seat, other.turn, "  BID  5. ")
    assert preview.line == "bid 5"
    assert preview.events == (BidPlaced(other.seat, 5),)
    assert preview.view.auction.bid == 5
    assert house.all(EventRow, game_id=duel) == before


@pytest.mark.parametrize(("line", "error"), [
    ("auction 4 for 3", IllegalMove),
    ("sell everything", InvalidMove),
    ("", InvalidMove),
])  # fmt: skip
def test_a_check_refuses_as_the_adjudication_would(house, duel, line, error):
    asked = house.asked(duel)[0]
    with house.read() as s, pytest.raises(error):
        check(s, duel, asked.seat, asked.turn, line)


def test_a_check_of_an_old_turn_is_stale(house, duel):
    asked = house.asked(duel)[0]
    house.move(duel, asked.seat, "auction 4 for 4")
    with house.read() as s, pytest.raises(StaleMove):
        check(s, duel, asked.seat, asked.turn, "auction 4 for 4")


@pytest.mark.parametrize("channel", ["web", "mail"])
def test_a_very_long_line_is_refused_and_not_stored_whole(house, duel, channel):
    """What its beginning says must not be played for the whole."""
    asked, before = house.asked(duel)[0], house.kinds(duel)
    line = "auction 4 for 4" + " " * 500 + "0"
    row = house.move(duel, asked.seat, line, channel=channel)
    assert (row.status, row.code, len(row.text)) == ("rejected", "invalid", 500)
    assert "500 characters" in row.reason
    assert house.kinds(duel) == before
    assert len(house.mails(kind="refused")) == (channel == "mail")
    with house.read() as s, pytest.raises(InvalidMove, match="500 characters"):
        check(s, duel, asked.seat, asked.turn, line)


def test_a_line_as_long_as_it_may_be_is_judged(house, duel):
    asked = house.asked(duel)[0]
    line = "auction 4 for 4".ljust(500)
    assert house.move(duel, asked.seat, line).status == "accepted"


def test_a_draft_belongs_to_one_turn(house, duel):
    for turn, fields in ((5, {"bid": "7"}), (9, {"bid": "8"})):
        with house.write() as s:
            submissions.save_draft(s, duel, 0, turn, fields, house.now)
    with house.read() as s:
        row = s.get(Draft, (duel, 0))
        assert (row.turn, row.fields) == (9, {"bid": "8"})
        assert s.get(Draft, (duel, 1)) is None
