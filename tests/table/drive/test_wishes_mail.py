"""Everything a person can do by mail beside moves: settings, places, tables, and no dead ends."""

import re

import pytest
from sqlmodel import select

from core.mail.addresses import UnsubscribeLink
from core.mail.commands import Wish, read_command
from core.statuses import GameStatus
from core.store.tables import ChatLine, Game, Invitation, SeatRow, User
from core.table.acts import expiry, invitations
from core.table.drive import due_work, inbox
from core.table.notify import digests, modes
from core.table.play import stuck
from tests.support.mails import MAILBOX
from tests.support.post_office import of_kind, offered, text_of


@pytest.fixture
def engine_url(sqlite_url: str) -> str:
    return sqlite_url


@pytest.fixture
def turn(house, office):
    house.start("Anna", "Ben", auction="open")
    (mail,) = of_kind(office.fetch(), "turn")
    return mail


def owner(house, mail) -> User:
    address = str(mail["To"]).partition("<")[2].rstrip(">") or str(mail["To"])
    (user,) = house.all(User, email=address)
    return user


@pytest.mark.parametrize("line", [
    "mail on", "Mail off.", "mail daily", "quiet 22-7", "quiet from 22:30 to 6:45", "quiet off",
    "zone Europe/Berlin", "zone berlin", "name Cho", "map", "map please", "show 119", "resend",
    "tables", "tables?", "join 17", "join table #17", "open", "open Friday club",
    "invite Ann <ann@example.org>", "invite ann@example.org", "begin", "begin please",
    "pause until Monday", "resume", "more 24h", "more time 2 days", "leave", "resign",
])  # fmt: skip
def test_it_is_read(line):
    assert isinstance(read_command(line), Wish)


@pytest.mark.parametrize(("line", "field", "value"), [
    ("mail daily", "mail_mode", "digest"), ("mail off", "mail_mode", "off"),
    ("mail gathered", "mail_mode", "batched"), ("quiet 22-7", "quiet_from", 22 * 60),
    ("quiet 10pm to 6am", "quiet_to", 6 * 60), ("zone Europe/Berlin", "zone", "Europe/Berlin"),
    ("zone los angeles", "zone", "America/Los_Angeles"), ("name Cho", "name", "Cho"),
])  # fmt: skip
def test_a_setting_is_kept_and_confirmed(house, office, turn, line, field, value):
    office.answer(turn, line)
    assert getattr(owner(house, turn), field) == value
    assert of_kind(office.fetch(), "done")


@pytest.mark.parametrize("line", ["zone Atlantis", "more 900h", "join 4711", "show 99999", "pause"])
def test_what_does_not_go_says_why(house, office, turn, line):
    office.answer(turn, line)
    assert [m["X-Kraftpost-Kind"] for m in office.fetch()] == ["refused"] or line == "pause"


def test_turn_mails_that_were_turned_off_are_told_of_once_and_come_back_by_mail(
    house, office, turn
):
    user = owner(house, turn)
    with house.write() as s:
        modes.no_turns(s, s.get(User, user.id), house.now)
    (told,) = office.fetch()
    assert "These tables go on" in text_of(told)
    assert office.answer(told, "mail on") == "done"
    assert owner(house, turn).mail_mode == "instant"


@pytest.mark.parametrize("kind", ["status", "help", "chat hello", "nonsense is 1 thing"])
def test_answers_to_ones_own_mail_do_not_end_turn_mails(office, turn, kind):
    office.answer(turn, kind)
    for mail in office.fetch():
        token = mail["List-Unsubscribe"].rpartition("/")[2].rstrip(">")
        assert MAILBOX.links.read(UnsubscribeLink, token).scope == "answers"
        assert mail["Reply-To"]


