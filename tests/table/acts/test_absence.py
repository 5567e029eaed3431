"""Those who are away: saved moves, caretakers, seats that change hands, games without people."""

import pytest
from sqlmodel import select

from core.game.events import (
    CaretakerAppointed,
    DraftPlayed,
    GameAbandoned,
    GameEnded,
    OwnerReturned,
    SeatOpened,
    SeatTaken,
    TurnMissed,
)
from core.game.narrate import report
from core.mail.addresses import PlaceToken
from core.mail.outbox import NotWanted
from core.orders import notation as orders
from core.store.tables import (
    Draft,
    Game,
    OutboxMail,
    SeatRow,
    StandingOrder,
    Submission,
    Turn,
    User,
)
from core.table.acts import absence, host_acts, invitations, lobby, vacation
from core.table.acts.host_acts import Replace
from core.table.acts.replace import accept_seat, take
from core.table.drive import due_work
from core.table.notify.mails import SeatNotice, UserNotice
from core.table.people import reliability
from core.table.play import submissions
from core.table.record import gamelog, seats, standing_orders
from core.table.record.errors import TableError
from core.table.views import render as render_mails
from core.table.views.render import renderer
from core.table.views.table_view import table_view
from core.terms import Terms
from tests.support.mails import MAILBOX
from tests.support.post_office import text_of

STRICT = Terms(graces=0)


@pytest.fixture
def game(house):
    """A game of three in round 2, so that everybody has moved."""
    return house.played(
        "Anna", "Ben", "Clara", turn_hours=24, terms=STRICT, until=lambda state: state.round == 2
    )


def others_move(house, game, seat):
    """All but one play until only he is waited for."""
    while house.game(game).status == "running":
        turn = next((t for t in house.asked(game) if t.seat != seat), None)
        if turn is None:
            return
        house.move(game, turn.seat, house.line(game, turn.seat))


def leave(house, game, seat):
    """A seat misses its turns until it is given up, or the game ends."""
    while house.game(game).status == "running" and not house.state(game).players[seat].caretaker:
        others_move(house, game, seat)
        house.pass_time(hours=25)
        house.adjudicate(game)


def row(house, game, seat):
    return next(r for r in house.all(SeatRow, game_id=game) if r.seat == seat)


def notices(house, user):
    told = house.mails(user_id=user.id)
    return [m.context["what"] for m in told if m.kind in ("notice", "word")]


def taken(house, game, seat, name):
    with house.write() as s:
        take(s, game, seat, s.get_one(User, house.user(name).id), house.now)
    house.adjudicate(game)


class TestDrafts:
    @pytest.fixture
    def asked(self, house):
        """A table that plays saved moves, and the turn that has one."""
        terms = STRICT.model_copy(update={"on_miss": "draft"})
        game = house.start("Anna", "Ben", "Clara", turn_hours=24, terms=terms, auction="open")
        return house.asked(game)[0]

    def save(self, house, turn, fields, number=None):
        with house.write() as s:
            number = turn.turn if number is None else number
            submissions.save_draft(s, turn.game_id, turn.seat, number, fields, house.now)
        house.pass_time(hours=24)
        house.adjudicate(turn.game_id)

    def test_m36_a_complete_saved_move_is_played_at_the_deadline_and_never_silently(
        self, house, asked
    ):
        before = len(house.events(asked.game_id))
        self.save(house, asked, {"plant": ["4"], "amount": ["7"]})
        played, opened = house.events(asked.game_id)[before : before + 2]
        assert played == DraftPlayed(asked.seat)
        assert (opened.seat, opened.plant, opened.bid) == (asked.seat, 4, 7)
        assert house.get(Turn, asked.id).closed_by == "draft"
        (told,) = house.mails(kind="notice")
        assert told.context == {"what": "draft", "line": "auction 4 for 7"}
        assert house.all(Draft, game_id=asked.game_id)[0].turn == asked.turn

    @pytest.mark.parametrize(
        "fields", [{}, {"plant": ["4"], "amount": ["x"]}, {"plant": ["4"], "amount": ["2"]},
                   {"line": ["dance"]}]
    )  # fmt: skip
    def test_m36_an_incomplete_or_illegal_one_is_not(self, house, asked, fields):
        self.save(house, asked, fields)
        assert TurnMissed(asked.seat) in house.events(asked.game_id)
        assert DraftPlayed(asked.seat) not in house.events(asked.game_id)

    def test_m36_nor_is_the_one_of_another_turn(self, house, asked):
        self.save(house, asked, {"plant": ["4"], "amount": ["7"]}, number=asked.turn - 1)
        assert TurnMissed(asked.seat) in house.events(asked.game_id)

    def test_m36_a_table_that_did_not_agree_to_it_plays_the_default(self, house):
        game = house.start("Anna", "Ben", "Clara", turn_hours=24, terms=STRICT, auction="open")
        turn = house.asked(game)[0]
        self.save(house, turn, {"plant": ["4"], "amount": ["7"]})
        assert DraftPlayed(turn.seat) not in house.events(game)


