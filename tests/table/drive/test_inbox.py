"""Mail that comes in: who may answer what, and that each mail is answered once (M12, M13, M22)."""

import re
from email.message import EmailMessage

import pytest

from core.game.types import Seat
from core.mail.addresses import InviteToken, TableToken, TurnToken
from core.store.tables import ChatLine, InboundMail, Invitation, OutboxMail, SeatRow, Submission
from core.table.acts import absence, invitations, lobby
from core.table.drive import inbox
from core.table.people import accounts
from core.table.record import gamelog
from core.terms import Terms
from tests.support.mails import MAILBOX
from tests.support.post_office import PostOffice, of_kind, offered, text_of
from tests.support.table import House


@pytest.fixture
def engine_url(sqlite_url: str) -> str:
    """SQLite will do: test_game_by_mail.py plays on both."""
    return sqlite_url


def begin(office: PostOffice, **settings: object) -> tuple[int, EmailMessage]:
    """A game of two by open auction: its number, and the first turn mail."""
    game = office.house.start("Anna", "Ben", **{"auction": "open", **settings})
    (mail,) = of_kind(office.fetch(), "turn")
    return game, mail


def stay_away(house: House, game: int, seat: int) -> None:
    """Let a seat miss its turns, while the others play, until a caretaker sits there."""
    house.play(game, until=lambda state: state.round == 2)
    while not house.state(game).players[seat].caretaker:
        asked = house.asked(game)[0]
        if asked.seat == seat:
            house.pass_time(minutes=61)
            house.adjudicate(game)
        else:
            house.move(game, asked.seat, house.line(game, asked.seat))


class TestMoves:
    def test_an_offered_line_is_played_and_confirmed(self, house, office):
        _game, mail = begin(office)
        assert office.answer(mail, offered(mail)[0]) == "done"
        mails = office.fetch()
        (done,) = of_kind(mails, "done")
        assert done["To"] == mail["To"]
        assert done["In-Reply-To"] == "<1@reader.example.com>"
        assert f"DONE: {offered(mail)[0]}" in text_of(done)
        (following,) = of_kind(mails, "turn")
        assert following["To"] != mail["To"]
        assert not of_kind(mails, "refused")

    def test_every_seat_plays_two_rounds_by_the_lines_it_is_offered(self, house, office):
        game, mail = begin(office)
        pending, answered = [mail], 0
        while pending and house.state(game).round < 3:
            mail = pending.pop(0)
            lines = offered(mail)
            assert office.answer(mail, lines[answered % len(lines)]) == "done"
            answered += 1
            mails = office.fetch()
            assert not of_kind(mails, "refused")
            pending += of_kind(mails, "turn")
        assert house.state(game).round == 3
        house.log_is_whole(game)

    def test_an_illegal_move_is_refused_with_its_reason_and_changes_nothing(self, house, office):
        game, mail = begin(office)
        before = house.game(game).seq
        office.answer(mail, "auction 5 for 4000")
        (refused,) = office.fetch()
        assert refused["X-Kraftpost-Kind"] == "refused"
        assert "Nothing has been changed." in text_of(refused)
        assert offered(refused) == offered(mail)
        assert refused["Reply-To"] == mail["Reply-To"]
        assert house.game(game).seq == before

    def test_each_illegal_move_is_answered_once_however_many(self, house, office):
        _, mail = begin(office)
        for _ in range(3):
            office.answer(mail, "bid lots")
        assert len(of_kind(office.fetch(), "refused")) == 3

    def test_m12_an_answer_to_a_past_turn_is_refused_with_what_has_happened(self, house, office):
        game, mail = begin(office)
        office.answer(mail, offered(mail)[0])
        before = house.game(game).seq
        office.fetch()
        office.answer(mail, offered(mail)[1])
        (refused,) = office.fetch()
        assert refused["X-Kraftpost-Kind"] == "refused"
        assert "WHAT HAS HAPPENED SINCE YOUR LAST MOVE" in text_of(refused)
        assert house.game(game).seq == before

    def test_two_moves_in_one_mail_are_refused_as_a_whole(self, house, office):
        _game, mail = begin(office)
        office.answer(mail, offered(mail)[0], offered(mail)[1])
        (refused,) = office.fetch()
        assert "write one move" in text_of(refused)
        assert house.all(Submission) == []

    def test_a_move_beside_a_line_that_is_no_command_is_not_played(self, house, office):
        _game, mail = begin(office)
        office.answer(mail, offered(mail)[0], "pas")
        (refused,) = office.fetch()
        assert "Did you mean: pass" in text_of(refused)
        assert house.all(Submission) == []

    def test_a_mail_that_comes_twice_counts_once(self, house, office):
        _game, mail = begin(office)
        for _ in range(2):
            office.answer(mail, offered(mail)[0], Message_ID="<same@reader.example.com>")
        assert len(house.all(Submission)) == 1
        assert len(of_kind(office.fetch(), "done")) == 1

    def test_a_move_sent_to_the_table_is_not_taken_for_an_answer(self, house, office):
        game, mail = begin(office)
        seat = house.state(game).order[0]
        address = MAILBOX.reply.make(TableToken(game, seat))
        office.mail(str(mail["To"]), address, offered(mail)[0])
        (refused,) = office.fetch()
        assert "did not ask you" in text_of(refused)
        assert refused["Reply-To"] == mail["Reply-To"]
        assert offered(refused) == offered(mail)

    def test_an_own_sealed_bid_is_confirmed_and_no_one_else_hears_of_it(self, house, office):
        _game, mail = begin(office, auction="sealed")
        office.answer(mail, "auction 4 for 41")
        mails = office.fetch()
        (done,) = of_kind(mails, "done")
        assert "auction 4 for 41" in text_of(done)
        (other,) = of_kind(mails, "turn")
        assert not re.search(r"\b41\b", text_of(other))


