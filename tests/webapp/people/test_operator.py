"""Operators: pages that are nobody else's, what they do, and that it is written down (H14)."""

from datetime import timedelta

import pytest
from click.testing import CliRunner

from core.statuses import MailStatus
from core.store.tables import InboundMail, OperatorAct, OutboxMail, SignInToken, Uninvited, User
from core.table.acts import deletion, invitations, vacation
from core.table.drive import retention
from core.table.people import accounts
from core.table.people.accounts import clean_address, clean_name, pasted, refuse_own
from core.table.record import gamelog, seats
from core.table.record.errors import TableError
from tests.support.site import Site, open_site
from webapp.cli import main


@pytest.fixture
def site(tmp_path, monkeypatch):
    with open_site(tmp_path, monkeypatch, ADMIN_MAIL="root@x.org, anna@example.org") as opened:
        yield opened


def user(site: Site, name: str) -> User:
    return next(u for u in site.house.all(User) if u.name == name)


PAGES = ("/admin", "/admin?q=ben")


@pytest.mark.parametrize("who", [None, "Ben"])
def test_h14_the_pages_are_the_operators_alone(site: Site, who):
    site.house.user("Ben")
    for page in PAGES:
        assert site.visitor(who).get(page).status_code == 404
    form = {"address": "ben@example.org", "what": "block", "sure": "yes"}
    assert site.visitor(who).post("/admin/people", form).status_code in (400, 404)
    assert user(site, "Ben").blocked_at is None


def test_h14_a_person_is_found_blocked_after_a_second_question_and_let_in_again(site: Site):
    ben, anna = site.visitor("Ben"), site.visitor("Anna")
    assert "ben@example.org" in anna.page("/admin?q=en@exam")
    form = {"address": "ben@example.org", "what": "block"}
    assert "Are you sure" in anna.post("/admin/people", form).text
    assert user(site, "Ben").blocked_at is None
    assert anna.post("/admin/people", form | {"sure": "yes"}).status_code == 303
    assert user(site, "Ben").blocked_at is not None
    assert ben.get("/profile").status_code == 303
    with site.house.write() as s:
        token = accounts.new_token(s, "ben@example.org", site.house.now)
    with site.house.write() as s, pytest.raises(TableError) as refused:
        accounts.redeem(s, token, site.house.now)
    assert refused.value.code == "blocked"
    anna.post("/admin/people", form | {"what": "unblock", "sure": "yes"})
    assert user(site, "Ben").blocked_at is None
    done = [(a.what, a.by) for a in site.house.all(OperatorAct)]
    assert done == [("block", "anna@example.org"), ("unblock", "anna@example.org")]


def test_h14_a_person_gets_another_address(site: Site):
    site.house.user("Ben")
    form = {"address": "ben@example.org", "what": "readdress", "new": "ben@new.org", "sure": "yes"}
    assert site.visitor("Anna").post("/admin/people", form).status_code == 303
    assert user(site, "Ben").email == "ben@new.org"


def test_h14_why_a_mail_was_not_sent_and_once_more(site: Site):
    site.house.user("Ben")
    with site.house.write() as s:
        mail = {"kind": "turn", "address": "ben@example.org", "key": "k", "message_id": "m"}
        failed = {"status": MailStatus.FAILED, "error": "550 no such user", "attempts": 9}
        s.add(OutboxMail(**mail, **failed))
    anna = site.visitor("Anna")
    assert "550 no such user" in anna.page("/admin?q=ben")
    number = site.house.all(OutboxMail)[0].id
    assert anna.post("/admin/mails", {"mail": str(number)}).status_code == 303
    row = site.house.all(OutboxMail)[0]
    assert (row.status, row.attempts) == ("pending", 0)


def test_h14_the_same_by_command(site: Site, monkeypatch):
    site.house.user("Ben")
    monkeypatch.setenv("KRAFTPOST_DATA", str(site.settings.data))
    monkeypatch.setenv("KRAFTPOST_ENV", "test")

    def run(*words: str) -> str:
        result = CliRunner().invoke(main, ["people", *words])
        assert result.exit_code == 0, result.output
        return result.output

    assert "ben@example.org" in run("find", "ben")
    run("bar", "ben@example.org")
    assert "barred" in run("find", "ben")
    run("unbar", "ben@example.org")
    assert "barred" not in run("find", "ben")
    run("readdress", "ben@example.org", "b@new.org")
    assert "b@new.org" in run("journal")
    assert run("mails", "b@new.org").strip() == "None."