class TestOpenSeats:
    @pytest.fixture
    def left(self, house, game):
        """Anna's seat, which she has given up by two missed turns."""
        seat = house.seat(game, "Anna")
        leave(house, game, seat)
        return seat

    def test_two_missed_turns_bring_a_caretaker_and_open_the_seat(self, house, game, left):
        log = house.events(game)
        at = log.index(CaretakerAppointed(left))
        assert log[at + 1] == SeatOpened(left)
        assert row(house, game, left).open
        assert notices(house, house.user("Anna")) == ["caretaker"]

    def test_the_owner_comes_back_as_long_as_nobody_has_taken_it(self, house, game, left):
        with house.write() as s:
            assert absence.return_owner(s, game, left, house.now)
        assert house.events(game)[-1] == OwnerReturned(left)
        assert not row(house, game, left).open
        with pytest.raises(TableError, match="not free"):
            taken(house, game, left, "Dora")

    def test_m40_who_takes_it_has_the_full_time_and_the_former_owner_loses_it(
        self, house, game, left
    ):
        house.pass_time(hours=5)
        taken(house, game, left, "Dora")
        assert SeatTaken(left, "Dora", "Anna") in house.events(game)
        assert house.owner(game, left).name == "Dora"
        assert not house.state(game).players[left].caretaker
        house.play(game, until=lambda state: left in [t.seat for t in house.asked(game)])
        turn = next(t for t in house.asked(game) if t.seat == left)
        assert (turn.deadline - turn.asked_at).total_seconds() == 24 * 3600
        assert turn.user_id == house.user("Dora").id
        assert notices(house, house.user("Anna"))[-1] == "replaced"
        with house.read() as s:
            assert seats.seat_of(s, game, house.user("Anna").id) is None
        house.play(game)
        assert house.game(game).status == "finished"
        house.log_is_whole(game)

    @pytest.mark.parametrize("terms", [STRICT, Terms(clock="bank", graces=0)])
    def test_m40_an_asked_seat_is_asked_anew_with_fresh_time(self, house, terms):
        game = house.start("Anna", "Ben", "Clara", turn_hours=24, terms=terms)
        turn = house.asked(game)[0]
        house.pass_time(hours=(turn.deadline - house.now).total_seconds() / 3600 + 1)
        house.adjudicate(game)
        house.pass_time(hours=3)
        taken(house, game, turn.seat, "Dora")
        fresh = next(t for t in house.asked(game) if t.seat == turn.seat)
        assert fresh.id != turn.id
        assert fresh.deadline == house.now + (turn.deadline - turn.asked_at)

    def test_taking_it_twice_or_by_two_is_once(self, house, game, left):
        taken(house, game, left, "Dora")
        for name in ("Dora", "Emil"):
            with pytest.raises(TableError, match="not free"):
                taken(house, game, left, name)
        assert [e.name for e in house.events(game) if isinstance(e, SeatTaken)] == ["Dora"]

    def test_who_plays_here_already_takes_no_second_seat(self, house, game, left):
        with pytest.raises(TableError) as refused:
            taken(house, game, left, "Ben")
        assert refused.value.code == "already-here"

    def test_at_a_private_table_only_who_is_invited_takes_it(self, house, game, left):
        with house.write() as s:
            s.get_one(Game, game).private = True
        with pytest.raises(TableError) as refused:
            taken(house, game, left, "Dora")
        assert refused.value.code == "not-invited"
        with house.write() as s:
            row = invitations.invite(
                s, gamelog.find(s, game), "dora@example.org", "Dora", house.now
            )
        with house.write() as s:
            seat = accept_seat(s, s.merge(row), house.now)
            assert (seat.seat, seat.name) == (left, "Dora")
        assert house.owner(game, left).name == "Dora"

    def test_names_are_right_for_before_and_after(self, house, game, left):
        taken(house, game, left, "Dora")
        at = next(n for n, e in enumerate(house.events(game), 1) if isinstance(e, SeatTaken))
        house.play(game)
        with house.read() as s:
            past = table_view(s, game, None, now=house.now, upto=at - 1)
            present = table_view(s, game, None, now=house.now)
        assert (past.names[left], present.names[left]) == ("Anna", "Dora")
        for table in (past, present):
            lines = [
                (line.first, line.text)
                for chapter in report(table.log, table.names)
                for phase in chapter.phases
                for line in phase.lines
            ]
            assert not [text for seq, text in lines if seq < at and "Dora" in text]
            assert [text for seq, text in lines if seq < at and "Anna" in text]
            assert not [text for seq, text in lines if seq > at and "Anna" in text]
        assert [text for seq, text in lines if seq > at and "Dora" in text]


