"""Pages behind the links of mails: opening changes nothing, a button or a mail program acts."""

import pytest

from core.mail.addresses import BackLink, DeclineLink, InviteLink, Link, Links, UnsubscribeLink
from core.store.tables import Game, Invitation, SeatRow
from core.table.acts import invitations, lobby
from tests.support.site import Site


def _path(site: Site, link: Link) -> str:
    settings = site.settings
    url = Links(settings.secret_key, settings.public_url).url(link)
    return url.removeprefix(settings.public_url)


def _open_thrice(site: Site, path: str) -> str:
    for _ in range(3):
        assert site.visitor().client.head(path).status_code == 200
        text = site.visitor().page(path)
    return text


def wanted(site: Site) -> list[str]:
    user = site.house.user("Ann")
    on = {"turns": user.mail_mode != "off", "games": user.mail_games, "chat": user.mail_chat}
    return [name for name in on if on[name]]


@pytest.mark.parametrize("scope", ["turns", "games", "chat"])
def test_unsubscribing_takes_one_click_of_the_mail_program(site: Site, scope: str):
    """RFC 8058: a POST without cookies and without a form of ours."""
    user = site.house.user("Ann")
    with site.house.write() as s:
        fresh = s.get_one(type(user), user.id)
        fresh.mail_games = fresh.mail_chat = True
    path = _path(site, UnsubscribeLink(user.id, scope))
    assert "Unsubscribe" in _open_thrice(site, path)
    assert wanted(site) == ["turns", "games", "chat"]
    answer = site.app.test_client().post(path, data={"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert {"turns", "games", "chat"} - {*wanted(site)} == {scope}


class TestInvitation:
    @pytest.fixture
    def invited(self, site: Site) -> int:
        game_id = site.house.open("Ann", players=3, private=True, title="Quiet table")
        with site.house.write() as s:
            game = s.get_one(Game, game_id)
            return invitations.invite(s, game, "ben@example.org", "Ben", site.house.now).id

    def test_is_accepted_by_a_button(self, site: Site, invited: int):
        path = _path(site, InviteLink(invited))
        assert "Quiet table" in _open_thrice(site, path)
        assert len(site.house.all(SeatRow)) == 1
        assert site.visitor().post(path).status_code == 200
        assert site.visitor().post(path).status_code == 200, "twice is once"
        assert [row.name for row in site.house.all(SeatRow)] == ["Ann", "Ben"]
        assert "You have accepted" in site.visitor().page(path)

    def test_is_declined_by_a_mail_program_too(self, site: Site, invited: int):
        path = _path(site, DeclineLink(invited))
        _open_thrice(site, path)
        assert site.house.get(Invitation, invited).status == "pending"
        assert site.app.test_client().post(path).status_code == 200
        assert site.house.get(Invitation, invited).status == "declined"

    def test_is_declined_after_all_until_the_game_begins(self, site: Site, invited: int):
        path = _path(site, DeclineLink(invited))
        site.visitor().post(_path(site, InviteLink(invited)))
        game = site.house.all(Game)[0]
        with site.house.write() as s:
            lobby.add_bot(s, game, "engineer", site.house.now)
            lobby.start(s, game, site.house.now)
        answer = site.app.test_client().post(path)
        assert (answer.status_code, "The game has begun" in answer.text) == (422, True)

    def test_a_link_of_one_kind_opens_no_other(self, site: Site, invited: int):
        token = _path(site, DeclineLink(invited)).rpartition("/")[2]
        for kind in ("invitation", "back", "unsubscribe", "turn"):
            assert site.visitor().get(f"/{kind}/{token}").status_code == 404


class TestComingBack:
    @pytest.fixture
    def away(self, site: Site) -> tuple[int, int]:
        """A seat that has missed two turns."""
        house = site.house
        game_id = house.start("Ann", robots=2, auction="open", turn_hours=1)
        house.pass_time(hours=0)
        while not any(p.caretaker for p in house.state(game_id).players):
            house.pass_time(hours=2)
            house.adjudicate(game_id)
        seat = next(s for s, p in enumerate(house.state(game_id).players) if p.caretaker)
        return game_id, seat

    def test_by_the_button_of_the_page(self, site: Site, away):
        game_id, seat = away
        owner = site.at(game_id, seat)
        assert "A bot plays your seat" in owner.page(f"/games/{game_id}")
        owner.post(f"/games/{game_id}/back")
        assert not site.house.state(game_id).players[seat].caretaker

    def test_by_the_link_of_a_mail(self, site: Site, away):
        game_id, seat = away
        path = _path(site, BackLink(site.house.owner(game_id, seat).id, game_id, seat))
        _open_thrice(site, path)
        assert site.house.state(game_id).players[seat].caretaker
        site.visitor().post(path)
        assert not site.house.state(game_id).players[seat].caretaker
        other = _path(site, BackLink(site.house.owner(game_id, seat).id, game_id, 1 - seat))
        assert site.visitor().post(other).status_code == 404