def test_a_table_is_opened_filled_and_begun_by_mail(house, office, turn):
    assert office.answer(turn, "open Friday club") == "done"
    (opened,) = of_kind(office.fetch(), "done")
    assert "Friday club" in text_of(opened)
    office.answer(opened, "invite Cho <cho@reader.example.com>", "invite dan@reader.example.com")
    mails = office.fetch()
    invitations = of_kind(mails, "invite")
    assert len(invitations) == 2
    for invitation in invitations:
        assert (
            office.answer(
                invitation, "Yes!", "chat hello from me", Date="Tue, 1 Dec 2026 12:00:00 +0100"
            )
            == "done"
        )
    (game,) = house.all(Game, title="Friday club")
    assert {line.text for line in house.all(ChatLine)} == {"hello from me"}
    assert game.players >= 2
    seated = len(house.all(SeatRow, game_id=game.id))
    answered = office.answer(opened, "begin")
    assert answered == "done"
    begun = house.get(Game, game.id).status == GameStatus.RUNNING
    assert begun == (seated == game.players)


@pytest.mark.parametrize(("lines", "works"), [
    (("accept", "chat hello"), True), (("Accept!", "", "Anna"), True), (("yes",), True),
    (("accept", "decline"), False), (("accept", "bid 15"), False),
])  # fmt: skip
def test_an_invitation_is_answered_whole_or_not_at_all(house, office, lines, works):
    table = house.open("Anna", players=3)
    with house.write() as s:
        game = s.get(Game, table)
        invitations.invite(s, game, "cho@reader.example.com", "", house.now)
    (invitation,) = of_kind(office.fetch(), "invite")
    office.answer(invitation, *lines)
    (row,) = house.all(Invitation)
    assert (row.status == "accepted") is works
    assert len(of_kind(office.fetch(), "done" if works else "refused")) == 1


def test_zone_and_name_of_who_never_chose_any_are_those_of_their_mail(house, office):
    table = house.open("Anna", players=3)
    with house.write() as s:
        invitations.invite(s, s.get(Game, table), "cho@reader.example.com", "", house.now)
    (invitation,) = of_kind(office.fetch(), "invite")
    office.answer(
        invitation,
        "accept",
        From="Cho Beispiel <cho@reader.example.com>",
        Date="Tue, 1 Dec 2026 12:00:00 +0700",
    )
    (cho,) = house.all(User, email="cho@reader.example.com")
    assert (cho.name, cho.zone) == ("Cho Beispiel", "Etc/GMT-7")


def test_every_mail_to_somebody_at_a_table_can_be_answered(house, office):
    table = house.open("Anna", "Ben", players=2)
    house.pass_time(days=11)
    with house.write() as s:
        expiry.tend(s, s.get(Game, table), house.now)
    mails = office.fetch()
    assert mails
    for mail in mails:
        assert mail["Reply-To"]
        assert office.answer(mail, "tables") == "done"


@pytest.mark.parametrize("sender", [
    "anna.other@reader.example.com", "anna+kraft@reader.example.com", "x@elsewhere.example",
])  # fmt: skip
def test_another_address_is_told_of_to_the_registered_one_once_a_turn(office, turn, sender):
    for _number in range(3):
        assert office.mail(sender, str(turn["Reply-To"]), "pass") == "ignored"
    (told,) = office.fetch()
    assert told["To"] == turn["To"]
    assert "another address" in text_of(told)


def test_m22_what_is_not_understood_says_until_when_others_get_no_answer(house, office, turn):
    for _number in range(3):
        office.answer(turn, "what is that 1 thing")
    (refused,) = office.fetch()
    assert "other mails like this get no answer" in text_of(refused)
    office.answer(turn, "aucton 13 for 15")
    assert len(office.fetch()) == 1


def test_m22_near_commands_are_answered_up_to_a_cap_which_is_told(office, turn):
    for _number in range(14):
        office.answer(turn, "pas")
    mails = office.fetch()
    assert len(mails) == 10
    assert "other mails like this get no answer" in text_of(mails[-1])


