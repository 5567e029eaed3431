"""Host tools, and the same by vote: skip, correct, replace, end, each in the log and told (M77)."""

import pytest
from sqlmodel import select

from core.game.events import (
    DeadlineExtended,
    GameAbandoned,
    GamePaused,
    MoveCorrected,
    Rewound,
    SeatOpened,
    SeatTaken,
    TurnSkipped,
)
from core.orders.notation import parse
from core.store.tables import OutboxMail, Proposal, SealedBidRow, User
from core.table.acts import absence, invitations, proposals, replace
from core.table.drive import due_work
from core.table.play.stuck import stop_game
from core.table.record import gamelog, standing_orders
from core.table.record.errors import TableError
from core.table.views.render import renderer
from tests.support.hosting import agreed
from tests.support.mails import MAILBOX
from tests.support.post_office import PostOffice, text_of


@pytest.fixture
def game(house):
    """Anna is the host."""
    return house.played("Anna", "Ben", "Clara", turn_hours=240, moves=0)


def user(house, name):
    return next(u for u in house.all(User) if u.name == name)


def host(house, game, kind, who="Anna", **body):
    with house.write() as s:
        agreed(s, game, user(house, who), kind, {"reason": "a reason", **body}, house.now)


def ask(house, game, kind, who="Anna", **body):
    """As the host; return the proposal's number, None where it is done at once."""
    with house.write() as s:
        given = {"reason": "a reason", **body}
        row = proposals.act_as_host(s, game, user(house, who), kind, given, house.now)
        return row and row.number


def propose(house, game, name, kind, **body):
    seat = house.seat(game, name)
    with house.write() as s:
        row = proposals.propose(s, game, seat, kind, {"reason": "a reason", **body}, house.now)
        return row.number


def answer(house, game, number, name, agrees=True):
    seat = house.seat(game, name)
    with house.write() as s:
        return proposals.answer(s, game, number, seat, agrees=agrees, now=house.now).status


def code_of(call, *args, **how):
    with pytest.raises(TableError) as refused:
        call(*args, **how)
    return refused.value.code


def told(house):
    return [(m.seat, m.context["what"]) for m in house.mails(kind="notice")]


def to_fuel(house, game):
    house.play(game, until=lambda state: state.phase == "resources")
    return house.asked(game)[0].seat


def test_m77_a_skipped_turn_is_a_default_move_and_no_missed_turn(house, game):
    seat = to_fuel(house, game)
    assert code_of(host, house, game, "skip", seat=seat) == "skip-early"
    for hours in (25, 120, 94):
        house.pass_time(hours=hours)
        assert code_of(host, house, game, "skip", seat=seat) == "skip-early"
    house.pass_time(hours=1)
    other = next(s for s in (0, 1, 2) if s != seat)
    assert code_of(host, house, game, "skip", seat=other) == "not-asked"
    host(house, game, "skip", seat=seat)
    assert TurnSkipped(seat, "host", "a reason") in house.events(game)
    assert house.state(game).players[seat].missed == 0
    assert house.asked(game)[0].seat != seat
    assert sorted(told(house)) == sorted(
        (house.seat(game, name), "act") for name in ("Ben", "Clara")
    )


def test_m77_a_move_is_corrected_and_everybody_is_told(house, game):
    seat = to_fuel(house, game)
    money = house.state(game).players[seat].elektro
    house.move(game, seat, house.line(game, seat))
    house.move(game, house.asked(game)[0].seat, "buy nothing")
    host(house, game, "correct", seat=seat, line="buy nothing")
    rewound, corrected = house.events(game)[-3:-1]
    assert (rewound.by, rewound.seat, rewound.reason) == ("vote", seat, "a reason")
    assert corrected == MoveCorrected(seat, "vote", "a reason")
    assert house.state(game).players[seat].elektro == money
    assert house.asked(game)[0].seat != seat
    house.log_is_whole(game)
    house.play(game, 8)


def test_without_a_line_the_seat_is_asked_again(house, game):
    seat = to_fuel(house, game)
    house.move(game, seat, "buy nothing")
    host(house, game, "correct", seat=seat)
    assert isinstance(house.events(game)[-1], Rewound)
    assert [t.seat for t in house.asked(game)] == [seat]


