"""The mail page, a table's own setting, and what counts as an act at a table (M2, M3, M6)."""

from datetime import timedelta

import pytest

from core.mail.addresses import Links, TurnLink
from core.store.tables import OutboxMail, Presence, TablePreference
from tests.support.site import Site

PAGE = "/profile/mail"
FORM = {
    "mode": "digest", "batch": "60", "hour": "6", "quiet": "yes", "from": "22:30", "to": "06:30",
    "except": "2", "remind": ["half", "last"], "games": "yes",
}  # fmt: skip


class TestPage:
    def test_m5_m17_m18_all_settings_are_kept_and_shown(self, site: Site):
        ann = site.visitor("Ann")
        assert ann.post(PAGE, FORM).status_code == 303
        user = site.house.user("Ann")
        assert (user.mail_mode, user.batch_minutes, user.digest_hour) == ("digest", 60, 6)
        assert (user.quiet_from, user.quiet_to, user.quiet_except_hours) == (1350, 390, 2)
        assert (user.reminders, user.mail_games, user.mail_chat) == (["half", "last"], True, False)
        page = ann.page(PAGE)
        for shown in ('value="digest" checked', 'value="22:30"', 'value="half" checked'):
            assert shown in page
        assert 'value="most" checked' not in page
        assert "The next one:" in page

    def test_quiet_hours_are_ended(self, site: Site):
        ann = site.visitor("Ann")
        ann.post(PAGE, FORM)
        ann.post(PAGE, {k: v for k, v in FORM.items() if k != "quiet"})
        user = site.house.user("Ann")
        assert (user.quiet_from, user.quiet_to) == (None, None)

    @pytest.mark.parametrize(
        ("field", "value", "told"),
        [
            ("mode", "sometimes", "Choose one of the ways"),
            ("batch", "1", "5 to 720 minutes"),
            ("batch", "soon", "5 to 720 minutes"),
            ("hour", "25", "0 to 21"),
            ("from", "late", "times of day"),
            ("to", "22:30", "begin and end at the same time"),
            ("except", "99", "0 to 24 hours"),
            ("remind", "always", "Choose one of the ways"),
        ],
    )
    def test_what_cannot_be_is_refused_whole_with_the_reason(
        self, site: Site, field: str, value: str, told: str
    ):
        ann = site.visitor("Ann")
        answer = ann.post(PAGE, {**FORM, field: value})
        assert answer.status_code == 422
        assert told in answer.text
        user = site.house.user("Ann")
        assert (user.mail_mode, user.quiet_from) == ("instant", None)

    def test_what_was_filled_in_wrongly_is_not_lost(self, site: Site):
        answer = site.visitor("Ann").post(PAGE, {**FORM, "to": "22:30"})
        assert 'value="digest" checked' in answer.text
        assert 'value="22:30"' in answer.text


class TestTables:
    def test_m6_from_the_mail_page(self, site: Site):
        games = [site.house.start("Ann", "Ben"), site.house.start("Ann", "Ben")]
        ann = site.visitor("Ann")
        fields = {f"table-{games[0]}": "mute", f"table-{games[1]}": "inherit"}
        assert ann.post(f"{PAGE}/tables", fields).status_code == 303
        kept = {(row.game_id, row.mode) for row in site.house.all(TablePreference)}
        assert kept == {(games[0], "mute")}
        assert '<option value="mute" selected>' in ann.page(PAGE)

    def test_m6_from_the_tables_own_page(self, site: Site):
        game = site.house.start("Ann", "Ben")
        ann = site.visitor("Ann")
        for mode in ("instant", "batched", "digest", "mute"):
            assert ann.post(f"/games/{game}/mail", {"mode": mode}).status_code == 303
            assert site.house.all(TablePreference)[0].mode == mode
            assert f'<option value="{mode}" selected>' in ann.page(f"/games/{game}")
        assert "Mails of this table" not in site.visitor("Clara").page(f"/games/{game}")
        assert ann.post(f"/games/{game}/mail", {"mode": "loud"}).status_code == 422

    def test_another_users_table_is_not_his_to_set(self, site: Site):
        game = site.house.start("Ann", "Ben")
        site.visitor("Clara").post(f"{PAGE}/tables", {f"table-{game}": "mute"})
        assert site.house.all(TablePreference) == []


class TestPresence:
    @pytest.fixture
    def game(self, site: Site) -> int:
        return site.house.played("Ann", "Ben", auction="open", moves=0)

    def seen(self, site: Site) -> set[int]:
        return {row.user_id for row in site.house.all(Presence)}

    def test_m3_w1_opening_the_form_of_a_turn_and_sending_any_form_are_acts(
        self, site: Site, game: int
    ):
        seat = site.house.asked(game)[0].seat
        asked, other = (site.house.owner(game, one) for one in (seat, 1 - seat))
        site.visitor(other.name).page(f"/games/{game}")
        assert self.seen(site) == set(), "who has no form before him is at no table"
        site.visitor(asked.name).page(f"/games/{game}")
        assert self.seen(site) == {asked.id}
        site.visitor(other.name).post(f"/games/{game}/note", {"text": "coal!"})
        assert self.seen(site) == {asked.id, other.id}

    def test_w1_what_the_page_renews_by_itself_is_no_look(self, site: Site, game: int):
        name = site.house.owner(game, site.house.asked(game)[0].seat).name
        site.visitor(name).get(f"/games/{game}", headers={"X-Renew": "1"})
        assert self.seen(site) == set()

    def test_m2_what_a_page_asks_by_itself_is_none(self, site: Site, game: int):
        ann = site.visitor("Ann")
        ann.get(f"/games/{game}/pulse")
        ann.client.head(f"/games/{game}")
        ann.get(f"/games/{game}", headers={"Sec-Purpose": "prefetch"})
        assert self.seen(site) == set()

    def test_m2_who_only_looks_on_is_at_no_table(self, site: Site, game: int):
        site.visitor("Clara").page(f"/games/{game}")
        site.visitor().page(f"/games/{game}")
        assert self.seen(site) == set()

    def test_m2_m19_opening_the_link_of_a_mail_is_none_and_sending_its_form_is(
        self, site: Site, game: int
    ):
        turn = site.house.asked(game)[0]
        user = site.house.owner(game, turn.seat)
        links = Links(site.settings.secret_key, site.settings.public_url)
        path = links.url(TurnLink(user.id, game, turn.seat, turn.turn))
        path = path.removeprefix(site.settings.public_url)
        stranger = site.visitor()
        assert stranger.get(path).status_code == 200
        assert self.seen(site) == set()
        stranger.post(path, {"do": "keep", "line": "pass"})
        assert self.seen(site) == {user.id}

    def test_m3_it_is_known_before_the_next_question_is_mailed(self, site: Site, game: int):
        seat = site.house.asked(game)[0].seat
        at = site.at(game, seat)
        at.post(
            f"/games/{game}/turn",
            {"turn": site.house.asked(game)[0].turn, "line": site.house.line(game, seat),
             "do": "send", "nonce": "n"},
        )  # fmt: skip
        (row,) = site.house.all(Presence)
        newest = max(mail.created_at for mail in site.house.all(OutboxMail))
        assert row.at <= newest + timedelta(seconds=1)
        assert row.user_id == site.house.owner(game, seat).id