def replace_by_bot(session, house, game, seat, reason) -> None:
    act = Replace(reason, seat)
    host_acts.perform(session, house.game(game), act, "host", house.now)


class TestReplacing:
    def test_m41_only_after_a_recorded_missed_deadline(self, house, game):
        seat = house.seat(game, "Ben")
        with house.write() as s, pytest.raises(TableError) as refused:
            replace_by_bot(s, house, game, seat, "We wait for Ben.")
        assert refused.value.code == "not-missed"
        others_move(house, game, seat)
        house.pass_time(hours=25)
        house.adjudicate(game)
        with house.write() as s:
            replace_by_bot(s, house, game, seat, "We wait for Ben.")
        house.adjudicate(game)
        event = next(e for e in house.events(game) if isinstance(e, SeatTaken))
        assert (event.seat, event.former, event.bot, event.by) == (seat, "Ben", True, "host")
        assert event.reason == "We wait for Ben."
        assert row(house, game, seat).bot
        house.play(game)
        assert house.game(game).status == "finished"

    def test_a_move_of_the_former_owner_that_waits_is_refused_to_him(self, house, game):
        seat = house.seat(game, "Ben")
        others_move(house, game, seat)
        house.pass_time(hours=25)
        house.adjudicate(game)
        others_move(house, game, seat)
        number = house.submit(game, seat, house.line(game, seat), channel="mail", key="m#1")
        with house.write() as s:
            replace_by_bot(s, house, game, seat, "Too late.")
        with house.read() as s:
            told = s.exec(select(OutboxMail).where(OutboxMail.key == f"answer:{number}")).one()
        assert told.user_id == house.user("Ben").id
        assert told.kind == "refused"