def test_m58_only_the_host_goes_back_beyond_a_reveal(house):
    """Sealed bids that were opened lie on the table again as they were handed in."""
    game = house.start("Anna", "Ben", "Clara", auction="sealed")
    opener = house.asked(game)[0].seat
    house.move(game, opener, house.line(game, opener))
    first, last = (turn.seat for turn in house.asked(game))
    house.move(game, first, "pass")
    house.move(game, last, "pass")
    bought = house.state(game)
    assert bought.players[opener].plants
    with house.write() as s:
        other = next(seat for seat in (0, 1, 2) if seat != last)
        gamelog.lock(s, game).host_id = house.owner(game, other).id
    host(house, game, "correct", house.owner(game, other).name, seat=last)
    assert {r.seat for r in house.all(SealedBidRow)} == {opener, first}
    assert not house.state(game).players[opener].plants
    assert [t.seat for t in house.asked(game)] == [last]
    house.move(game, last, "pass")
    again = house.state(game)
    assert (again.players, again.market, again.stack) == (
        bought.players, bought.market, bought.stack,
    )  # fmt: skip
    assert house.all(SealedBidRow) == []


def test_a_correction_that_cannot_be_changes_nothing(house, game):
    seat = to_fuel(house, game)
    before = house.kinds(game)
    house.move(game, seat, "buy nothing")
    moved = house.kinds(game)
    for body, code in (
        ({"seat": seat, "line": "buy 99 coal"}, "move-refused"),
        ({"seat": seat, "line": "dance"}, "move-refused"),
        ({"seat": 9}, "no-such-seat"),
        ({"seat": seat, "reason": " "}, "reason-missing"),
    ):
        assert code_of(host, house, game, "correct", **body) == code
    assert house.kinds(game) == moved != before


def test_nothing_to_correct_before_the_first_move(house, game):
    waiting = next(s for s in (0, 1, 2) if s != house.asked(game)[0].seat)
    assert code_of(host, house, game, "correct", seat=waiting) == "nothing-to-correct"


def test_m41_nobody_is_replaced_who_has_missed_nothing(house, game):
    ben = house.seat(game, "Ben")
    assert code_of(host, house, game, "replace", seat=ben) == "not-missed"


def test_m41_who_has_missed_a_turn_can_be_replaced(house, game):
    seat = to_fuel(house, game)
    name = house.owner(game, seat).name
    while not house.state(game).players[seat].missed:
        house.pass_time(days=11)
        house.adjudicate(game)
    host(house, game, "replace", seat=seat)
    event = next(e for e in house.events(game) if isinstance(e, SeatTaken))
    assert (event.seat, event.former, event.bot) == (seat, name, True)


def test_a_vote_needs_the_host_to_be_gone(house, game):
    assert code_of(propose, house, game, "Ben", "pause") == "host-is-here"
    assert code_of(propose, house, game, "Ben", "dance") == "no-proposal"
    house.pass_time(days=7, seconds=-1)
    assert code_of(propose, house, game, "Ben", "pause") == "host-is-here"
    house.pass_time(seconds=1)
    number = propose(house, game, "Ben", "pause")
    assert code_of(propose, house, game, "Clara", "pause") == "proposed"
    assert "GamePaused" not in house.kinds(game)
    assert answer(house, game, number, "Clara") == "accepted"
    assert house.events(game)[-1] == GamePaused("vote", "a reason")


def test_a_host_who_is_heard_of_is_not_gone(house, game):
    house.pass_time(days=8)
    host(house, game, "pause")
    assert code_of(propose, house, game, "Ben", "extend", hours=3) == "host-is-here"


def test_a_majority_of_those_who_are_here_decides(house, game):
    house.pass_time(days=8)
    number = propose(house, game, "Ben", "extend", hours=5)
    assert answer(house, game, number, "Clara", agrees=False) == "open"
    assert answer(house, game, number, "Anna", agrees=False) == "refused"
    number = propose(house, game, "Ben", "extend", hours=5)
    assert answer(house, game, number, "Anna") == "accepted"
    event = house.events(game)[-1]
    assert isinstance(event, DeadlineExtended)
    assert (event.hours, event.reason, event.by) == (5, "a reason", "vote")


