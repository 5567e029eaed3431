"""No host gains by the tools, and no single person holds the others up (H3, H17, H18)."""

import pytest

from core.game.events import GameEnded, MoveCorrected, Rewound
from core.store.tables import Pause, Proposal, Vacation
from core.table.acts import host_acts, proposals
from core.table.drive import due_work
from core.table.record import gamelog
from core.table.record.errors import TableError
from core.table.views.render import renderer
from core.terms import Terms
from tests.support.hosting import agreed
from tests.support.mails import MAILBOX
from tests.support.post_office import text_of


def ask(house, game, kind, who="Anna", **body):
    """Do it as the host; return the proposal that it becomes, None where it is done."""
    with house.write() as s:
        given = {"reason": "typo", **body}
        row = proposals.act_as_host(s, game, house.user(who), kind, given, house.now)
        return row and row.number


def refused(house, game, kind, **body):
    with pytest.raises(TableError) as error:
        ask(house, game, kind, **body)
    return error.value.code


def answer(house, game, number, name, agrees=True):
    with house.write() as s:
        seat = house.seat(game, name)
        return proposals.answer(s, game, number, seat, agrees=agrees, now=house.now).status


def voters(house, number):
    with house.read() as s:
        row = next(r for r in s.exec(Proposal.__table__.select()) if r.number == number)
        return proposals.meaning(s, s.get(Proposal, row.id)).voters


def sealed(house):
    """Anna, Ben and Clara have bid for a plant, and the bids are open."""
    game = house.start("Anna", "Ben", "Clara", auction="sealed")
    opener = house.asked(game)[0].seat
    house.move(game, opener, house.line(game, opener))
    for turn in list(house.asked(game)):
        house.move(game, turn.seat, "pass")
    return game, opener


class TestCorrections:
    def test_h17_a_host_never_corrects_his_own_bid_once_the_bids_are_open(self, house):
        game, _opener = sealed(house)
        before = house.kinds(game)
        me = house.seat(game, "Anna")
        for line in ("", "bid 20", "pass"):
            assert refused(house, game, "correct", seat=me, line=line) in (
                "revealed", "move-refused",
            )  # fmt: skip
        assert refused(house, game, "correct", seat=me) == "revealed"
        assert house.kinds(game) == before

    def test_h17_nor_by_a_correction_that_takes_his_own_bid_with_it(self, house):
        game, opener = sealed(house)
        me = house.seat(game, "Anna")
        if opener == me:
            others = [s for s in range(3) if s != me]
            with house.read() as s:
                whose = host_acts.look(s, house.game(game), others[0], "").whose
            assert me not in whose
        else:
            assert refused(house, game, "correct", seat=opener) == "revealed"

    def test_h17_a_rivals_move_is_corrected_with_the_rival_alone(self, house):
        game = house.played("Anna", "Ben", "Clara", moves=0, turn_hours=240, auction="open")
        house.play(game, until=lambda state: state.phase == "resources")
        seat = house.asked(game)[0].seat
        name = house.owner(game, seat).name
        if name == "Anna":
            house.move(game, seat, "buy nothing")
            seat = house.asked(game)[0].seat
            name = house.owner(game, seat).name
        house.move(game, seat, "buy nothing")
        number = ask(house, game, "correct", seat=seat)
        assert number is not None
        assert not any(isinstance(e, Rewound) for e in house.events(game))
        assert answer(house, game, number, name, agrees=False) == "refused"
        number = ask(house, game, "correct", seat=seat)
        others = [n for n in ("Ben", "Clara") if n != name]
        with house.read() as s:
            row = s.get(Proposal, 2)
            told = proposals.meaning(s, row).words()
        assert "buys no" in told or "buys nothing" in told or "bought no" in told.lower()
        assert answer(house, game, number, name) in ("accepted", "open")
        for other in others:
            if house.all(Proposal)[-1].status == "open":
                answer(house, game, number, other)
        assert any(isinstance(e, Rewound) for e in house.events(game))

    def test_h17_the_notice_says_what_was_before_and_what_is_now(self, house):
        game = house.played("Anna", "Ben", "Clara", moves=0, turn_hours=240, auction="open")
        house.play(game, until=lambda state: state.phase == "resources")
        seat = house.asked(game)[0].seat
        house.move(game, seat, house.line(game, seat))
        with house.write() as s:
            body = {"reason": "typo", "seat": seat, "line": "buy nothing"}
            agreed(s, game, house.user("Anna"), "correct", body, house.now)
        assert any(isinstance(e, MoveCorrected) for e in house.events(game))
        row = next(m for m in house.mails(kind="notice") if m.context.get("what") == "act")
        with house.read() as s:
            told = " ".join(text_of(renderer(MAILBOX)(s, row, house.now)).split())
        assert "Before:" in told
        assert "Now:" in told
        assert "Does not count any more: 1 move of" in told

    def test_h17_the_game_moving_on_ends_the_question(self, house):
        game = house.played("Anna", "Ben", "Clara", moves=0, turn_hours=240, auction="open")
        house.play(game, until=lambda state: state.phase == "resources")
        seat = house.asked(game)[0].seat
        house.move(game, seat, "buy nothing")
        number = ask(house, game, "correct", seat=seat)
        house.move(game, house.asked(game)[0].seat, "buy nothing")
        with house.read() as s:
            one = proposals.meaning(s, s.get(Proposal, 1))
            assert number == 1
            assert not one.open_at(house.now)