class TestStrangers:
    def test_m22_another_address_is_not_answered(self, house, office):
        _game, mail = begin(office)
        assert office.mail("eve@example.org", str(mail["Reply-To"]), "pass") == "ignored"
        (told,) = office.fetch()  # the registered address alone
        assert told["To"] == mail["To"]
        assert house.all(Submission) == []

    def test_m22_the_other_players_address_does_not_open_this_seat(self, house, office):
        _game, mail = begin(office)
        other = next(a for a in ("anna@example.org", "ben@example.org") if a not in str(mail["To"]))
        assert office.mail(other, str(mail["Reply-To"]), offered(mail)[0]) == "ignored"
        (told,) = office.fetch()
        assert told["To"] == mail["To"]

    @pytest.mark.parametrize("header", [
        {"Auto_Submitted": "auto-replied"}, {"Precedence": "bulk"}, {"List_Id": "<a.example.org>"},
    ])  # fmt: skip
    def test_m22_a_programs_mail_is_not_answered(self, house, office, header):
        _, mail = begin(office)
        assert office.answer(mail, offered(mail)[0], **header) == "ignored"
        assert office.fetch() == []
        assert house.all(Submission) == []

    def test_m22_a_bounce_is_not_answered(self, house, office):
        _, mail = begin(office)
        raw = f"From: {mail['To']}\r\nTo: {mail['Reply-To']}\r\n\r\npass\r\n".encode()
        assert office.deliver(raw, "", str(mail["Reply-To"])) == "ignored"
        assert office.fetch() == []

    def test_a_forged_or_foreign_address_is_ignored(self, house, office):
        _, mail = begin(office)
        forged = str(mail["Reply-To"]).replace("turn+1.", "turn+2.")
        assert office.mail(str(mail["To"]), forged, "pass") == "ignored"
        assert office.mail(str(mail["To"]), "kraftpost@play.example.org", "pass") == "ignored"

    def test_a_seat_that_a_bot_plays_answers_nobody(self, house, office):
        game = house.start("Anna", robots=1)
        robot = next(r.seat for r in house.all(SeatRow, game_id=game) if r.bot)
        address = MAILBOX.reply.make(TurnToken(game, robot, 1))
        assert office.mail("anna@example.org", address, "pass") == "ignored"