class TestFirstRound:
    @pytest.fixture
    def first(self, house):
        game = house.start("Anna", "Ben", "Clara", turn_hours=24, terms=STRICT, auction="open")
        turn = house.asked(game)[0]
        house.pass_time(hours=24)
        house.adjudicate(game)
        return turn

    def test_m39_the_seat_is_offered_and_nothing_is_played_for_it(self, house, first):
        game, seat = first.game_id, first.seat
        assert house.events(game)[-2:] == [TurnMissed(seat), SeatOpened(seat)]
        (waiting,) = house.asked(game)
        assert (waiting.id, waiting.seat) == (first.id, seat)
        assert waiting.deadline > house.now
        assert "offered" in notices(house, house.owner(game, seat))

    def test_m39_its_owner_may_still_come(self, house, first):
        decided = house.move(first.game_id, first.seat, "auction 4 for 4", turn=first.turn)
        assert decided.status == "accepted"
        assert OwnerReturned(first.seat) in house.events(first.game_id)
        assert not row(house, first.game_id, first.seat).open
        assert house.state(first.game_id).players[first.seat].missed == 0

    def test_m39_who_has_left_orders_has_come(self, house):
        game = house.start("Anna", "Ben", "Clara", turn_hours=24, terms=STRICT, auction="open")
        seat = house.asked(game)[0].seat
        with house.write() as s:
            state = gamelog.load(s, game)
            said = orders.parse("order power all", state.ruleset)
            standing_orders.give(s, gamelog.lock(s, game), state, seat, said, house.now)
        house.adjudicate(game)
        house.pass_time(hours=24)
        house.adjudicate(game)
        assert TurnMissed(seat) in house.events(game)
        assert SeatOpened(seat) not in house.events(game)
        assert house.owner(game, seat).barred_at is None

    def test_m39_after_a_while_a_bot_takes_it_and_the_game_goes_on(self, house, first):
        owner = house.owner(first.game_id, first.seat)
        house.pass_time(hours=24)
        house.adjudicate(first.game_id)
        event = next(e for e in house.events(first.game_id) if isinstance(e, SeatTaken))
        assert (event.seat, event.bot, event.by) == (first.seat, True, "service")
        assert notices(house, owner)[-1] == "replaced"
        assert first.seat not in [t.seat for t in house.asked(first.game_id)]
        house.play(first.game_id)
        assert house.game(first.game_id).status == "finished"

    def test_m39_who_has_moved_once_misses_turns_like_everybody(self, house):
        game = house.start("Anna", "Ben", "Clara", turn_hours=24, terms=STRICT, auction="open")
        seat = house.asked(game)[0].seat
        house.move(game, seat, house.line(game, seat))
        others_move(house, game, seat)
        house.pass_time(hours=24)
        house.adjudicate(game)
        assert TurnMissed(seat) in house.events(game)
        assert SeatOpened(seat) not in house.events(game)
        assert "missed" in {t.closed_by for t in house.all(Turn, seat=seat)}, "by the default move"


class TestLastOnes:
    def test_m43_the_last_player_is_not_made_to_play_alone(self, house, game):
        leave(house, game, house.seat(game, "Anna"))
        assert house.game(game).status == "running"
        leave(house, game, house.seat(game, "Ben"))
        last = house.events(game)[-1]
        assert isinstance(last, GameAbandoned)
        assert last.because == "last-player"
        assert house.game(game).status == "abandoned"
        assert len(house.mails(kind="end")) == 3
        assert house.user("Clara").barred_at is None
        house.log_is_whole(game)

    def test_a_game_whose_people_are_all_away_waits_and_then_ends(self, house):
        game = house.start("Anna", robots=2, turn_hours=24, terms=STRICT)
        seat = house.seat(game, "Anna")
        leave(house, game, seat)
        seq = house.game(game).seq
        assert notices(house, house.user("Anna"))[-1] == "asleep"
        house.adjudicate(game)
        assert (house.game(game).seq, house.game(game).has_automatic_moves) == (seq, False)
        house.pass_time(days=13, hours=23)
        assert self.due(house) == []
        house.pass_time(hours=2)
        assert self.due(house) == [game]
        for _ in range(2):
            with house.write() as s:
                due_work.tend(s, game, house.now)
        assert [e.because for e in house.events(game) if isinstance(e, GameAbandoned)] == [
            "nobody-left"
        ]
        assert self.due(house) == []
        assert house.mails(kind="end")

    def test_a_sleeping_game_goes_on_when_somebody_comes_back(self, house):
        game = house.start("Anna", robots=2, turn_hours=24, terms=STRICT)
        seat = house.seat(game, "Anna")
        leave(house, game, seat)
        with house.write() as s:
            absence.return_owner(s, game, seat, house.now)
        house.adjudicate(game)
        house.play(game)
        assert isinstance(house.events(game)[-1], GameEnded)

    def test_who_plays_with_bots_alone_is_not_barred(self, house):
        game = house.start("Anna", robots=2, turn_hours=24, terms=STRICT)
        leave(house, game, house.seat(game, "Anna"))
        assert house.user("Anna").barred_at is None

    def due(self, house):
        with house.read() as s:
            return due_work.neglected(s, house.now)


