"""Opening a table, finding one, joining, leaving, beginning."""

import pytest
from sqlmodel import select

from core.store.tables import Game, Invitation, SeatRow, User
from tests.support.site import Site
from webapp.joining.new_table import addresses

TABLE = {
    "title": "Winter", "map": "usa", "variant": "standard", "players": "3", "auction": "sealed",
    "regions": "random", "turn_hours": "48", "private": "no", "chat": "yes", "bots": "0",
    "invitations": "", "start": "",
}  # fmt: skip


def _only_game(site: Site) -> Game:
    (game,) = site.house.all(Game)
    return game


def test_every_setting_of_the_form_arrives(site: Site):
    fields = {
        **TABLE, "auction": "open", "turn_hours": "12", "private": "yes", "chat": "", "bots": "1",
        "invitations": "Ben B <ben@example.org>, cem@example.org",
    }  # fmt: skip
    answer = site.visitor("Ann").post("/tables/new", fields)
    game = _only_game(site)
    assert answer.location == f"/games/{game.id}"
    assert (game.title, game.map, game.players, game.turn_hours) == ("Winter", "usa", 3, 12)
    assert (game.private, game.chat, game.options["auction"]) == (True, False, "open")
    assert [bool(row.bot) for row in site.house.all(SeatRow)] == [False, True]
    assert [(row.name, row.email) for row in site.house.all(Invitation)] == [
        ("Ben B", "ben@example.org"), ("", "cem@example.org"),
    ]  # fmt: skip


def test_regions_of_the_chosen_map_only(site: Site):
    fields = {**TABLE, "regions": "host", "region-usa": ["purple", "cyan", "red"],
              "region-germany": ["green"]}  # fmt: skip
    site.visitor("Ann").post("/tables/new", fields)
    assert set(_only_game(site).regions) == {"purple", "cyan", "red"}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"title": " "}, "name"),
        ({"variant": "nonsense"}, "nonsense"),
        ({"players": "9"}, "can play"),
        ({"turn_hours": "0"}, "hours"),
        ({"turn_hours": "9999999"}, "hours"),
        ({"bots": "5"}, "taken"),
        ({"start": "yes"}, "must join first"),
        ({"regions": "host"}, "regions"),
        ({"regions": "host", "region-usa": ["purple", "green", "brown"]}, "not connected"),
        ({"invitations": "not an address"}, "e-mail address"),
    ],
)
def test_what_does_not_fit_is_said_and_nothing_is_kept(site: Site, change, said: str):
    answer = site.visitor("Ann").post("/tables/new", {**TABLE, **change})
    assert answer.status_code == 422
    assert said in answer.text
    assert 'value="Winter"' in answer.text or "title" in change
    assert site.house.all(Game) == []


def test_alone_with_bots_one_may_begin_at_once(site: Site):
    ann = site.visitor("Ann")
    ann.post("/tables/new", {**TABLE, "bots": "2", "start": "yes"})
    game = _only_game(site)
    assert game.status == "running"
    assert "Winter" in ann.page(f"/games/{game.id}")


def test_joining_and_leaving(site: Site):
    game_id = site.house.open("Ann", robots=2)
    assert site.visitor("Ben").post(f"/games/{game_id}/join").status_code == 422, "it is full"
    other = site.house.open("Ann", players=3)
    ben = site.visitor("Ben")
    assert "Take a place" in ben.page(f"/games/{other}")
    ben.post(f"/games/{other}/join")
    assert "Leave the table" in ben.page(f"/games/{other}")
    ben.post(f"/games/{other}/leave")
    assert [row.name for row in site.house.all(SeatRow, game_id=other)] == ["Ann"]


