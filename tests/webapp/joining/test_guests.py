"""Playing at once: guests without an address, and tables by one button (W20, W24)."""

from datetime import timedelta

import pytest
from sqlmodel import col, select

from core.game.rules import catalog
from core.mail import outbox
from core.mail.kinds import MailKind
from core.statuses import GameStatus
from core.store.tables import Game, OutboxMail, SeatRow, Turn, User
from core.table.acts import deletion, lobby
from core.table.people import accounts, guests
from core.table.record.errors import TableError
from tests.support.site import Site, Visitor


def play(site: Site) -> tuple[Visitor, Game]:
    """A stranger who presses the button on the landing page."""
    visitor = site.visitor()
    assert "Play against bots now" in visitor.page("/")
    answer = visitor.post("/play")
    assert answer.status_code == 303, answer.text
    (game,) = site.house.all(Game)
    return visitor, game


def sign_in(site: Site, visitor: Visitor, address: str) -> None:
    with site.house.write() as s:
        token = accounts.new_token(s, address, site.house.now)
    assert visitor.post(f"/sign-in/{token}").status_code == 303


def guest(site: Site) -> User:
    return next(user for user in site.house.all(User) if guests.is_guest(user))


def test_a_stranger_plays_after_one_click(site):
    visitor, game = play(site)
    assert (game.status, game.private, game.map) == (
        GameStatus.RUNNING, True, catalog.maps()[0].key,
    )  # fmt: skip
    page = visitor.page(f"/games/{game.id}")
    assert "Your move" in page and "Keep my games" in page
    turn = visitor.hidden(f"/games/{game.id}", "turn")
    sent = visitor.post(f"/games/{game.id}/turn", {"do": "send", "turn": turn, "line": "pass"})
    assert sent.status_code in (303, 200)


def test_germany_is_offered_first():
    """W20, W21: who has not chosen gets the map that everybody begins with."""
    assert catalog.maps()[0].name == "Germany"
    names = [one.name for one in catalog.maps()[1:]]
    assert names == sorted(names)


def test_no_mail_is_owed_to_a_guest(site):
    play(site)
    assert site.house.all(OutboxMail) == []
    with site.house.write() as s:
        user = s.get_one(User, guest(site).id)
        assert not outbox.owe(s, MailKind.DIGEST, key="x", now=site.house.now, user=user)


def test_signing_in_keeps_the_games_of_a_new_account(site):
    visitor, game = play(site)
    was = guest(site)
    sign_in(site, visitor, "new@example.org")
    user = site.house.get(User, was.id)
    assert user.email == "new@example.org" and not guests.is_guest(user)
    assert "Your move" in visitor.page(f"/games/{game.id}")


def test_signing_in_gives_the_games_to_the_account_that_there_is(site):
    known = site.house.user("Ann")
    visitor, game = play(site)
    sign_in(site, visitor, known.email)
    seat = next(row for row in site.house.all(SeatRow) if row.user_id is not None)
    assert (seat.user_id, seat.name) == (known.id, "Ann")
    assert site.house.get(Game, game.id).host_id == known.id
    assert {turn.user_id for turn in site.house.all(Turn)} == {known.id}
    assert "Your move" in visitor.page(f"/games/{game.id}")
    site.house.log_is_whole(game.id)


@pytest.mark.parametrize("private", [True, False])
def test_a_guest_plays_bots_alone(site, private):
    """Nobody else ever waits for somebody who cannot be reached."""
    visitor, _game = play(site)
    other = site.house.open("Ann", players=3, private=private)
    assert visitor.post(f"/games/{other}/join").status_code == (404 if private else 422)
    with site.house.write() as s:
        user = s.get_one(User, guest(site).id)
        table = lobby.TableSettings(title="x", map="germany", players=3, private=False)
        with pytest.raises(TableError, match="address"):
            lobby.create_table(s, user, table, site.house.now)


def test_a_guest_cannot_have_mails_sent_to_others(site):
    visitor, _game = play(site)
    with site.house.write() as s:
        user = s.get_one(User, guest(site).id)
        table = lobby.TableSettings(title="x", map="germany", players=3, private=True)
        mine = lobby.create_table(s, user, table, site.house.now).id
    answer = visitor.post(f"/games/{mine}/invitations", {"email": "ben@example.org"})
    assert answer.status_code == 422 and "Sign in" in answer.text
    assert site.house.all(OutboxMail) == []


def test_after_a_week_a_guest_is_gone_with_their_games(site):
    play(site)
    kept = site.house.start("Ann", robots=1)
    now = site.house.now
    with site.house.write() as s:
        assert guests.over(s, now + guests.LIFE - timedelta(hours=1)) == []
        gone = guests.over(s, now + guests.LIFE)
        assert gone == [guest(site).id]
        deletion.delete_account(s, gone[0], now + guests.LIFE)
    assert [game.id for game in site.house.all(Game)] == [kept]
    with site.house.read() as s:
        left = s.exec(select(User).where(col(User.email).startswith("guest-"))).all()
    assert left == []


@pytest.mark.parametrize(
    ("kind", "status", "hours"),
    [
        ("slow", GameStatus.OPEN, 48),
        ("quick", GameStatus.OPEN, 4),
        ("bots", GameStatus.RUNNING, 48),
    ],
)
def test_a_table_by_one_button(site, kind, status, hours):
    answer = site.visitor("Ann").post("/tables/quick", {"kind": kind, "map": "usa"})
    assert answer.status_code == 303, answer.text
    (game,) = site.house.all(Game)
    assert (game.status, game.turn_hours, game.map) == (status, hours, "usa")


def test_a_button_that_there_is_not(site):
    answer = site.visitor("Ann").post("/tables/quick", {"kind": "never"})
    assert answer.status_code == 422 and "no such button" in answer.text
    assert site.house.all(Game) == []


@pytest.mark.parametrize("key", [one.key for one in catalog.maps()])
def test_every_map_has_a_sketch(site, key):
    answer = site.app.test_client().get(f"/maps/{key}.svg")
    assert answer.status_code == 200 and answer.content_type.startswith("image/svg+xml")
    assert answer.text.count("<circle") >= 20
    assert len(answer.data) < 40_000