class TestReliability:
    def test_m44_who_gives_up_a_seat_is_barred_and_withdrawn(self, house, game):
        waiting = house.open("Emil", "Anna", players=3)
        leave(house, game, house.seat(game, "Anna"))
        with house.read() as s:
            assert due_work.neglected(s, house.now) == [waiting]
        for _ in range(2):
            with house.write() as s:
                due_work.tend(s, waiting, house.now)
        assert [r.name for r in house.all(SeatRow, game_id=waiting)] == ["Emil"]
        assert notices(house, house.user("Emil")) == ["withdrawn"]
        with pytest.raises(TableError) as refused:
            self.join(house, waiting, "Anna")
        assert refused.value.code == "barred"
        house.open("Anna", players=3)  # her own (H5)
        house.pass_time(days=7)
        self.join(house, waiting, "Dora")

    def test_m44_a_table_may_ask_for_a_record(self, house):
        self.answered(house, "Dora", answered=8, missed=2)
        self.answered(house, "Emil", answered=9, missed=0)
        self.answered(house, "Greta", answered=9, missed=1)
        table = house.open("Anna", players=5, terms=Terms(least_reliability=90))
        with pytest.raises(TableError) as refused:
            self.join(house, table, "Dora")
        assert refused.value.code == "unreliable"
        assert "8 of your last 10 (80 %)" in str(refused.value)
        self.join(house, table, "Emil")
        self.join(house, table, "Greta")  # just enough
        self.join(house, table, "Frank")  # nobody knows him yet
        with house.write() as s:
            row = invitations.invite(
                s, gamelog.find(s, table), "dora@example.org", "Dora", house.now
            )
        with house.write() as s:
            accept_seat(s, s.merge(row), house.now)  # the host may ask whom he likes

    def test_m44_only_the_last_hundred_turns_of_a_year_count(self, house):
        self.answered(house, "Dora", answered=0, missed=30)
        house.pass_time(days=1)
        self.answered(house, "Dora", answered=90, missed=0)
        assert self.record(house, "Dora") == reliability.Record(100, 90)
        house.pass_time(days=365)
        assert self.record(house, "Dora").percent == 100

    def test_m44_a_seat_that_changes_hands_leaves_each_his_own_record(self, house, game):
        seat = house.seat(game, "Anna")
        leave(house, game, seat)
        taken(house, game, seat, "Dora")
        house.play(game)
        anna, dora = self.record(house, "Anna"), self.record(house, "Dora")
        assert anna.asked - anna.answered == 2
        assert dora.asked == dora.answered > 0

    def answered(self, house, name, answered, missed):
        user = house.user(name)
        with house.write() as s:
            table = Game(title="x", map="m", variant="v", players=2, turn_hours=1,
                         created_at=house.now)  # fmt: skip
            s.add(table)
            s.flush()
            for n in range(answered + missed):
                s.add(Turn(
                    game_id=table.id, seat=0, turn=n, user_id=user.id, asked_at=house.now,
                    deadline=house.now, closed_at=house.now,
                    closed_by="missed" if n < missed else "move",
                ))  # fmt: skip

    def record(self, house, name):
        with house.read() as s:
            return reliability.record(s, house.user(name).id, house.now)

    def join(self, house, table, name):
        with house.write() as s:
            user = s.get_one(User, house.user(name).id)
            lobby.join(s, gamelog.find(s, table), user, house.now)