def test_h14_imprint_and_privacy_come_from_files(site: Site):
    stranger = site.visitor()
    assert stranger.get("/imprint").status_code == 404
    (site.settings.data / "imprint.txt").write_text("We <run> it.\n\nWrite to us.")
    assert "We &lt;run&gt; it." in stranger.page("/imprint")


def test_h14_registration_by_invitation_mails_no_stranger(tmp_path, monkeypatch):
    with open_site(tmp_path, monkeypatch, REGISTRATION="invitation") as site:
        site.visitor().post("/sign-in", {"email": "stranger@example.org"})
        assert not site.house.all(SignInToken)
        game = site.house.open("Anna", players=3)
        with site.house.write() as s:
            invitations.invite(s, gamelog.find(s, game), "ben@example.org", "", site.house.now)
        for address in ("ben@example.org", "anna@example.org"):
            site.visitor().post("/sign-in", {"email": address})
        assert {t.email for t in site.house.all(SignInToken)} == {
            "ben@example.org", "anna@example.org",
        }  # fmt: skip


class TestAddresses:
    @pytest.mark.parametrize("text", [
        "anna@müller.de", "anna@xn--mller-kva.de", "ANNA@MÜLLER.de", "a@bücher.example",
        "x@例え.jp", "a+b@example.org",
    ])  # fmt: skip
    def test_h8_what_was_cleaned_is_clean(self, text):
        assert clean_address(clean_address(text)) == clean_address(text)

    @pytest.mark.parametrize(("text", "found"), [
        ('"Doe, Jane" <jane@example.org>', [("Doe, Jane", "jane@example.org")]),
        ("a@x.org, b@x.org;c@x.org\nd@x.org", [("", f"{n}@x.org") for n in "abcd"]),
        ("Cho <c@x.org>,\n\n", [("Cho", "c@x.org")]),
    ])  # fmt: skip
    def test_h9_addresses_are_read_as_mail_programs_write_them(self, text, found):
        assert pasted(text) == found

    def test_h9_the_bad_one_is_named_and_too_many_are_refused(self, site: Site):
        with pytest.raises(TableError, match="nonsense"):
            pasted("a@x.org, nonsense, b@x.org")
        from webapp.joining.new_table import addresses

        with pytest.raises(TableError, match="14"):
            addresses(", ".join(f"a{n}@x.org" for n in range(14)))

    @pytest.mark.parametrize("address", [
        "kraftpost@play.org", "kraftpost+x@play.org", "turn+1.2.3.abc@play.org", "T+1@PLAY.org",
    ])  # fmt: skip
    def test_h10_the_services_own_addresses_are_nobodys(self, address):
        with pytest.raises(TableError, match="service"):
            refuse_own(address, "play.org", "Kraftpost <kraftpost@play.org>")
        refuse_own("anna@play.org", "play.org", "Kraftpost <kraftpost@play.org>")


class TestNames:
    @pytest.mark.parametrize("name", ["\u3164", "\u200b\u2060", "\u2800 \u115f", "\u00ad", " "])
    def test_h7_a_name_can_be_seen(self, name):
        with pytest.raises(TableError):
            clean_name(name)

    def test_h7_joined_signs_stay_one(self):
        assert clean_name("👨\u200d👩\u200d👧") == "👨\u200d👩\u200d👧"

    def test_h7_two_of_one_name_are_told_apart(self, site: Site):
        house = site.house
        game = house.open("Sam", players=3)
        with house.write() as s:
            other = accounts.user_for(s, "sam2@example.org", house.now, "sam")
            seats.sit_user(s, gamelog.find(s, game), other, house.now)
            assert [r.name for r in seats.seats(s, game)] == ["Sam", "sam (2)"]

    @pytest.mark.parametrize("title", ["Win at https://x.y", "www.spam.biz now", "go evil.com"])
    def test_h15_no_link_stands_in_a_title(self, title):
        with pytest.raises(TableError, match="link"):
            clean_name(title, 80)


