"""M4: a game whose log was written by an older version owes the same mails as a current one."""

from pathlib import Path

from sqlmodel import select

from core.game.events import DeadlineExtended
from core.store.tables import EventRow, User
from core.table.views import reminders
from tests.support import hosting
from tests.support.table import House
from tests.support.waiting import ask, copy_of_tables, wants

OLD = {"DeadlineExtended": ("by", "turns")}
"""By type of event, the fields that its first version did not have."""


def make_old(house: House, game: int) -> int:
    """Write the events of a game as the first version did; how many are others now."""
    changed = 0
    with house.write() as s:
        for row in s.exec(select(EventRow).where(EventRow.game_id == game)):
            if late := OLD.get(row.body["type"]):
                row.body = {k: v for k, v in row.body.items() if k not in late} | {"v": 1}
                changed += 1
    return changed


def mails_of(house: House, *, old: bool) -> list[tuple[object, ...]]:
    """What a game owes for some moves and its end, after its host has given time."""
    for name in ("Anna", "Ben"):
        wants(house, house.user(name), reminders=["half"], mail_games=True)
    game = ask(house)
    with house.write() as s:
        host = s.get_one(User, house.game(game).host_id)
        hosting.extend(s, game, host, 24, "a cold", house.now)
    if old:
        assert make_old(house, game) == 1
    house.pass_time(hours=70)
    with house.write() as s:
        reminders.owe(s, house.now)
    house.play(game, 12)
    with house.write() as s:
        hosting.end(s, game, s.get_one(User, host.id), "enough", house.now)
    assert any(isinstance(e, DeadlineExtended) for e in house.events(game))
    return [(m.kind, m.user_id, m.seat, m.turn, m.key) for m in house.mails(game_id=game)]


def test_m4_an_old_log_owes_the_same_mails(tmp_path: Path) -> None:
    found = []
    for old in (False, True):
        folder = tmp_path / str(old)
        folder.mkdir()
        house = copy_of_tables(folder)
        found.append(mails_of(house, old=old))
        house.engine.dispose()
    assert found[0] == found[1]
    assert {"turn", "reminder", "notice", "end"} <= {mail[0] for mail in found[0]}