def test_one_may_think_better_of_an_answer_while_it_is_open(house):
    game = house.start("Anna", "Ben", "Clara", "Dora", "Emil", turn_hours=300)
    house.pass_time(days=8)
    number = propose(house, game, "Ben", "extend", hours=5)
    assert answer(house, game, number, "Clara", agrees=False) == "open"
    assert answer(house, game, number, "Clara") == "open"
    assert answer(house, game, number, "Dora") == "accepted"


class TestSomebodyLeaves:
    @pytest.fixture
    def game(self, house):
        return house.played("Anna", "Ben", "Clara", "Dora", turn_hours=240, moves=0)

    def leave(self, house, game, name):
        with house.write() as s:
            absence.resign(s, game, house.seat(game, name), "", house.now)

    def sweep(self, house):
        with house.read() as s:
            due = due_work.neglected(s, house.now)
        for game in due:
            with house.write() as s:
                due_work.tend(s, game, house.now)

    def test_a_majority_of_those_who_are_still_here_is_enough(self, house, game):
        number = propose(house, game, "Ben", "end")
        assert answer(house, game, number, "Clara") == "open"
        self.sweep(house)
        assert house.game(game).status == "running"
        self.leave(house, game, "Dora")
        self.sweep(house)
        assert house.game(game).status == "abandoned"
        assert house.all(Proposal)[0].status == "accepted"

    def test_what_he_said_counts_no_more_nor_for_his_successor(self, house, game):
        number = propose(house, game, "Ben", "end")
        answer(house, game, number, "Clara")
        seat = house.seat(game, "Clara")
        self.leave(house, game, "Clara")
        with house.write() as s:
            replace.take(s, game, seat, s.get_one(User, house.user("Emil").id), house.now)
        assert answer(house, game, number, "Anna") == "open"
        with house.read() as s:
            (seen,) = proposals.open_ones(s, gamelog.find(s, game), seat, house.now)
        assert seen.asked
        assert answer(house, game, number, "Emil") == "accepted"

    def test_what_can_be_done_no_more_lapses(self, house, game):
        """And stops no sweep: a majority would skip a turn that has been answered since."""
        house.pass_time(days=11)
        turn = house.asked(game)[0]
        others = [n for n in ("Anna", "Ben", "Clara", "Dora") if house.seat(game, n) != turn.seat]
        number = propose(house, game, others[0], "skip", seat=turn.seat)
        answer(house, game, number, others[1])
        house.move(game, turn.seat, house.line(game, turn.seat))
        self.leave(house, game, others[2])
        self.sweep(house)
        assert house.all(Proposal)[0].status == "lapsed"
        assert house.game(game).status == "running"


def test_a_proposal_lapses_after_a_week(house, game):
    number = propose(house, game, "Ben", "end")
    house.pass_time(days=7)
    assert code_of(answer, house, game, number, "Clara") == "proposal-over"
    assert propose(house, game, "Ben", "end") == number + 1


def test_m48_players_can_always_end_a_game(house, game):
    number = propose(house, game, "Ben", "end")
    assert house.game(game).status == "running"
    answer(house, game, number, "Clara")
    assert house.game(game).status == "abandoned"
    assert house.events(game)[-1] == GameAbandoned("a reason", house.game(game).seed, "vote")
    assert code_of(answer, house, game, number, "Anna") == "proposal-over"