class TestOtherCommands:
    def test_m22_what_is_not_understood_is_answered_once_an_hour(self, house, office):
        _, mail = begin(office)
        for _ in range(3):
            office.answer(mail, "What is this about, please?")
        (refused,) = office.fetch()
        assert refused["X-Kraftpost-Kind"] == "refused"
        assert offered(refused) == offered(mail)
        house.pass_time(minutes=61)
        office.answer(mail, "I am away until Monday")
        assert len(office.fetch()) == 1

    def test_m22_what_does_not_belong_here_is_answered_once_an_hour(self, house, office):
        _, mail = begin(office)
        for _ in range(3):
            office.answer(mail, "accept")
        assert len(office.fetch()) == 1

    def test_every_refused_move_is_answered_within_that_hour(self, house, office):
        game, mail = begin(office)
        table = MAILBOX.reply.make(TableToken(game, house.asked(game)[0].seat))
        office.answer(mail, "hm")
        for _ in range(2):
            office.answer(mail, "bid lots")
            office.answer(mail, "pass", "pass")
            office.mail(str(mail["To"]), table, "pass")
        assert len(of_kind(office.fetch(), "refused")) == 1 + 6

    def test_a_move_is_answered_also_within_that_hour(self, house, office):
        _, mail = begin(office)
        office.answer(mail, "hm")
        office.answer(mail, offered(mail)[0])
        assert [m["X-Kraftpost-Kind"] for m in office.fetch()] == ["refused", "done", "turn"]

    def test_an_empty_answer_is_told_so(self, house, office):
        _, mail = begin(office)
        office.answer(mail, "")
        (refused,) = office.fetch()
        assert "No command was found" in text_of(refused)

    def test_status_and_help(self, house, office):
        _, mail = begin(office)
        office.answer(mail, "status", "help")
        status, help_ = office.fetch()
        assert "HOW IT STANDS" in text_of(status)
        assert offered(status) == offered(mail)
        assert "power 5 with 1 coal 1 oil" in text_of(help_)
        assert status["In-Reply-To"] == help_["In-Reply-To"] == "<1@reader.example.com>"

    def test_chat_is_said_and_a_move_beside_it_is_played(self, house, office):
        _, mail = begin(office)
        office.answer(mail, "chat Good luck, all!", offered(mail)[0])
        assert [line.text for line in house.all(ChatLine)] == ["Good luck, all!"]
        done = of_kind(office.fetch(), "done")
        assert len(done) == 1
        assert "Posted to the table's chat." in text_of(done[0])

    def test_chat_at_a_table_without_chat_is_refused(self, house, office):
        _, mail = begin(office, chat=False)
        office.answer(mail, "chat hello")
        (refused,) = office.fetch()
        assert "no chat" in text_of(refused)

    def test_any_answer_brings_an_owner_back(self, house, office):
        game = house.start(
            "Anna", "Ben", "Clara", auction="open", turn_hours=1, terms=Terms(graces=0)
        )
        seat = house.asked(game)[0].seat
        absent = house.owner(game, seat)
        stay_away(house, game, seat)
        notice = next(m for m in office.fetch() if m["X-Kraftpost-Kind"] == "notice")
        assert absent.email in str(notice["To"])
        assert "A CARETAKER PLAYS FOR YOU" in text_of(notice)
        assert office.answer(notice, "status") == "done"
        assert not house.state(game).players[seat].caretaker
        kinds = [m["X-Kraftpost-Kind"] for m in office.fetch() if absent.email in str(m["To"])]
        assert "notice" in kinds
        assert "done" in kinds


