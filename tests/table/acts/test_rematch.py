"""A game that is over begins once more, with the same people by the same terms (H2, W26)."""

import pytest

from core.mail.kinds import MailKind
from core.statuses import GameStatus
from core.store.tables import Game, Invitation, OutboxMail, SeatRow
from core.table.acts import rematch
from core.table.record import gamelog
from core.table.record.errors import TableError
from tests.table.record.test_results import finish


def opened(house, game: int, name: str) -> Game:
    user = house.user(name)
    with house.write() as s:
        return rematch.rematch(s, gamelog.find(s, game), user, house.now)


def test_all_its_people_are_asked_and_bots_sit_again(house):
    old = finish(house, "Anna", "Ben", "")
    new = opened(house, old, "Ben")
    was, now = house.game(old), house.game(new.id)
    kept = ("title", "map", "variant", "players", "turn_hours", "terms", "private")
    assert [getattr(now, key) for key in kept] == [getattr(was, key) for key in kept]
    assert (now.status, now.host_id) == (GameStatus.OPEN, house.user("Ben").id)
    rows = [(row.user_id, bool(row.bot)) for row in house.all(SeatRow, game_id=new.id)]
    assert rows == [(house.user("Ben").id, False), (None, True)]
    (asked,) = [row for row in house.all(Invitation) if row.game_id == new.id]
    assert (asked.email, asked.name) == ("anna@example.org", "Anna")
    kinds = [row.kind for row in house.all(OutboxMail) if row.game_id == new.id]
    assert MailKind.INVITE in kinds


def test_two_who_ask_get_one_table(house):
    old = finish(house, "Anna", "Ben", "")
    first = opened(house, old, "Ben")
    assert opened(house, old, "Anna").id == opened(house, old, "Ben").id == first.id


def test_nobody_asks_before_the_end_or_from_elsewhere(house):
    running = house.start("Cleo", "Dora")
    with pytest.raises(TableError, match="over"):
        opened(house, running, "Cleo")
    old = finish(house, "Anna", "Ben", "")
    with pytest.raises(TableError, match="played in this game"):
        opened(house, old, "Cleo")