@pytest.mark.parametrize("way", ["host", "vote"])
def test_m48_a_game_that_cannot_advance_can_be_ended(house, game, way, monkeypatch):
    """Without the rules, which may be what stopped it; its standing orders are revealed, too."""
    with house.write() as s:
        state = gamelog.load(s, game)
        said = parse("limit 50 to 60", state.ruleset)
        standing_orders.give(s, gamelog.lock(s, game), state, 1, said, house.now)
    with house.write() as s:
        stop_game(s, game, "the engine loops", house.now)

    def wedged(*_args, **_how):
        raise AssertionError("the engine is asked")

    monkeypatch.setattr("core.game.engine.to_act", wedged)
    assert code_of(host, house, game, "extend", hours=3) == "not-running"
    if way == "host":
        host(house, game, "end")
    else:
        answer(house, game, propose(house, game, "Ben", "end"), "Clara")
    row = house.game(game)
    assert (row.status, row.stopped_reason, row.ended_at) == ("abandoned", "", house.now)
    last, revealed = house.events(game)[-2:]
    assert isinstance(last, GameAbandoned)
    assert [(o.seat, o.text, o.status) for o in revealed.orders] == [(1, "limit 50 to 60", "ended")]
    assert house.asked(game) == []
    assert len(house.mails(kind="end")) == 3
    monkeypatch.undo()
    house.log_is_whole(game)


def test_m52_a_game_that_has_begun_stays_whoever_wants_it_gone(house, game):
    """Nothing deletes a game: its host can end it, and its log is kept."""
    host(house, game, "end")
    assert "GameStarted" in house.kinds(game)
    assert house.state(game).abandoned


def test_m40_a_corrected_seat_has_time_to_answer(house):
    game = house.start("Anna", "Ben", "Clara", turn_hours=10)
    seat = to_fuel(house, game)
    house.pass_time(hours=9, minutes=59)
    house.move(game, seat, "buy nothing")
    host(house, game, "correct", seat=seat)
    (turn,) = house.asked(game)
    assert (turn.deadline - house.now).total_seconds() == 10 * 3600


def came_to_nothing(house):
    """Whom mails tell that a proposal came to nothing, and what they say."""
    rows = [m for m in house.mails(kind="notice") if m.context.get("what") == "over"]
    with house.read() as s:
        return [(m.seat, text_of(renderer(MAILBOX)(s, m, house.now))) for m in rows]


def do_chores(house):
    with house.read() as s:
        due = due_work.neglected(s, house.now)
    for number in due:
        with house.write() as s:
            due_work.tend(s, number, house.now)


def test_who_has_proposed_is_told_once_when_it_lapses(house, game):
    propose(house, game, "Ben", "end")
    do_chores(house)
    assert came_to_nothing(house) == []
    house.pass_time(days=7)
    for _ in range(2):
        do_chores(house)
    ((seat, said),) = came_to_nothing(house)
    assert seat == house.seat(game, "Ben")
    assert "Ben proposes to end the game" in said
    assert "it is not done" in said
    assert house.all(Proposal)[0].status == "lapsed"


def test_an_undo_lapses_when_the_game_moves_on_and_its_asker_is_told(house):
    game = house.start("Anna", "Ben", "Clara", auction="open")
    first = house.asked(game)[0].seat
    house.move(game, first, "auction 5 for 5")
    house.move(game, house.asked(game)[0].seat, "bid 6")
    with house.write() as s:
        proposals.ask_to_undo(s, game, first, None, house.now)
    do_chores(house)
    assert came_to_nothing(house) == []
    house.move(game, house.asked(game)[0].seat, "bid 7")
    do_chores(house)
    assert [seat for seat, _said in came_to_nothing(house)] == [first]


def test_who_is_asked_reads_how_many_must_agree(house, game):
    house.pass_time(days=8)
    propose(house, game, "Ben", "extend", hours=5)
    (asked,) = [m for m in house.all(OutboxMail) if m.context.get("what") == "proposal"][:1]
    with house.read() as s:
        letter = text_of(renderer(MAILBOX)(s, s.get_one(OutboxMail, asked.id), house.now))
    assert "The reason: “a reason”. It is done once 2 of 3 agree, and can be answered until" in (
        letter
    )


def test_who_has_proposed_is_told_when_it_is_refused(house, game):
    number = propose(house, game, "Ben", "end")
    for name in ("Anna", "Clara"):
        answer(house, game, number, name, agrees=False)
    ((seat, said),) = came_to_nothing(house)
    assert seat == house.seat(game, "Ben")
    assert "Not enough agree" in said


