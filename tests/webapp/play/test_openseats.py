"""Seats that others may take, records, and tables that close by themselves, on pages."""

import re

import pytest

from core.game.events import SeatOpened
from core.store.tables import SeatRow, User
from core.table.acts import vacation
from core.terms import Terms
from tests.support.site import Site


@pytest.fixture
def left(site: Site) -> tuple[int, int]:
    """A game of three, and the seat of somebody who has given it up."""
    house = site.house
    game = house.played(
        "Anna",
        "Ben",
        "Clara",
        turn_hours=1,
        auction="open",
        terms=Terms(graces=0),
        until=lambda state: state.round == 2,
    )
    seat = house.seat(game, "Anna")
    house._now = house.now
    while not house.state(game).players[seat].caretaker:
        for turn in house.asked(game):
            if turn.seat != seat:
                house.move(game, turn.seat, house.line(game, turn.seat))
        if all(turn.seat == seat for turn in house.asked(game)):
            house.pass_time(hours=2)
            house.adjudicate(game)
    return game, seat


def test_m40_an_open_seat_is_offered_in_the_lobby_and_on_the_page_and_taken(site: Site, left):
    game, seat = left
    dora = site.visitor("Dora")
    assert "Seats to take over" in dora.page("/")
    assert "Take the seat of Anna" in dora.page(f"/games/{game}")
    assert "Sign in to take the seat" in site.visitor().page(f"/games/{game}")
    ben = site.visitor("Ben").page(f"/games/{game}")
    assert "Anna is away; others may take the seat." in ben
    assert "Take the seat of" not in ben
    assert dora.post(f"/games/{game}/seats/{seat}/take").status_code == 303
    assert site.house.owner(game, seat).name == "Dora"
    page = dora.page(f"/games/{game}")
    assert "Take the seat of" not in page
    assert "Dora plays in place of Anna." in page
    assert "Seats to take over" not in site.visitor("Emil").page("/")
    answer = site.visitor("Emil").post(f"/games/{game}/seats/{seat}/take", follow_redirects=True)
    assert "This seat is not free" in answer.text


def test_m40_the_former_owner_is_a_spectator(site: Site, left):
    game, seat = left
    anna = site.visitor("Anna")
    assert "A bot plays your seat" in anna.page(f"/games/{game}")
    site.visitor("Dora").post(f"/games/{game}/seats/{seat}/take")
    page = anna.page(f"/games/{game}")
    assert "A bot plays your seat" not in page
    assert "Your company" not in page


def test_nobody_takes_a_seat_that_is_not_open(site: Site, left):
    game, seat = left
    other = (seat + 1) % 3
    owner = site.house.owner(game, other).name
    site.visitor("Dora").post(f"/games/{game}/seats/{other}/take")
    assert site.house.owner(game, other).name == owner
    assert site.visitor().post(f"/games/{game}/seats/{seat}/take").status_code in (302, 303, 401)
    assert site.house.owner(game, seat).name == "Anna"


def test_m44_the_record_stands_on_the_profile_and_at_the_seat(site: Site, left):
    game, _seat = left
    assert "turns answered in time" in site.visitor("Ben").page(f"/games/{game}")
    page = site.visitor("Anna").page("/profile")
    assert "of your last" in page
    assert "tables of others are closed to you until" in page
    assert "100 %" in site.visitor("Ben").page("/profile")


def test_m44_a_refused_joiner_reads_why_and_what_to_do(site: Site, left):
    table = site.house.open("Emil", players=3)
    with site.house.write() as s:
        anna = s.get_one(User, site.house.all(User, name="Anna")[0].id)
        anna.barred_at = site.house.now
    answer = site.visitor("Anna").post(f"/games/{table}/join", follow_redirects=True)
    assert "others are closed to you until" in answer.text
    assert len(site.house.all(SeatRow, game_id=table)) == 1


def test_m45_a_table_says_when_it_closes_and_can_be_kept_open(site: Site):
    table = site.house.open("Emil", players=3)
    emil = site.visitor("Emil")
    assert "Keep it open" in emil.page(f"/games/{table}")
    assert "Keep it open" not in site.visitor("Dora").page(f"/games/{table}")
    answer = emil.post(f"/games/{table}/refresh", follow_redirects=True)
    assert "The table stays open." in answer.text
    assert site.house.game(table).refreshed_at is not None