def test_resend_brings_the_question_again(office, turn):
    office.answer(turn, "resend")
    (again,) = office.fetch()
    assert offered(again) == offered(turn)


def test_map_and_a_past_position_come_by_mail(house, office, turn):
    office.answer(turn, "map", "show 1")
    assert len(of_kind(office.fetch(), "done")) == 2


def test_leaving_by_mail(house, office, turn):
    (game,) = house.all(Game)
    assert office.answer(turn, "resign") == "done"
    kinds = house.kinds(game.id)
    assert "CaretakerAppointed" in kinds or "GameAbandoned" in kinds or "GameEnded" in kinds


def test_yes_without_a_number_answers_the_only_request(house, office):
    house.start("Anna", "Ben", "Cho", auction="open")
    (mail,) = of_kind(office.fetch(), "turn")
    office.answer(mail, next(line for line in offered(mail) if line.startswith("auction")))
    mails = office.fetch()
    (following,) = of_kind(mails, "turn")
    office.answer(following, "pass")
    (done,) = [m for m in of_kind(mails, "done") if m["To"] == mail["To"]]
    office.fetch()
    office.answer(done, "undo")
    asked = [m for m in office.fetch() if "DO YOU AGREE" in text_of(m)]
    assert asked
    office.answer(asked[0], "yes")
    assert of_kind(office.fetch(), "done")


def test_a_digest_of_two_tables_is_answered_table_by_table(house, office):
    games = [house.start("Anna", "Ben", auction="open") for _number in range(6)]
    first = {}
    for game in games:
        asked = house.asked(game)[0]
        first.setdefault(house.owner(game, asked.seat).email, []).append((game, asked))
    address, waiting = max(first.items(), key=lambda one: len(one[1]))
    with house.write() as s:
        for user in s.exec(select(User)):
            user.mail_mode = "digest"
    office.fetch()
    house.pass_time(days=1)
    with house.write() as s:
        for user_id in digests.due(s, house.now):
            digests.owe(s, user_id, house.now)
    digest = next(m for m in office.fetch() if address in m["To"])
    text = digest.get_body(("plain",)).get_content()
    boxes = re.findall(r"turn\+\S+@[a-z.]+", text)
    assert len(boxes) == len(waiting) > 1
    assert digest["Reply-To"]
    for box, (game, asked) in zip(boxes, waiting, strict=True):
        line = house.line(game, asked.seat)
        assert office.mail(address, box, line) == "done"
        assert house.asked(game)[0].turn != asked.turn


def test_m22_illegal_moves_are_answered_up_to_a_cap_which_is_told(office, turn):
    for _number in range(35):
        office.answer(turn, "auction 5 for 4000")
    mails = office.fetch()
    assert len(mails) == 30
    assert "get no answer" in text_of(mails[-1])


def test_help_names_what_holds_for_its_reader_now(house, office):
    house.start("Anna", "Ben", auction="open")
    mails = office.fetch()
    for mail in [m for m in mails if m["Reply-To"]]:
        office.answer(mail, "help")
        (told,) = of_kind(office.fetch(), "done")
        text = text_of(told)
        host = "anna@" in str(mail["To"])
        assert ("pause …" in text) is host
        assert "begin " not in text.partition("resend")[2]
        assert "region North" not in text
        assert "auction 13 for 15" in text


def test_a_mail_that_fails_is_tried_for_a_day_and_then_told_of(house, office, turn):
    number = office.post(turn, "bid 15")
    tried = []
    for _minute in range(26 * 60):
        house.pass_time(minutes=1)
        with house.write() as s:
            if number in due_work.due(s, house.now).mails_in:
                tried.append(stuck.begin_mail(s, number, house.now))
                inbox.tell_failed(s, number, house.now, MAILBOX)
    assert tried.count(True) == len(stuck.MAIL_WAITS)
    assert tried[-1] is False
    told = [m for m in office.fetch() if "could not be read" in text_of(m)]
    assert [m["To"] for m in told] == [turn["To"]]