def test_who_has_been_asked_is_told_when_it_is_withdrawn(house, game):
    """Not who has answered; and whom no mail has asked yet, none tells that it is over."""
    office = PostOffice(house)
    game = house.start("Dora", "Emil", "Fay", "Gus", "Hal")
    number = propose(house, game, "Dora", "end")
    office.fetch()
    answer(house, game, number, "Emil")
    with house.write() as s:
        key = f"proposal:{number}:{house.seat(game, 'Hal')}"
        late = s.exec(select(OutboxMail).where(OutboxMail.key == key)).one()
        late.status = "pending"
    with house.write() as s:
        proposals.withdraw(s, game, number, house.seat(game, "Dora"), house.now)
    told = came_to_nothing(house)
    assert sorted(seat for seat, _said in told) == sorted(
        house.seat(game, name) for name in ("Fay", "Gus")
    )
    assert all("withdrawn" in said for _seat, said in told)


def test_a_proposal_that_is_done_or_whose_game_is_over_tells_nothing_more(house, game):
    number = propose(house, game, "Ben", "end")
    answer(house, game, number, "Clara")
    do_chores(house)
    assert came_to_nothing(house) == []


class TestOffered:
    """A seat is offered to others after a missed turn, by the host or by vote (M41)."""

    @pytest.fixture
    def late(self, house, game):
        """The seat of somebody, not the host's, who has just missed a turn."""
        house.play(game, until=lambda state: state.round == 2)
        while True:
            seat = house.asked(game)[0].seat
            if house.owner(game, seat).name != "Anna":
                break
            house.move(game, seat, house.line(game, seat))
        house.pass_time(days=11)
        house.adjudicate(game)
        return seat

    def test_m41_only_after_a_recorded_missed_deadline(self, house, game):
        ben = house.seat(game, "Ben")
        assert code_of(host, house, game, "offer", seat=ben) == "not-missed"

    def test_m41_somebody_else_takes_it_as_soon_as_the_host_has_offered_it(self, house, game, late):
        former = house.owner(game, late).name
        host(house, game, "offer", seat=late)
        assert house.events(game)[-1] == SeatOpened(late, "host", "a reason")
        assert house.state(game).players[late].caretaker, "a bot plays meanwhile"
        assert code_of(host, house, game, "offer", seat=late) == "offered"
        with house.write() as s:
            invitations.invite(s, gamelog.find(s, game), "dora@example.org", "Dora", house.now)
        house.adjudicate(game)
        with house.write() as s:
            replace.take(s, game, late, s.get_one(User, house.user("Dora").id), house.now)
        house.adjudicate(game)
        event = next(e for e in house.events(game) if isinstance(e, SeatTaken))
        assert (event.name, event.former) == ("Dora", former)
        house.play(game, moves=5)
        house.log_is_whole(game)

    def test_its_owner_may_come_back_before(self, house, game, late):
        host(house, game, "offer", seat=late)
        with house.write() as s:
            assert absence.return_owner(s, game, late, house.now)
        assert not house.state(game).players[late].caretaker
        user = house.user("Dora")
        with pytest.raises(TableError) as refused, house.write() as s:
            replace.take(s, game, late, s.get_one(User, user.id), house.now)
        assert refused.value.code == "not-open"

    def test_m41_a_majority_offers_it_where_the_host_is_gone(self, house, game, late):
        house.pass_time(days=8)
        other = next(n for n in ("Ben", "Clara") if house.seat(game, n) != late)
        number = propose(house, game, other, "offer", seat=late)
        answer(house, game, number, "Anna")
        assert any(e == SeatOpened(late, "vote", "a reason") for e in house.events(game))

    def test_m77_everybody_is_told_with_the_reason(self, house, game, late):
        former = house.owner(game, late).name
        host(house, game, "offer", seat=late)
        told = [m for m in house.mails(kind="notice") if m.context["what"] == "act"]
        with house.read() as s:
            said = text_of(renderer(MAILBOX)(s, told[-1], house.now))
        assert f"The host decided: The seat of {former} is free for somebody else. a reason" in said