class TestInvitations:
    def invite(self, office: PostOffice, **settings: object) -> tuple[int, EmailMessage]:
        house = office.house
        game = house.open("Anna", robots=1, **{"players": 3, **settings})
        with house.write() as s:
            invitations.invite(s, gamelog.find(s, game), "Friend@Example.com", "Friend", house.now)
        (mail,) = office.fetch()
        assert mail["X-Kraftpost-Kind"] == "invite"
        assert offered(mail) == ["accept", "decline"]
        return game, mail

    def test_a_friend_accepts_and_plays_without_ever_opening_the_site(self, house, office):
        game, mail = self.invite(office)
        assert office.answer(mail, "Accept!") == "done"
        mails = office.fetch()
        (done,), (full,) = of_kind(mails, "done"), of_kind(mails, "notice")
        assert "You sit at the table" in text_of(done)
        assert "Begin the game on its page" in text_of(full)  # the host's
        with house.write() as s:
            lobby.start(s, gamelog.find(s, game), house.now)
        house.adjudicate(game)
        seat = house.seat(game, "Friend")
        seen: list[EmailMessage] = []
        for _ in range(12):
            seen += office.fetch()
            for turn in [m for m in of_kind(seen, "turn") if "friend@example.com" in str(m["To"])]:
                seen.remove(turn)
                assert office.answer(turn, offered(turn)[-1]) == "done"
            others = [t for t in house.asked(game) if t.seat != seat]
            if others:
                house.move(game, others[0].seat, house.line(game, others[0].seat))
        assert not of_kind(seen, "refused")
        mine = house.all(Submission, seat=seat)
        assert len(mine) >= 3
        assert {s.status for s in mine} == {"accepted"}

    def test_no_one_else_can_accept_it(self, house, office):
        _game, mail = self.invite(office)
        assert office.mail("eve@example.org", str(mail["Reply-To"]), "accept") == "ignored"
        assert office.fetch() == []
        assert [i.status for i in house.all(Invitation)] == ["pending"]

    def test_decline(self, house, office):
        _, mail = self.invite(office)
        office.answer(mail, "decline")
        (done,) = office.fetch()
        assert "only if the host asks again" in text_of(done)
        assert [i.status for i in house.all(Invitation)] == ["declined"]
        assert "friend@example.com" not in [u.email for u in house.all(accounts.User)]

    def test_decline_after_accept_frees_the_place(self, house, office):
        game, mail = self.invite(office)
        office.answer(mail, "accept")
        office.answer(mail, "decline")
        assert [m["X-Kraftpost-Kind"] for m in office.fetch()] == ["done", "done"]
        assert "Friend" not in [row.name for row in house.all(SeatRow, game_id=game)]

    def test_decline_after_the_start_is_refused_with_the_reason(self, house, office):
        game, mail = self.invite(office)
        office.answer(mail, "accept")
        with house.write() as s:
            lobby.start(s, gamelog.find(s, game), house.now)
        office.fetch()
        office.answer(mail, "decline")
        (refused,) = of_kind(office.fetch(), "refused")
        assert "The game has begun" in text_of(refused)
        assert "Friend" in [row.name for row in house.all(SeatRow, game_id=game)]

    def test_a_table_that_is_full_refuses(self, house, office):
        game, mail = self.invite(office)
        with house.write() as s:
            lobby.add_bot(s, gamelog.find(s, game), "engineer", house.now)
        office.answer(mail, "accept")
        (refused,) = office.fetch()
        assert "taken" in text_of(refused)

    def test_another_command_is_told_what_to_answer(self, house, office):
        _, mail = self.invite(office)
        for _ in range(3):
            office.answer(mail, "bid 15")
        (refused,) = office.fetch()
        assert "Answer with accept or decline." in text_of(refused)
        office.answer(mail, "accept")
        assert len(of_kind(office.fetch(), "done")) == 1

    def test_an_invitation_answered_before_it_was_sent_is_dropped(self, house, office):
        game = house.open("Anna", robots=1, players=3)
        with house.write() as s:
            invitation = invitations.invite(
                s, gamelog.find(s, game), "f@example.com", "F", house.now
            )
            invitations.decline(s, invitation, house.now)
        assert office.fetch() == []

    def test_an_accept_sent_to_a_turn_is_refused(self, house, office):
        _, mail = begin(office)
        office.answer(mail, "accept")
        (refused,) = office.fetch()
        assert "nothing to accept" in text_of(refused)

    def test_an_invitation_of_another_number_does_not_open_this_one(self, house, office):
        _, mail = self.invite(office)
        other = MAILBOX.reply.make(InviteToken(99))
        assert office.mail(str(mail["To"]), other, "accept") == "ignored"