class TestSkipping:
    @pytest.mark.parametrize("hours", [25, 100, 167])
    def test_h18_no_turn_is_skipped_before_its_deadline(self, house, hours):
        game = house.start("Anna", "Ben", turn_hours=168, terms=Terms(claims=False, graces=0))
        seat = house.asked(game)[0].seat
        house.pass_time(hours=hours)
        assert refused(house, game, "skip", seat=seat) == "skip-early"
        house.pass_time(hours=168 - hours)
        assert ask(house, game, "skip", seat=seat) is None

    def test_h18_nor_while_its_clock_stands(self, house):
        game = house.start("Anna", "Ben", turn_hours=48, terms=Terms(claims=False, graces=0))
        turn = house.asked(game)[0]
        house.pass_time(hours=50)
        with house.write() as s:
            s.add(Vacation(user_id=turn.user_id, starts_at=house.now, created_at=house.now,
                           ends_at=house.now.replace(year=2027)))  # fmt: skip
        assert refused(house, game, "skip", seat=turn.seat) == "skip-stands"

    def test_h18_a_host_who_is_asked_alone_cannot_give_himself_time(self, house):
        game = house.start("Anna", "Ben", "Clara", auction="open", turn_hours=48)
        house.play(game, until=lambda state: state.phase == "resources")
        while house.owner(game, house.asked(game)[0].seat).name != "Anna":
            house.move(game, house.asked(game)[0].seat, "buy nothing")
        before = house.asked(game)[0].deadline
        number = ask(house, game, "extend", hours=24)
        assert house.asked(game)[0].deadline == before
        assert answer(house, game, number, "Ben") == "accepted"
        assert house.asked(game)[0].deadline > before


class TestHoldingUp:
    def sweep(self, house):
        with house.read() as s:
            due = due_work.neglected(s, house.now)
        for game_id in due:
            with house.write() as s:
                due_work.tend(s, game_id, house.now)

    def test_h3_a_pause_ends_by_itself_and_cannot_be_begun_alone_again(self, house):
        game = house.start("Anna", "Ben", "Clara")
        assert ask(house, game, "pause") is None
        house.pass_time(days=13)
        self.sweep(house)
        assert house.all(Pause)[0].ends_at is None
        house.pass_time(days=1)
        self.sweep(house)
        assert house.all(Pause)[0].ends_at == house.now
        assert "GameResumed" in house.kinds(game)
        number = ask(house, game, "pause")
        assert number is not None
        assert len(house.all(Pause)) == 1
        assert answer(house, game, number, "Ben") == "accepted"
        assert len(house.all(Pause)) == 2

    def test_h3_many_short_pauses_are_one_long_one(self, house):
        game = house.start("Anna", "Ben", "Clara")
        for _ in range(2):
            assert ask(house, game, "pause") is None
            house.pass_time(days=7)
            assert ask(house, game, "resume") is None
        assert ask(house, game, "pause") is not None

    def test_h3_a_majority_ends_a_pause_though_the_host_is_here(self, house):
        game = house.start("Anna", "Ben", "Clara")
        ask(house, game, "pause")
        with house.write() as s:
            seat, body = house.seat(game, "Ben"), {"reason": "we are back"}
            number = proposals.propose(s, game, seat, "resume", body, house.now).number
        assert answer(house, game, number, "Clara") == "accepted"
        assert house.all(Pause)[0].ends_at == house.now

    def test_h3_a_host_ends_no_game_of_two_people_alone(self, house):
        game = house.start("Anna", "Ben", robots=1)
        number = ask(house, game, "end")
        assert house.game(game).status == "running"
        assert answer(house, game, number, "Ben") == "accepted"
        assert house.game(game).status == "abandoned"

    def test_h3_one_who_plays_with_bots_alone_ends_it(self, house):
        game = house.start("Anna", robots=2)
        assert ask(house, game, "end") is None
        assert not any(isinstance(e, GameEnded) for e in house.events(game))
        with house.read() as s:
            assert gamelog.find(s, game).status == "abandoned"
