"""When things happened is what the service's own clock says (M54)."""

from datetime import timedelta
from itertools import pairwise

from core.store.tables import EventRow, Submission
from tests.support.post_office import PostOffice, of_kind, offered
from tests.support.table import House


def test_m54_what_a_mail_says_of_its_own_time_is_ignored(house: House) -> None:
    office = PostOffice(house)
    game = house.start("Anna", "Ben")
    (question,) = of_kind(office.fetch(), "turn")
    house.pass_time(hours=3)
    line = offered(question)[0]
    assert office.answer(question, line, Date="Mon, 1 Jan 2001 00:00:00 +0000") == "done"
    (move,) = house.all(Submission)
    assert move.status == "accepted"
    moved = [row for row in house.all(EventRow, game_id=game) if row.submission_id == move.id]
    assert {move.created_at, *(row.at for row in moved)} == {house.now}


def test_m54_times_of_a_log_never_go_back(house: House) -> None:
    game = house.start("Anna", "Ben", auction="open")
    for _ in range(30):
        house.pass_time(minutes=7)
        house.play(game, moves=1)
    rows = sorted(house.all(EventRow, game_id=game), key=lambda row: row.seq)
    assert all(one.at <= two.at for one, two in pairwise(rows))
    assert rows[-1].at - rows[0].at >= timedelta(hours=3)