class TestWanted:
    """Whether a mail is still wanted is asked when it is sent."""

    def test_m12_m13_a_turn_mail_is_dropped_when_its_turn_was_answered(self, house, office):
        game = house.start("Anna", "Ben", auction="open")
        asked = house.asked(game)[0]
        house.move(game, asked.seat, house.line(game, asked.seat))
        turns = of_kind(office.fetch(), "turn")
        assert len(turns) == 1
        assert house.owner(game, house.asked(game)[0].seat).email in str(turns[0]["To"])
        dropped = house.mails(status="dropped")
        assert [(mail.kind, mail.seat) for mail in dropped] == [("turn", asked.seat)]

    def test_who_wants_no_turn_mails_any_more_gets_none(self, house, office):
        house.start("Anna", "Ben", auction="open")
        with house.write() as s:
            for user in s.exec(accounts.select(accounts.User)).all():
                user.mail_mode = "off"
                s.add(user)
        kinds = [m["X-Kraftpost-Kind"] for m in office.fetch()]
        assert kinds == ["start", "start"]  # M15: these have a toggle of their own

    def test_the_end_is_told_to_everybody(self, house, office):
        game = house.played("Anna", "Ben")
        ends = of_kind(office.fetch(), "end")
        assert len(ends) == 2
        assert "FINAL TABLE" in text_of(ends[0])
        assert f"/games/{game}/replay" in text_of(ends[0])

    def test_a_caretakers_seat_gets_no_turn_address(self, house, office):
        game = house.start(
            "Anna", "Ben", "Clara", auction="open", turn_hours=1, terms=Terms(graces=0)
        )
        seat = house.asked(game)[0].seat
        stay_away(house, game, seat)
        notice = next(m for m in office.fetch() if m["X-Kraftpost-Kind"] == "notice")
        assert notice["Reply-To"].startswith("table+")
        with house.write() as s:
            assert absence.return_owner(s, game, Seat(seat), house.now)
        back = next(m for m in office.fetch() if m["X-Kraftpost-Kind"] == "notice")
        assert "YOU PLAY AGAIN" in text_of(back)


def test_a_mail_to_two_of_our_addresses_is_two_mails(house, office):
    _, mail = begin(office)
    raw = f"From: {mail['To']}\r\nMessage-ID: <x@y>\r\n\r\npass\r\n".encode()
    with house.write() as s:
        first = inbox.receive(s, raw, "a@b", [str(mail["Reply-To"]), "x@y"], house.now)
    with house.write() as s:
        again = inbox.receive(s, raw + b"\r\n", "a@b", ["X@Y"], house.now)
    assert len(set(first)) == 2
    assert again == first[1:]
    assert len(house.all(InboundMail)) == 2


def test_the_outbox_says_why_a_mail_was_dropped(house, office):
    game = house.start("Anna", "Ben", auction="open")
    asked = house.asked(game)[0]
    house.move(game, asked.seat, house.line(game, asked.seat))
    office.fetch()
    (dropped,) = house.all(OutboxMail, status="dropped")
    assert dropped.error == "answered meanwhile"