class TestManners:
    def test_h11_a_vacation_beyond_all_time_is_refused(self, site: Site):
        for first in ("9999-12-31", "9998-01-01", "2400-02-29"):
            answer = site.visitor("Anna").post("/profile/vacation", {"days": "3", "first": first})
            assert answer.status_code == 422, first

    def test_h15_one_stranger_is_invited_so_often_a_day_over_all_tables(self, site: Site):
        house = site.house
        games = [house.open(name, players=4) for name in ("Ann", "Bob", "Cy", "Dan")]
        with house.write() as s:
            for game in games[: invitations.TO_ONE]:
                invitations.invite(s, gamelog.find(s, game), "eve@x.org", "", house.now)
            with pytest.raises(TableError) as refused:
                invitations.invite(s, gamelog.find(s, games[-1]), "eve@x.org", "", house.now)
        assert refused.value.code == "invited-enough"

    def test_h15_one_host_invites_so_many_a_day(self, site: Site):
        house, sent = site.house, 0
        games = [house.open("Ann", players=4) for _ in range(3)]
        with house.write() as s, pytest.raises(TableError, match="tomorrow"):
            for game in games:
                for _ in range(15):
                    row = gamelog.find(s, game)
                    invitations.invite(s, row, f"e{sent}@x.org", "", house.now)
                    sent += 1
        assert sent == invitations.BY_ONE

    def test_h15_never_again_means_never(self, site: Site):
        house = site.house
        game, later = house.open("Ann", players=4), house.open("Bob", players=4)
        with house.write() as s:
            row = invitations.invite(s, gamelog.find(s, game), "eve@x.org", "", house.now)
            invitations.never_again(s, row.email, house.now)
            assert row.status == "declined"
            with pytest.raises(TableError):
                invitations.invite(s, gamelog.find(s, later), "eve@x.org", "", house.now)
        assert "eve" not in house.all(Uninvited)[0].digest

    def test_h16_with_an_account_go_its_forwarded_mails(self, site: Site):
        house = site.house
        ben = house.user("Ben")
        with house.write() as s:
            for number, (sender, raw) in enumerate([
                ("SRS0=x=example.org=ben@forward.net", b"From: Ben <Ben@example.org>\r\n\r\nhi"),
                ("ben@example.org", b"From: ben@example.org\r\n\r\nhi"),
                ("eve@x.org", b"From: eve@x.org\r\n\r\nben@example.org said"),
            ]):  # fmt: skip
                s.add(InboundMail(key=str(number), message_id=str(number), envelope_from=sender,
                                  raw=raw, status="done" if number else "pending"))  # fmt: skip
        with house.write() as s:
            deletion.delete_account(s, ben.id, house.now)
        assert [m.envelope_from for m in house.all(InboundMail)] == ["eve@x.org"]

    def test_h25_what_is_old_is_thrown_away(self, site: Site):
        house = site.house
        old, young = house.now - timedelta(days=91), house.now - timedelta(days=89)
        with house.write() as s:
            for at in (old, young):
                for status in ("sent", "pending"):
                    key = f"{at}{status}"
                    s.add(OutboxMail(kind="turn", address="a@x.org", key=key, message_id=key,
                                     status=status, created_at=at))  # fmt: skip
                s.add(SignInToken(email="a@x.org", digest=str(at), expires_at=at))
        with house.write() as s:
            assert retention.throw_away(s, house.now, 90) == 3
        kept = {(m.created_at, m.status) for m in house.all(OutboxMail)}
        assert kept == {(old, "pending"), (young, "sent"), (young, "pending")}


def test_h11_dates_are_checked_before_anything_is_reckoned(site: Site):
    from datetime import date

    with site.house.write() as s, pytest.raises(TableError, match="ahead"):
        person = accounts.user_for(s, "zoe@example.org", site.house.now, "Zoe")
        vacation.take(s, person, vacation.Plan(30, date.max), site.house.now)
