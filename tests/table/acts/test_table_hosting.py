"""What a host does about the table: links, invitations, title and clock, a new host (H1, H2)."""

from datetime import timedelta

import pytest

from core.store.tables import User
from core.table.acts import absence, hosting, invitations
from core.table.record import gamelog, seats
from core.table.record.errors import TableError
from core.table.views.render import renderer
from tests.support.mails import MAILBOX
from tests.support.post_office import text_of
from tests.support.site import Site


def do(house, act, game, *rest):
    with house.write() as s:
        return act(s, gamelog.find(s, game), *rest)


def come(house, token, name):
    user = house.user(name)
    with house.write() as s:
        return hosting.come(s, token, s.get_one(User, user.id), house.now).id


def code_of(call, *args):
    with pytest.raises(TableError) as refused:
        call(*args)
    return refused.value.code


def test_h2_a_link_opens_a_private_table_until_it_is_withdrawn(house):
    game = house.open("Anna", players=4, private=True)
    first = do(house, hosting.give_link, game)
    assert come(house, first, "Ben") == game
    assert come(house, first, "Ben") == game
    second = do(house, hosting.give_link, game)
    assert code_of(come, house, first, "Clara") == "link-void"
    come(house, second, "Clara")
    do(house, hosting.withdraw_link, game)
    for void in (first, second, ""):
        assert code_of(come, house, void, "Dora") == "link-void"
    with house.read() as s:
        assert [r.name for r in seats.seats(s, game)] == ["Anna", "Ben", "Clara"]


def test_h1_a_link_leads_to_the_free_seat_of_a_running_game(house):
    game = house.start("Anna", "Ben", "Clara")
    seat = house.seat(game, "Ben")
    token = do(house, hosting.give_link, game)
    assert code_of(come, house, token, "Dora") == "not-open"
    with house.write() as s:
        absence.resign(s, game, seat, "", house.now)
    come(house, token, "Dora")
    assert house.owner(game, seat).name == "Dora"
    assert code_of(come, house, token, "Emil") == "not-open"


def test_h1_the_invitation_to_a_running_game_says_so(house):
    game = house.start("Anna", "Ben", "Clara")
    with house.write() as s:
        absence.resign(s, game, house.state(game) and 0, "", house.now)
    who = next(r.name for r in house.all(seats.SeatRow, game_id=game) if r.open)
    with house.write() as s:
        invitations.invite(s, gamelog.find(s, game), "dora@x.org", "Dora", house.now)
    (row,) = house.mails(kind="invite")
    with house.read() as s:
        told = " ".join(text_of(renderer(MAILBOX)(s, row, house.now)).split())
    assert "The game has begun, round 1" in told
    assert f"the seat of {who}" in told


def test_h2_title_and_clock_change_before_the_game_and_who_sits_there_is_told(house):
    game = house.open("Anna", "Ben", players=3)
    do(house, hosting.change, game, "New title", 24, house.now)
    row = house.game(game)
    assert (row.title, row.turn_hours) == ("New title", 24)
    told = [(m.user_id, m.context["what"]) for m in house.mails(kind="word")]
    assert told == [(house.user("Ben").id, "changed")]
    assert code_of(do, house, hosting.change, game, "New title", 999, house.now) == (
        "hours-out-of-range"
    )
    assert code_of(do, house, hosting.change, game, " ", 24, house.now) == "name-empty"
    begun = house.start("Clara", "Dora")
    with pytest.raises(TableError):
        do(house, hosting.change, begun, "Too late", 24, house.now)


def test_h2_an_invitation_is_sent_again_and_withdrawn(house):
    game = house.open("Anna", players=3)
    with house.write() as s:
        row = invitations.invite(s, gamelog.find(s, game), "dora@x.org", "", house.now)
        number = row.id
    house.pass_time(hours=1)
    assert do(house, hosting.ask_again, game, number, house.now)
    assert len(house.mails(kind="invite")) == 2
    assert code_of(do, house, hosting.ask_again, game, number, house.now) == "asked-twice"
    do(house, hosting.take_back, game, number, house.now)
    assert {m.status for m in house.mails(kind="invite")} == {"dropped"}
    with house.write() as s, pytest.raises(TableError):
        invitations.accept(s, s.get_one(invitations.Invitation, number), house.now)


def test_h2_a_host_hands_the_table_over_to_who_sits_there(house):
    game, other = house.open("Anna", "Ben", robots=1), house.open("Clara", players=2)
    rows = {r.name: r.id for r in house.all(seats.SeatRow)}
    do(house, hosting.hand_over, game, rows["Ben"])
    assert house.game(game).host_id == house.user("Ben").id
    bot = next(r.id for r in house.all(seats.SeatRow, game_id=game) if r.bot)
    for wrong in (bot, rows["Clara"], 999):
        assert code_of(do, house, hosting.hand_over, game, wrong) == "no-such-seat"
    assert other


@pytest.fixture
def site(tmp_path, monkeypatch):
    from tests.support.site import open_site

    with open_site(tmp_path, monkeypatch) as opened:
        yield opened


def test_h2_the_link_on_pages(site: Site):
    game = site.house.open("Anna", players=3, private=True)
    anna, ben = site.visitor("Anna"), site.visitor("Ben")
    assert anna.post(f"/games/{game}/link", {"do": "make"}).status_code == 303
    path = f"/come/{site.house.game(game).invite_link}"
    assert path in anna.page(f"/games/{game}")
    assert "Anna invites you" in site.visitor().page(path)
    assert ben.post(path).status_code == 303
    assert ben.get(f"/games/{game}").status_code == 200
    assert path not in ben.page(f"/games/{game}")
    anna.post(f"/games/{game}/link", {"do": "withdraw"})
    assert site.visitor().get(path).status_code == 404


def test_h1_a_host_finds_the_form_while_a_seat_is_free(site: Site):
    house = site.house
    game = house.start("Anna", "Ben", "Clara")
    anna = site.visitor("Anna")
    assert "Invite somebody to a free seat" not in anna.page(f"/games/{game}/host")
    seat = house.seat(game, "Ben")
    with house.write() as s:
        absence.resign(s, game, seat, "", house.now + timedelta(seconds=1))
    assert "Invite somebody to a free seat" in anna.page(f"/games/{game}/host")
    form = {"email": "dora@x.org", "name": "Dora"}
    assert anna.post(f"/games/{game}/invitations", form).status_code == 303