def test_m40_no_mail_shows_the_former_owner_the_seat_any_more(house, game, monkeypatch):
    monkeypatch.setattr("core.mail.compose.board", lambda _table: None)
    seat = house.seat(game, "Anna")
    leave(house, game, seat)
    owed = [m for m in house.mails(user_id=house.user("Anna").id) if m.seat is not None]
    taken(house, game, seat, "Dora")
    render = renderer(MAILBOX)
    for mail in owed:
        with house.read() as s, pytest.raises(NotWanted):
            render(s, s.get_one(OutboxMail, mail.id), house.now)
    last = house.mails(user_id=house.user("Anna").id)[-1]
    with house.read() as s:
        mail = render(s, s.get_one(OutboxMail, last.id), house.now)
    assert "Dora plays your seat from now on" in " ".join(text_of(mail).split())
    token = MAILBOX.reply.read(mail["Reply-To"].addresses[0].addr_spec)
    assert isinstance(token, PlaceToken), "it says who writes, and no seat"


@pytest.mark.parametrize("what", ["offered", "draft", "asleep", "seated", "caretaker"])
def test_m27_every_notice_says_what_has_happened(house, game, what):
    anna = house.user("Anna")
    heading, text = render_mails.seat_words(
        SeatNotice(what), {"line": "pass", "days": 14}, anna, house.now
    )
    assert heading
    assert text.endswith(".")


@pytest.mark.parametrize("what", ["grace", "offered"])
def test_a_notice_about_time_speaks_of_the_deadline_that_the_mail_itself_gives(house, what):
    """Who plays by mail alone reads no page."""
    _heading, text = render_mails.seat_words(SeatNotice(what), {}, house.user("Anna"), house.now)
    assert "the deadline below" in text
    assert "page" not in text


@pytest.mark.parametrize("what", ["replaced", "no-show", "withdrawn", "idle", "closed"])
def test_m27_every_word_about_a_table_says_what_has_happened(house, game, what):
    anna = house.user("Anna")
    memo = render_mails.user_memo(UserNotice(what), {"name": "Ben"}, house.game(game), anna)
    assert memo.heading.startswith("Test · ")
    assert memo.path == f"/games/{game}"