def test_the_host_fills_the_table_and_begins(site: Site):
    game_id = site.house.open("Ann", players=3)
    ann, at = site.visitor("Ann"), f"/games/{game_id}"
    ann.post(f"{at}/bots", {"bot": "engineer"})
    ann.post(f"{at}/bots", {"bot": "random"})
    assert "Begin the game" in ann.page(at)
    taken = site.house.all(SeatRow, game_id=game_id)
    ann.post(f"{at}/seats/{taken[-1].id}/remove")
    assert len(site.house.all(SeatRow, game_id=game_id)) == 2
    ann.post(f"{at}/bots", {"bot": "engineer"})
    ann.post(f"{at}/start")
    assert site.house.game(game_id).status == "running"


def test_an_invitation_is_seen_and_answered_in_the_lobby(site: Site):
    site.visitor("Ann").post(
        "/tables/new",
        {**TABLE, "private": "yes", "invitations": "ben@example.org\ncem@example.org"},
    )
    game = _only_game(site)
    ben, cem = site.visitor("Ben"), site.visitor("Cem")
    assert "Winter" in ben.page("/")
    ben.post(f"/games/{game.id}/join")
    cem.post(f"/games/{game.id}/decline")
    assert "Accept" not in ben.page("/")
    assert {row.status for row in site.house.all(Invitation)} == {"accepted", "declined"}
    assert "cem@example.org" not in ben.page(f"/games/{game.id}")
    assert cem.get(f"/games/{game.id}").status_code == 404


def test_the_host_is_told_whether_an_invitation_goes_out_by_mail(site: Site):
    ann = site.visitor("Ann")
    ann.post("/tables/new", TABLE)
    site.visitor("Ben")
    with site.house.write() as s:
        s.exec(select(User).where(User.email == "ben@example.org")).one().mail_games = False
    path = f"/games/{_only_game(site).id}"
    for email, said in (("cem@example.org", "in the post"), ("ben@example.org", "No mail goes")):
        ann.post(f"{path}/invitations", {"email": email})
        assert said in ann.page(path)


def test_private_tables_are_in_nobody_elses_list(site: Site):
    site.house.open("Ann", private=True, title="Secret circle", players=3)
    site.house.open("Ann", title="Open house", players=3)
    for visitor in (site.visitor(), site.visitor("Ben")):
        assert "Open house" in visitor.page("/")
        assert "Secret circle" not in visitor.page("/")
    assert "Secret circle" in site.visitor("Ann").page("/")


def test_the_table_that_waits_for_me_comes_first(site: Site):
    first = site.house.start("Ann", "Ben", title="First")
    second = site.house.start("Ann", "Ben", title="Second")
    page = site.at(first, site.house.asked(first)[0].seat).page("/")
    assert "your move" in page
    waiting = site.at(second, 1 - site.house.asked(second)[0].seat).page("/")
    assert "Waiting for" in waiting


def test_a_closed_table_says_so(site: Site):
    game_id = site.house.open("Ann", players=3)
    site.visitor("Ann").post(f"/games/{game_id}/cancel")
    assert "closed this table" in site.visitor("Ann").page(f"/games/{game_id}")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("a@b.c", [("", "a@b.c")]),
        ("Ann A <a@b.c>\n\n  d@e.f ", [("Ann A", "a@b.c"), ("", "d@e.f")]),
        ('"Ann" <a@b.c>; d@e.f, ', [("Ann", "a@b.c"), ("", "d@e.f")]),
        ("Ann <a@b.c", [("Ann", "a@b.c")]),
        ("\n".join(f"{n}@b.c" for n in range(12)), [("", f"{n}@b.c") for n in range(12)]),
    ],
)
def test_addresses_as_people_write_them(text, found):
    assert addresses(text) == found


def test_a_game_that_is_over_says_no_more_how_long_a_turn_lasts(site: Site):
    game, anna = site.house.start("Anna", "Ben", turn_hours=24), site.visitor("Anna")
    assert "24 hours a turn" in anna.page("/")
    assert anna.post(f"/games/{game}/resign").status_code == 303  # Ben alone is no game
    page = anna.page("/")
    assert "You sit at no table just now." in page
    assert "Your past games" in page
    assert "a turn ·" not in page
