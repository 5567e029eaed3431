"""Tables before their game: who may sit down, and what a host may ask for."""

import threading

import pytest

from core import bots
from core.game.events import GameStarted
from core.store.tables import Game, Invitation, SeatRow, User
from core.table.acts import invitations, lobby, replace
from core.table.record import gamelog, seats
from core.table.record.errors import TableError
from tests.support.post_office import PostOffice, text_of


def do(house, act, game_id, *rest):
    with house.write() as s:
        return act(s, gamelog.find(s, game_id), *rest)


def names(house, game_id):
    with house.read() as s:
        return [row.name for row in seats.seats(s, game_id)]


def refused(code):
    return pytest.raises(TableError, check=lambda error: error.code == code)


@pytest.mark.parametrize(("wrong", "code"), [
    ({"players": 1}, "players-out-of-range"),
    ({"players": 7}, "players-out-of-range"),
    ({"turn_hours": 0}, "hours-out-of-range"),
    ({"turn_hours": 337}, "hours-out-of-range"),
    ({"map": "atlantis"}, "rules-unfit"),
    ({"variant": "chess"}, "rules-unfit"),
    ({"auction": "dutch"}, "rules-unfit"),
    ({"options": {"starting_elektron": 9}}, "rules-unfit"),
    ({"regions": ("nowhere",)}, "regions-unfit"),
    ({"title": " \n\t"}, "name-empty"),
])  # fmt: skip
def test_settings_that_do_not_fit_are_refused_by_name(house, wrong, code):
    host = house.user("Anna")
    chosen = {"title": "T", "map": "germany", "players": 3, **wrong}
    with refused(code), house.write() as s:
        lobby.create_table(s, host, lobby.TableSettings(**chosen), house.now)
    assert house.all(Game) == []


def test_regions_of_the_host_must_hang_together_and_are_played(house):
    rules = lobby.ruleset(Game(map="germany", variant="standard", options={}))
    from core.game.rules.network import connected_region_sets

    good = sorted(next(iter(connected_region_sets(rules.map, rules.numbers(3).regions))))
    game = house.start("Anna", robots=2, regions=tuple(good))
    started = house.events(game)[0]
    assert isinstance(started, GameStarted)
    assert sorted(started.regions) == good
    assert started.ruleset.region_choice == "host"


def test_the_host_sits_at_his_table_and_others_join_once(house):
    game = house.open("Anna", players=3)
    ben = house.user("Ben")
    do(house, lobby.join, game, ben, house.now)
    do(house, lobby.join, game, ben, house.now)
    assert names(house, game) == ["Anna", "Ben"]


def test_a_full_table_takes_nobody(house):
    game = house.open("Anna", "Ben")
    with refused("table-full"):
        do(house, lobby.join, game, house.user("Clara"), house.now)
    with refused("table-full"):
        do(house, lobby.add_bot, game, bots.CARETAKER, house.now)


def full_mails(house, game) -> list[str]:
    """Who is told by a mail that goes out that all places of a table are taken."""
    office = PostOffice(house)
    return [str(m["To"]) for m in office.fetch() if "All places are taken" in str(m["Subject"])]


def test_the_host_is_told_when_the_last_place_is_taken_and_how_to_begin(house):
    game = house.open("Anna", players=3)
    do(house, lobby.join, game, house.user("Ben"), house.now)
    assert full_mails(house, game) == []
    row = do(house, invitations.invite, game, "clara@example.org", "Clara", house.now)
    answer(house, replace.accept_seat, row)
    (mail,) = [m for m in PostOffice(house).fetch() if "All places" in str(m["Subject"])]
    assert "anna@" in str(mail["To"])
    assert "The last place at your table has been taken" in text_of(mail)
    assert f"/games/{game}" in text_of(mail)


def test_nobody_is_told_that_a_table_is_full_once_it_has_begun_or_somebody_has_left(house):
    begun, left = house.open("Anna", "Ben"), house.open("Clara", "Dora")
    do(house, lobby.start, begun, house.now)
    do(house, lobby.leave, left, house.user("Dora"), house.now)
    assert full_mails(house, begun) == []