class TestLeaving:
    @pytest.fixture
    def game(self, site: Site) -> int:
        return site.house.start("Anna", "Ben", "Clara", turn_hours=24, auction="open")

    def test_the_page_says_what_it_means_and_then_it_is_done(self, site: Site, game):
        anna, path = site.visitor("Anna"), f"/games/{game}/resign"
        assert path in anna.page(f"/games/{game}")
        asked = anna.page(path)
        assert "A bot plays your seat from now on" in asked
        assert "for 7 days new tables are closed to you" in asked
        assert anna.post(path, {"reason": "No time, sorry."}).status_code == 303
        assert SeatOpened(site.house.seat(game, "Anna"), "player", "No time, sorry.") in (
            site.house.events(game)
        )
        page = anna.page(f"/games/{game}")
        assert "A bot plays your seat" in page
        assert "missed two turns" not in page
        assert path not in page
        assert "Anna has left the game." in site.visitor("Ben").page(f"/games/{game}")
        assert anna.post(path).status_code == 422

    def test_a_page_that_others_who_left_have_overtaken_leaves_no_game(self, site: Site, game):
        path, anna = f"/games/{game}/resign", site.visitor("Anna")
        asked = self.position(anna.page(path))
        assert site.visitor("Ben").post(path).status_code == 303
        length = site.house.game(game).seq
        answer = anna.post(path, {"last": asked})
        assert answer.status_code == 409
        assert "Ben has left the game." in answer.text
        assert site.house.game(game).seq == length
        assert site.visitor("Clara").post(path, {"last": asked}).status_code == 409
        again = anna.page(path)
        assert "Clara is the only one left then" in again
        assert anna.post(path, {"last": self.position(again)}).status_code == 303
        over = site.visitor("Clara").post(path, {"last": asked})
        assert over.status_code == 409
        assert "ended" in over.text

    def test_a_move_meanwhile_keeps_nobody_from_leaving(self, site: Site, game):
        house, path = site.house, f"/games/{game}/resign"
        asked = self.position(site.visitor("Anna").page(path))
        mover = house.asked(game)[0].seat
        house.move(game, mover, house.line(game, mover))
        assert house.game(game).seq > int(asked)
        assert site.visitor("Anna").post(path, {"last": asked}).status_code == 303

    @staticmethod
    def position(page: str) -> str:
        found = re.search(r'name="last" value="(\d+)"', page)
        assert found
        return found[1]

    def test_the_last_two_are_told_that_it_ends_the_game(self, site: Site):
        game = site.house.start("Anna", "Ben")
        page = site.visitor("Anna").page(f"/games/{game}/resign")
        assert "Ben is the only one left then, so the game ends at once" in page

    def test_alone_with_bots_nothing_is_said_of_ones_record(self, site: Site):
        game = site.house.start("Anna", robots=2)
        page = site.visitor("Anna").page(f"/games/{game}/resign")
        assert "Nobody is left then" in page
        assert "new tables" not in page

    def test_only_who_plays_a_running_game_can_leave_it(self, site: Site, game):
        path, length = f"/games/{game}/resign", site.house.game(game).seq
        assert site.visitor("Eve").get(path).status_code == 403
        assert site.visitor("Eve").post(path).status_code == 403
        waits = site.house.open("Anna", "Ben")
        assert site.visitor("Anna").get(f"/games/{waits}/resign").status_code == 404
        assert site.visitor("Anna").post(f"/games/{waits}/resign").status_code == 422
        assert site.visitor().post(path).status_code in (302, 303, 401)
        assert site.house.game(game).seq == length

    def test_a_sitter_cannot_leave_for_him(self, site: Site, game):
        dora = site.house.user("Dora")
        with site.house.write() as s:
            plan = vacation.Plan(5, None, dora.email)
            vacation.take(s, s.get_one(User, site.house.user("Anna").id), plan, site.house.now)
        length = site.house.game(game).seq
        assert site.visitor("Dora").get(f"/games/{game}").status_code == 200
        assert site.visitor("Dora").post(f"/games/{game}/resign").status_code == 403
        assert site.house.game(game).seq == length