class TestLeaving:
    """A player leaves a running game by himself: as after two missed turns, but in his words."""

    @pytest.fixture
    def seat(self, house, game):
        return house.asked(game)[0].seat

    def test_a_bot_plays_and_the_seat_is_open(self, house, game, seat):
        anna = house.owner(game, seat)
        before = house.game(game).seq
        resign(house, game, seat, "No time,\n sorry.")
        new = house.events(game)[before:]
        assert new[:2] == [
            CaretakerAppointed(seat), SeatOpened(seat, "player", "No time, sorry.")
        ]  # fmt: skip
        assert row(house, game, seat).open
        house.adjudicate(game)
        assert house.asked(game) and all(turn.seat != seat for turn in house.asked(game))
        with house.read() as s:
            assert reliability.barred_until(house.get(User, anna.id), house.now)
            kept = reliability.record(s, anna.id, house.now)
        assert (kept.asked, kept.percent) == (kept.answered, 100), "it is no missed turn"
        taken(house, game, seat, "Dora")
        assert house.owner(game, seat).name == "Dora"
        house.log_is_whole(game)

    def test_the_others_are_told_in_the_words_of_the_log(self, house, game, seat):
        resign(house, game, seat, "No time, sorry.")
        name = row(house, game, seat).name
        said = f"{name} has left the game. The seat of {name} is free for somebody else. No time,"
        with house.read() as s:
            told = [m for m in house.mails(kind="notice") if m.context["what"] == "act"]
            texts = [renderer(MAILBOX)(s, mail, house.now) for mail in told]
        assert {m.user_id for m in told} == {
            house.owner(game, other).id for other in range(3) if other != seat
        }
        assert all(said in text_of(mail) for mail in texts)

    def test_orders_a_saved_move_and_a_move_on_its_way_are_void(self, house, game, seat):
        turn = house.asked(game)[0].turn
        with house.write() as s:
            table, state = gamelog.lock(s, game), gamelog.load(s, game)
            said = orders.parse("order power all every round", state.ruleset)
            standing_orders.give(s, table, state, seat, said, house.now)
            s.add(Draft(game_id=game, seat=seat, turn=turn, fields={}, saved_at=house.now))
        number = house.submit(game, seat, house.line(game, seat), turn=turn)
        resign(house, game, seat)
        house.adjudicate(game)
        assert [o.status for o in house.all(StandingOrder, game_id=game)] == ["cancelled"]
        assert house.all(Draft, game_id=game) == []
        assert house.get(Submission, number).status == "stale"
        assert house.state(game).players[seat].caretaker, "what was on its way brings nobody back"

    def test_he_may_come_back_until_somebody_has_the_seat(self, house, game, seat):
        resign(house, game, seat)
        with house.write() as s:
            assert absence.return_owner(s, game, seat, house.now)
        assert OwnerReturned(seat) in house.events(game)
        assert not row(house, game, seat).open
        resign(house, game, seat)
        taken(house, game, seat, "Dora")
        with house.write() as s:
            assert not absence.return_owner(s, game, seat, house.now)

    def test_m43_the_last_one_left_has_no_loss(self, house):
        game = house.start("Anna", "Ben", turn_hours=24, terms=STRICT)
        seat = house.asked(game)[0].seat
        other = house.owner(game, 1 - seat)
        resign(house, game, seat)
        assert house.game(game).status == "abandoned"
        assert GameAbandoned("", house.game(game).seed, "last-player") in house.events(game)
        assert reliability.barred_until(house.get(User, other.id), house.now) is None
        assert {m.user_id for m in house.mails(kind="end")} == {
            house.owner(game, 0).id, house.owner(game, 1).id
        }  # fmt: skip
        assert all(turn.closed_at for turn in house.all(Turn, game_id=game))

    def test_who_played_with_bots_alone_finds_the_game_asleep(self, house):
        game = house.start("Anna", robots=2, turn_hours=24, terms=STRICT)
        seat = house.seat(game, "Anna")
        resign(house, game, seat)
        house.adjudicate(game)
        assert (house.game(game).status, house.asked(game)) == ("running", [])
        assert reliability.barred_until(house.user("Anna"), house.now) is None
        house.pass_time(days=15)
        with house.write() as s:
            assert game in due_work.neglected(s, house.now)

    @pytest.mark.parametrize("how", ["left", "over", "stopped", "open"])
    def test_refusals(self, house, game, seat, how):
        if how == "open":
            game = house.open("Anna", "Ben")
        if how == "left":
            resign(house, game, seat)
        with house.write() as s:
            table = s.get_one(Game, game)
            table.status = "finished" if how == "over" else table.status
            table.stopped_reason = "slow" if how == "stopped" else ""
        length = house.game(game).seq
        with pytest.raises(TableError) as error:
            resign(house, game, seat)
        assert error.value.code == ("left" if how == "left" else "not-running")
        assert house.game(game).seq == length

    def test_no_sitter_brings_him_back(self, house, game, seat):
        dora, turn = house.user("Dora"), house.asked(game)[0].turn
        with house.write() as s:
            plan = vacation.Plan(5, None, dora.email)
            vacation.take(s, s.get_one(User, house.owner(game, seat).id), plan, house.now)
        line = house.line(game, seat)
        resign(house, game, seat)
        number = house.submit(game, seat, line, turn=turn, channel="sitter")
        house.adjudicate(game)
        assert house.get(Submission, number).status == "stale"
        assert house.state(game).players[seat].caretaker


def resign(house, game, seat, reason=""):
    with house.write() as s:
        absence.resign(s, game, seat, reason, house.now)