def test_the_last_place_is_taken_once(house):
    game = house.open("Anna", players=2)
    people, wrong = [house.user(f"P{n}") for n in range(6)], []

    def sit(person):
        try:
            do(house, lobby.join, game, person, house.now)
        except TableError as error:
            wrong.append(error.code)

    threads = [threading.Thread(target=sit, args=(person,)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(house.all(SeatRow, game_id=game)) == 2
    assert wrong == ["table-full"] * 5


def test_leaving_frees_the_place(house):
    game = house.open("Anna", "Ben")
    do(house, lobby.leave, game, house.user("Ben"), house.now)
    do(house, lobby.join, game, house.user("Clara"), house.now)
    assert names(house, game) == ["Anna", "Clara"]


def test_bots_get_names_of_their_own_and_can_be_removed(house):
    game = house.open("Watt", robots=2)
    robots = [r for r in house.all(SeatRow, game_id=game) if r.bot]
    assert len({r.name for r in robots} | {"Watt"}) == 3
    assert all(r.name.isalpha() and len(r.name) < 6 for r in robots)  # one word beside sums
    do(house, lobby.remove_seat, game, robots[0].id)
    assert len(house.all(SeatRow, game_id=game)) == 2
    with refused("bot-unknown"):
        do(house, lobby.add_bot, game, "hal", house.now)


def test_a_seat_of_another_table_is_not_removed(house):
    mine, other = house.open("Anna", "Ben"), house.open("Clara", "David")
    stranger = house.all(SeatRow, game_id=other)[0]
    do(house, lobby.remove_seat, mine, stranger.id)
    assert len(house.all(SeatRow, game_id=other)) == 2


def test_a_game_starts_only_with_all_places_taken_and_once(house):
    game = house.open("Anna", players=3)
    with refused("seats-free"):
        do(house, lobby.start, game, house.now)
    do(house, lobby.add_bot, game, bots.CARETAKER, house.now)
    do(house, lobby.add_bot, game, bots.CARETAKER, house.now)
    do(house, lobby.start, game, house.now)
    with refused("table-closed"):
        do(house, lobby.start, game, house.now)
    assert house.kinds(game).count("GameStarted") == 1


@pytest.mark.parametrize("act", [
    lambda h, g: do(h, lobby.join, g, h.user("Zoe"), h.now),
    lambda h, g: do(h, lobby.leave, g, h.user("Anna"), h.now),
    lambda h, g: do(h, lobby.add_bot, g, bots.CARETAKER, h.now),
    lambda h, g: do(h, lobby.remove_seat, g, 1),
    lambda h, g: do(h, invitations.invite, g, "x@example.org", "X", h.now),
    lambda h, g: do(h, lobby.cancel, g, h.now),
])  # fmt: skip
def test_nobody_comes_or_goes_once_the_game_has_begun(house, act):
    game = house.start("Anna", "Ben")
    with refused("table-closed"):
        act(house, game)


def test_seats_are_drawn_not_given_in_the_order_of_joining(house):
    orders = set()
    for _ in range(12):
        game = house.start("Anna", "Ben", "Clara")
        orders.add(tuple(names(house, game)))
    assert len(orders) > 1


def test_each_seat_has_a_letter_and_a_colour_of_its_own(house):
    game = house.start("Anna", "Alma", "Aaron", "Äöü", robots=2)
    rows = house.all(SeatRow, game_id=game)
    assert sorted(r.seat for r in rows) == list(range(6))
    assert len({r.letter for r in rows}) == len({r.colour for r in rows}) == 6
    assert all(r.letter.isalpha() and r.letter.isascii() for r in rows)


def test_starting_tells_everybody_and_asks_who_is_first(house):
    game = house.start("Anna", "Ben", auction="open")
    assert sorted(m.address for m in house.mails(kind="start")) == [
        "anna@example.org", "ben@example.org"
    ]  # fmt: skip
    asked = house.asked(game)[0]
    assert [(m.seat, m.turn) for m in house.mails(kind="turn")] == [(asked.seat, asked.turn)]


def test_m15_start_and_turn_mails_have_toggles_of_their_own(house):
    office = PostOffice(house)
    for name, toggle, value in (("Anna", "mail_mode", "off"), ("Ben", "mail_games", False)):
        user = house.user(name)
        with house.write() as s:
            setattr(s.merge(user), toggle, value)
    game = house.start("Anna", "Ben")
    for _ in range(4):
        office.fetch()
        house.play(game, 1)
    house.play(game)
    office.fetch()
    told = {(m.kind, m.address.split("@")[0]) for m in house.mails(status="sent")}
    assert told == {("start", "anna"), ("end", "anna"), ("turn", "ben")}


def test_m15_who_sits_at_a_table_that_its_host_closes_is_told_if_he_wants_such_mails(house):
    game = house.open("Anna", "Ben", "Clara", players=4)
    with house.write() as s:
        s.merge(house.user("Clara")).mail_games = False
    do(house, lobby.cancel, game, house.now)
    (mail,) = PostOffice(house).fetch()
    assert mail["To"].addresses[0].addr_spec == "ben@example.org"
    assert mail["Subject"] == "[Kraftpost] Test · The table is closed"
    text = " ".join(mail.get_body(("plain",)).get_content().split())
    assert "Anna has closed the table before its game began." in text


def test_an_invited_address_becomes_a_user_when_it_accepts(house):
    game = house.open("Anna", players=2)
    row = do(house, invitations.invite, game, " Ben@Example.ORG ", "Ben", house.now)
    again = do(house, invitations.invite, game, "ben@example.org", "Benjamin", house.now)
    assert again.id == row.id
    assert [(m.address, m.context) for m in house.mails(kind="invite")] == [
        ("ben@example.org", {"locale": "en", "invitation": row.id, "name": "Ben"})
    ]
    assert not [u for u in house.all(User) if u.email == "ben@example.org"]
    for _ in range(2):  # a mail that comes twice
        with house.write() as s:
            replace.accept_seat(s, s.get_one(Invitation, row.id), house.now)
    assert names(house, game) == ["Anna", "Ben"]
    assert house.get(Invitation, row.id).status == "accepted"


def answer(house, act, row):
    with house.write() as s:
        act(s, s.get_one(Invitation, row.id), house.now)


def invite(house, game, name="Ben"):
    return do(house, invitations.invite, game, f"{name.lower()}@example.org", name, house.now)


def test_declining_leaves_the_place_free_until_the_host_asks_again(house):
    game = house.open("Anna", players=2, private=True)
    row = invite(house, game)
    answer(house, invitations.decline, row)
    assert house.get(Invitation, row.id).status == "declined"
    with refused("invitation-over"):
        answer(house, replace.accept_seat, row)
    with refused("invitation-over"):
        do(house, lobby.join, game, house.user("Ben"), house.now)
    house.pass_time(minutes=1)
    assert invite(house, game).id == row.id
    answer(house, replace.accept_seat, row)
    assert names(house, game) == ["Anna", "Ben"]


def test_declining_after_accepting_frees_the_place(house):
    game = house.open("Anna", players=2)
    row = invite(house, game)
    answer(house, replace.accept_seat, row)
    answer(house, invitations.decline, row)
    assert names(house, game) == ["Anna"]
    assert house.get(Invitation, row.id).status == "declined"
    answer(house, invitations.decline, row)  # a mail that comes twice


def test_a_place_in_a_game_that_has_begun_is_not_declined(house):
    game = house.open("Anna", players=2)
    row = invite(house, game)
    answer(house, replace.accept_seat, row)
    do(house, lobby.start, game, house.now)
    with refused("game-begun"):
        answer(house, invitations.decline, row)
    assert sorted(names(house, game)) == ["Anna", "Ben"]
    assert house.get(Invitation, row.id).status == "accepted"


@pytest.mark.parametrize("was_invited", [True, False])
def test_whom_the_host_has_removed_stays_away_until_asked_again(house, was_invited):
    game = house.open("Anna", players=3)
    ben = house.user("Ben")
    if was_invited:
        invite(house, game)
    do(house, lobby.join, game, ben, house.now)
    (seat,) = (row for row in house.all(SeatRow) if row.user_id == ben.id)
    do(house, lobby.remove_seat, game, seat.id)
    with refused("invitation-over"):
        do(house, lobby.join, game, ben, house.now)
    with house.write() as s:
        s.get_one(Game, game).private = True
    with house.read() as s:
        assert not lobby.may_see(s, gamelog.find(s, game), ben)
    house.pass_time(minutes=1)
    row = invite(house, game)
    with house.read() as s:
        assert lobby.may_see(s, gamelog.find(s, game), ben)
        assert invitations.posted(s, row)
    do(house, lobby.join, game, ben, house.now)
    assert names(house, game) == ["Anna", "Ben"]


def test_who_has_declined_sees_no_private_table_and_can_join_a_public_one(house):
    private, public = house.open("Anna", players=2, private=True), house.open("Anna", players=2)
    ben = house.user("Ben")
    for game in (private, public):
        answer(house, invitations.decline, invite(house, game))
    with house.read() as s:
        assert not lobby.may_see(s, gamelog.find(s, private), ben)
    do(house, lobby.join, public, ben, house.now)
    assert names(house, public) == ["Anna", "Ben"]


def test_posted_says_whether_a_mail_goes_out(house):
    game = house.open("Anna", players=4)
    with house.write() as s:
        s.merge(house.user("Clara")).mail_games = False

    def posted(name):
        house.pass_time(minutes=1)
        row = invite(house, game, name)
        with house.read() as s:
            return row, invitations.posted(s, s.get_one(Invitation, row.id))

    row, by_mail = posted("Ben")
    assert by_mail
    assert not posted("Clara")[1]
    assert posted("Ben")[1], "it was sent already"
    answer(house, invitations.decline, row)
    assert posted("Ben")[1], "declined, and asked again"
    assert len(house.mails(kind="invite", address="ben@example.org")) == 2
    answer(house, invitations.decline, row)
    with refused("asked-twice"):
        invite(house, game)
    assert house.get(Invitation, row.id).status == "declined"


def test_nobody_can_mail_the_world_through_us(house):
    game = house.open("Anna", players=6)
    with refused("too-many-invitations"):
        for n in range(100):
            do(house, invitations.invite, game, f"p{n}@example.org", "P", house.now)
    assert len(house.mails(kind="invite")) == 20


@pytest.mark.parametrize("address", ["", "ben", "a@b@c", "a b@c.d", "a@b\r\nBcc: x@y.z", "@x.y"])
def test_an_invitation_needs_an_address(house, address):
    game = house.open("Anna", players=2)
    with refused("address-invalid"):
        do(house, invitations.invite, game, address, "Ben", house.now)


def test_a_private_table_is_seen_and_joined_by_those_who_belong_to_it(house):
    game = house.open("Anna", players=4, private=True)
    do(house, invitations.invite, game, "ben@example.org", "Ben", house.now)
    with house.read() as s:
        row = gamelog.find(s, game)
        seen = {
            name: lobby.may_see(s, row, house.user(name) if name else None)
            for name in ("Anna", "Ben", "Clara", "")
        }
    assert seen == {"Anna": True, "Ben": True, "Clara": False, "": False}
    with refused("not-invited"):
        do(house, lobby.join, game, house.user("Clara"), house.now)
    do(house, lobby.join, game, house.user("Ben"), house.now)
    assert house.all(Invitation)[0].status == "accepted"


def test_a_table_can_be_cancelled(house):
    game = house.open("Anna", players=2)
    do(house, lobby.cancel, game, house.now)
    assert house.game(game).status == "cancelled"
    with refused("table-closed"):
        do(house, lobby.join, game, house.user("Ben"), house.now)


def test_h3_a_host_who_leaves_hands_the_table_to_who_is_next(house):
    game = house.open("Anna", "Ben", "Clara", players=4)
    do(house, lobby.leave, game, house.user("Anna"), house.now)
    assert house.game(game).host_id == house.user("Ben").id
    assert names(house, game) == ["Ben", "Clara"]
    do(house, lobby.leave, game, house.user("Ben"), house.now)
    do(house, lobby.leave, game, house.user("Clara"), house.now)
    assert house.game(game).status == "cancelled"


@pytest.mark.parametrize(("hours", "who", "may"), [
    (0, "Anna", True), (0, "Ben", False), (47, "Clara", False), (48, "Clara", True),
    (48, "Ben", True), (200, "Dora", False),
])  # fmt: skip
def test_h21_a_full_table_waits_two_days_for_its_host(house, hours, who, may):
    game = house.open("Anna", "Ben", "Clara")
    house.pass_time(hours=hours)
    with house.read() as s:
        assert lobby.may_begin(s, house.game(game), house.user(who), house.now) is may


def test_h21_a_table_with_a_free_place_waits_on(house):
    game = house.open("Anna", "Ben", players=3)
    house.pass_time(days=9)
    with house.read() as s:
        assert not lobby.may_begin(s, house.game(game), house.user("Ben"), house.now)
