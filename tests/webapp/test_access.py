"""Who may do what: every address of the site, for everybody who might ask."""

import pytest
from sqlmodel import select

from core.mail.addresses import (
    AddressLink,
    BackLink,
    DeclineLink,
    InviteLink,
    Links,
    TurnLink,
    UnsubscribeLink,
)
from core.store.tables import Game, SeatRow, User
from core.table.acts import absence, invitations, lobby, replace, vacation
from core.table.people import tokens
from core.table.people.accounts import user_for
from core.table.views import feeds
from tests.support.site import Site, Visitor
from webapp.people.mail_links import UNGUARDED

# What each address answers to: nobody, a stranger, somebody invited, a player, the host.
# 303 to /sign-in is written "in"; "same" is whatever the first column says.
IN = "in"
PRIVATE = {
    ("GET", "/"): (200, 200, 200, 200, 200),
    ("GET", "/robots.txt"): (200, 200, 200, 200, 200),
    ("GET", "/sign-in"): (200, 200, 200, 200, 200),
    ("POST", "/sign-in"): (422, 422, 422, 422, 422),
    ("GET", "/sign-in/sent"): (200, 200, 200, 200, 200),
    ("GET", "/sign-in/<token>"): (200, 200, 200, 200, 200),
    ("POST", "/sign-in/<token>"): (422, 422, 422, 422, 422),
    ("POST", "/sign-out"): (303, 303, 303, 303, 303),
    ("GET", "/profile"): (IN, 200, 200, 200, 200),
    ("POST", "/profile"): (IN, 422, 422, 422, 422),
    ("GET", "/profile/mail"): (IN, 200, 200, 200, 200),
    ("POST", "/profile/mail"): (IN, 422, 422, 422, 422),
    ("POST", "/profile/mail/tables"): (IN, 303, 303, 303, 303),
    ("POST", "/games/<int:game_id>/mail"): (IN, 404, 403, 422, 422),
    ("POST", "/profile/address"): (IN, 422, 422, 422, 422),
    ("POST", "/profile/language"): (IN, 303, 303, 303, 303),
    ("POST", "/profile/sign-out-everywhere"): (IN, 303, 303, 303, 303),
    ("POST", "/games/<int:game_id>/rematch"): (IN, 404, 422, 422, 422),
    ("POST", "/play"): (303, 303, 303, 303, 303),
    ("POST", "/tables/quick"): (IN, 422, 422, 422, 422),
    ("GET", "/maps/<key>.svg"): (404, 404, 404, 404, 404),
    ("GET", "/tables/new"): (IN, 200, 200, 200, 200),
    ("POST", "/tables/new"): (IN, 422, 422, 422, 422),
    ("POST", "/games/<int:game_id>/join"): (IN, 404, 422, 422, 422),
    ("POST", "/games/<int:game_id>/leave"): (IN, 404, 422, 422, 422),
    ("POST", "/games/<int:game_id>/bots"): (IN, 404, 403, 403, 422),
    ("POST", "/games/<int:game_id>/seats/<int:row_id>/remove"): (IN, 404, 403, 403, 422),
    ("POST", "/games/<int:game_id>/invitations"): (IN, 404, 403, 403, 422),
    ("POST", "/games/<int:game_id>/start"): (IN, 404, 403, 403, 422),
    ("POST", "/games/<int:game_id>/cancel"): (IN, 404, 403, 403, 422),
    ("GET", "/games/<int:game_id>"): (404, 404, 200, 200, 200),
    ("GET", "/statistics"): (200, 200, 200, 200, 200),
    ("GET", "/players/<int:user_id>"): (404, 404, 200, 200, 200),
    ("GET", "/players/<int:user_id>/vs/<int:other_id>"): (404, 404, 200, 200, 200),
    ("GET", "/players/<name>"): (404, 404, 404, 404, 404),
    ("GET", "/games/<int:game_id>/pulse"): (404, 404, 200, 200, 200),
    ("POST", "/games/<int:game_id>/chat"): (IN, 404, 403, 422, 422),
    ("POST", "/games/<int:game_id>/note"): (IN, 404, 303, 303, 303),
    ("POST", "/games/<int:game_id>/back"): (IN, 404, 403, 303, 303),
    ("GET", "/games/<int:game_id>/undo"): (IN, 404, 403, 422, 422),
    ("POST", "/games/<int:game_id>/undo"): (IN, 404, 403, 422, 422),
    ("POST", "/games/<int:game_id>/redo"): (IN, 404, 403, 422, 422),
    ("POST", "/games/<int:game_id>/proposals/<int:number>/answer"): (IN, 404, 403, 422, 422),
    ("POST", "/games/<int:game_id>/proposals/<int:number>/withdraw"): (IN, 404, 403, 422, 422),
    ("GET", "/games/<int:game_id>/host"): (IN, 404, 403, 200, 200),
    ("POST", "/games/<int:game_id>/host/<kind>/look"): (IN, 404, 403, 422, 422),
    ("POST", "/games/<int:game_id>/host/<kind>"): (IN, 404, 403, 422, 422),
    ("POST", "/games/<int:game_id>/turn"): (IN, 404, 403, 409, 409),
    ("GET", "/games/<int:game_id>/turn/<int:number>"): (IN, 404, 403, 404, 404),
    ("GET", "/games/<int:game_id>/at"): (303, 303, 303, 303, 303),
    ("GET", "/games/<int:game_id>/at/<int:n>"): (404, 404, 200, 200, 200),
    # the bearer of a mail's link is who the link says
    ("GET", "/turn/<token>"): (410, 410, 410, 410, 303),
    ("POST", "/turn/<token>"): (409, 409, 409, 409, 409),
    ("GET", "/turn/<token>/sent/<int:number>"): (404, 404, 404, 404, 404),
    ("GET", "/back/<token>"): (200, 200, 200, 200, 200),
    ("POST", "/back/<token>"): (200, 200, 200, 200, 200),
    ("GET", "/invitation/<token>"): (200, 200, 200, 200, 200),
    ("POST", "/invitation/<token>"): (422, 422, 422, 422, 422),
    ("GET", "/no-thanks/<token>"): (200, 200, 200, 200, 200),
    ("GET", "/address/<token>"): (200, 200, 200, 200, 200),
    ("POST", "/address/<token>"): (422, 422, 422, 422, 422),
    ("GET", "/unsubscribe/<token>"): (200, 200, 200, 200, 200),
    ("POST", "/unsubscribe/<token>"): (200, 200, 200, 200, 200),
    ("GET", "/help/rules"): (200, 200, 200, 200, 200),
    ("GET", "/rules"): (302, 302, 302, 302, 302),
    ("GET", "/rules/<variant>"): (200, 200, 200, 200, 200),
    ("GET", "/games/<int:game_id>/rules"): (404, 404, 200, 200, 200),
    ("GET", "/games/<int:game_id>/log.jsonl"): (404, 404, 200, 200, 200),
    ("GET", "/healthz"): (200, 200, 200, 200, 200),
    ("GET", "/metrics"): (200, 200, 200, 200, 200),
    ("GET", "/drawings.css"): (200, 200, 200, 200, 200),
    ("GET", "/dev/mail"): (200, 200, 200, 200, 200),
    ("GET", "/dev/mail/<name>"): (404, 404, 404, 404, 404),
    ("GET", "/dev/mail/<name>/html"): (404, 404, 404, 404, 404),
    ("POST", "/dev/mail/<name>/reply"): (404, 404, 404, 404, 404),
    ("GET", "/api/me/turns"): (401, 200, 200, 200, 200),
    ("GET", "/api/tables/<int:game_id>"): (404, 404, 200, 200, 200),
    ("GET", "/feeds/<token>/tables/<int:game_id>.atom"): (404, 404, 404, 404, 404),
    ("GET", "/feeds/<token>/turns.ics"): (404, 404, 404, 404, 404),
    ("GET", "/games/<int:game_id>/at/<int:n>/mail"): (IN, 404, 403, 200, 200),
    ("GET", "/games/<int:game_id>/feed.atom"): (404, 404, 200, 200, 200),
    ("GET", "/games/<int:game_id>/orders"): (IN, 404, 403, 200, 200),
    ("GET", "/games/<int:game_id>/report.txt"): (404, 404, 200, 200, 200),
    ("GET", "/games/<int:game_id>/film"): (404, 404, 403, 403, 403),
    ("POST", "/games/<int:game_id>/film"): (404, 404, 403, 403, 403),
    ("GET", "/games/<int:game_id>/film.webp"): (404, 404, 404, 404, 404),
    ("GET", "/games/<int:game_id>/card.png"): (404, 404, 200, 200, 200),
    ("GET", "/games/<int:game_id>/print"): (404, 404, 200, 200, 200),
    ("GET", "/games/<int:game_id>/replay"): (303, 303, 303, 303, 303),
    ("GET", "/games/<int:game_id>/story"): (404, 404, 403, 403, 403),
    ("GET", "/games/<int:game_id>/whatif"): (IN, 404, 403, 200, 200),
    ("GET", "/games/<int:game_id>/whatif/next"): (IN, 302, 302, 302, 302),
    ("GET", "/profile/delete"): (IN, 200, 200, 200, 200),
    ("POST", "/profile/delete"): (IN, 422, 422, 422, 422),
    ("GET", "/import"): (IN, 200, 200, 200, 200),
    ("POST", "/import"): (IN, 422, 422, 422, 422),
    ("POST", "/profile/test-mail"): (IN, 303, 303, 303, 303),
    ("GET", "/reached/<token>"): (404, 404, 404, 404, 404),
    ("POST", "/reached/<token>"): (404, 404, 404, 404, 404),
    ("GET", "/gallery"): (200, 200, 200, 200, 200),
    ("GET", "/profile/channels"): (IN, 200, 200, 200, 200),
    ("GET", "/profile/clock"): (IN, 200, 200, 200, 200),
    ("POST", "/kept/forget"): (303, 303, 303, 303, 303),
    ("GET", "/seat/<int:game_id>"): (303, 303, 303, 303, 303),
    ("POST", "/seat/<int:game_id>"): (IN, 404, 403, 409, 409),
    ("GET", "/seat/<int:game_id>/turn/<int:number>"): (IN, 404, 403, 404, 404),
    ("GET", "/seat/<int:game_id>/orders"): (IN, 404, 403, 200, 200),
    ("POST", "/seat/<int:game_id>/orders"): (IN, 404, 403, 422, 422),
    ("GET", "/games/<int:game_id>/turn/reckon"): (IN, 404, 403, 409, 409),
    ("GET", "/seat/<int:game_id>/reckon"): (IN, 404, 403, 409, 409),
    ("GET", "/turn/<token>/reckon"): (409, 409, 409, 409, 409),
    ("GET", "/turn/<token>/orders"): (404, 404, 404, 404, 404),
    ("POST", "/games/<int:game_id>/at/<int:n>/mail"): (IN, 404, 403, 303, 303),
    ("POST", "/games/<int:game_id>/orders"): (IN, 404, 403, 422, 422),
    ("POST", "/games/<int:game_id>/refresh"): (IN, 404, 422, 422, 422),
    ("POST", "/games/<int:game_id>/seats/<int:seat>/take"): (IN, 404, 422, 422, 422),
    ("POST", "/profile/channels"): (IN, 422, 422, 422, 422),
    ("POST", "/profile/channels/<int:hook_id>/remove"): (IN, 422, 422, 422, 422),
    ("POST", "/profile/channels/<int:hook_id>/test"): (IN, 422, 422, 422, 422),
    ("POST", "/profile/channels/addresses"): (IN, 303, 303, 303, 303),
    ("POST", "/profile/clock"): (IN, 422, 422, 422, 422),
    ("POST", "/profile/vacation"): (IN, 422, 422, 422, 422),
    ("POST", "/profile/vacation/end"): (IN, 303, 303, 303, 303),
    ("POST", "/tables/new/length"): (IN, 200, 200, 200, 200),
    ("POST", "/turn/<token>/orders"): (404, 404, 404, 404, 404),
    ("POST", "/games/<int:game_id>/link"): (IN, 404, 403, 403, 303),
    ("GET", "/come/<token>"): (404, 404, 404, 404, 404),
    ("POST", "/come/<token>"): (IN, 422, 422, 422, 422),
    ("POST", "/games/<int:game_id>/settings"): (IN, 404, 403, 403, 422),
    ("POST", "/games/<int:game_id>/handover"): (IN, 404, 403, 403, 422),
    ("POST", "/games/<int:game_id>/invitations/<int:number>/again"): (IN, 404, 403, 403, 422),
    ("POST", "/games/<int:game_id>/invitations/<int:number>/withdraw"): (IN, 404, 403, 403, 422),
    # last: who has declined sees the table no more
    ("POST", "/games/<int:game_id>/decline"): (IN, 404, 303, 303, 303),
    ("POST", "/no-thanks/<token>"): (200, 200, 200, 200, 200),
    ("GET", "/games/<int:game_id>/resign"): (IN, 404, 404, 200, 200),
    # last, for the game is over by it; the invited has declined by then
    ("POST", "/games/<int:game_id>/resign"): (IN, 404, 404, 303, 303),
    # tests/webapp/people/test_operator.py asks these as an operator
    ("GET", "/admin"): (404, 404, 404, 404, 404),
    ("POST", "/admin/people"): (404, 404, 404, 404, 404),
    ("POST", "/admin/mails"): (404, 404, 404, 404, 404),
    ("POST", "/admin/games"): (404, 404, 404, 404, 404),
    ("GET", "/imprint"): (404, 404, 404, 404, 404),
    ("GET", "/privacy"): (404, 404, 404, 404, 404),
    ("GET", "/profile/programs"): (IN, 200, 200, 200, 200),
    ("POST", "/profile/programs"): (IN, 422, 422, 422, 422),
    ("POST", "/profile/programs/<int:number>/revoke"): (IN, 422, 422, 422, 422),
    ("POST", "/mail-in/<door>"): (404, 404, 404, 404, 404),
    ("GET", "/api/v1/docs"): (200, 200, 200, 200, 200),
    ("GET", "/api/v1/openapi.json"): (200, 200, 200, 200, 200),
    # tests/webapp/api asks these with tokens; what a browser is signed in as does not count there
    ("GET", "/api/v1/me"): (401, 401, 401, 401, 401),
    ("GET", "/api/v1/me/turns"): (401, 401, 401, 401, 401),
    ("GET", "/api/v1/tables"): (401, 401, 401, 401, 401),
    ("GET", "/api/v1/tables/<int:table>"): (401, 401, 401, 401, 401),
    ("GET", "/api/v1/tables/<int:table>/position"): (401, 401, 401, 401, 401),
    ("GET", "/api/v1/tables/<int:table>/question"): (401, 401, 401, 401, 401),
    ("POST", "/api/v1/tables/<int:table>/preview"): (401, 401, 401, 401, 401),
    ("POST", "/api/v1/tables/<int:table>/moves"): (401, 401, 401, 401, 401),
    ("GET", "/api/v1/tables/<int:table>/moves/<int:move>"): (401, 401, 401, 401, 401),
    ("GET", "/api/v1/tables/<int:table>/events"): (401, 401, 401, 401, 401),
    ("GET", "/api/v1/tables/<int:table>/orders"): (401, 401, 401, 401, 401),
    ("POST", "/api/v1/tables/<int:table>/orders"): (401, 401, 401, 401, 401),
    ("DELETE", "/api/v1/tables/<int:table>/orders/<int:number>"): (401, 401, 401, 401, 401),
    ("GET", "/api/v1/tables/<int:table>/chat"): (401, 401, 401, 401, 401),
    ("POST", "/api/v1/tables/<int:table>/chat"): (401, 401, 401, 401, 401),
}
WHO = ("nobody", "stranger", "invited", "player", "host")


class Place:
    """A private table that plays, and somebody at each distance from it."""

    def __init__(self, site: Site) -> None:
        self.site = site
        house = site.house
        self.game_id = house.open("Host", "Player", robots=1, title="Quiet table")
        with house.write() as s:
            game = s.get_one(Game, self.game_id)
            game.private = True
            invitations.invite(s, game, "invited@example.org", "Invited", house.now)
            lobby.start(s, game, house.now)
        for name in ("Stranger", "Invited"):
            house.user(name)
        self.links = Links(site.settings.secret_key, site.settings.public_url)

    def visitor(self, who: str) -> Visitor:
        return self.site.visitor(None if who == "nobody" else who.capitalize())

    def path(self, rule: str) -> str:
        host, seat = self.site.house.user("Host"), self.site.house.seat(self.game_id, "Host")
        token = {
            "turn": TurnLink(host.id, self.game_id, seat, 1),
            "back": BackLink(host.id, self.game_id, seat),
            "invitation": InviteLink(1),
            "no-thanks": DeclineLink(1),
            "unsubscribe": UnsubscribeLink(host.id, "chat"),
            "address": AddressLink(host.id, host.email, "host@example.com", 0),
        }.get(rule.split("/")[1])
        signed = self.links.url(token).rpartition("/")[2] if token else "no-token"
        filled = {"<int:game_id>": self.game_id, "<int:user_id>": host.id,
            "<int:other_id>": self.site.house.user("Player").id, "<int:row_id>": 1, "<int:n>": 3,
                  "<int:number>": 77, "<token>": signed, "<name>": "none.eml",
            "<variant>": "standard", "<kind>": "end",
            "<int:seat>": 0, "<int:hook_id>": 77, "<int:table>": self.game_id,
            "<int:move>": 1}  # fmt: skip
        for part, value in filled.items():
            rule = rule.replace(part, str(value))
        return rule


@pytest.fixture
def place(site: Site) -> Place:
    return Place(site)


def test_every_address_is_in_the_table(site: Site):
    known = {
        (method, rule.rule)
        for rule in site.app.url_map.iter_rules()
        for method in rule.methods & {"GET", "POST", "PUT", "PATCH", "DELETE"}
        if not rule.endpoint.endswith("static")
    }
    assert known == set(PRIVATE)


@pytest.mark.parametrize("who", WHO)
def test_a_private_table(place: Place, who: str):
    column = WHO.index(who)
    wrong = {}
    for (method, rule), expected in PRIVATE.items():
        visitor = place.visitor(who)  # afresh, for some addresses sign out
        path = place.path(rule)
        answer = (
            visitor.post(path) if method == "POST" else visitor.client.open(path, method=method)
        )
        signing = answer.status_code == 303 and answer.location.startswith("/sign-in")
        got = IN if signing and rule != "/sign-out" and who == "nobody" else answer.status_code
        if got != expected[column]:
            wrong[method, rule] = (got, expected[column])
    assert not wrong


SEEN_BY = {
    "sitter": True, "ex-owner": False, "of-another-table": False, "resigned": True,
}  # fmt: skip
"""Whether people of these roles see a private table; who has resigned may come back until the seat
is taken."""


def _take_a_role(site: Site, role: str) -> tuple[int, Visitor, User]:
    """Return a private game, and somebody of the role with their browser."""
    house = site.house
    game_id = house.start("Host", "Player", "Third")
    house.start("Other", "Another")
    with house.write() as s:
        s.get_one(Game, game_id).private = True
    if role == "of-another-table":
        return game_id, site.visitor("Other"), house.user("Other")
    seat = house.seat(game_id, "Player")
    if role == "sitter":
        helper = house.user("Helper")
        with house.write() as s:
            away = house_user(s, "Player")
            vacation.take(s, away, vacation.Plan(3, sitter=helper.email), house.now)
        return game_id, site.visitor("Helper"), helper
    with house.write() as s:
        absence.resign(s, game_id, seat, "", house.now)
    if role == "ex-owner":
        with house.write() as s:
            invitations.invite(s, s.get_one(Game, game_id), "new@example.org", "New", house.now)
            new = user_for(s, "new@example.org", house.now, "New")
            replace.take(s, game_id, seat, new, house.now)
    return game_id, site.visitor("Player"), house.user("Player")


def house_user(session, name: str) -> User:
    return session.exec(select(User).where(User.name == name)).one()


@pytest.mark.parametrize("role", SEEN_BY)
def test_s8_a_role_sees_the_same_by_page_api_and_feed(site: Site, role: str):
    game_id, visitor, user = _take_a_role(site, role)
    links = Links(site.settings.secret_key, site.settings.public_url)
    with site.house.write() as s:
        token = tokens.make(s, user, "test", list(tokens.Scope), site.house.now)[1]
    feed = feeds.token(links, user)
    answers = {
        "page": visitor.get(f"/games/{game_id}"),
        "log": visitor.get(f"/games/{game_id}/log.jsonl"),
        "api": visitor.get(f"/api/tables/{game_id}"),
        "feed": site.visitor().get(f"/feeds/{feed}/tables/{game_id}.atom"),
        "v1": site.visitor().client.get(
            f"/api/v1/tables/{game_id}", headers={"Authorization": f"Bearer {token}"}
        ),
    }
    expected = 200 if SEEN_BY[role] else 404
    assert {name: a.status_code for name, a in answers.items()} == dict.fromkeys(answers, expected)


@pytest.mark.parametrize(("role", "code"), [("ex-owner", 404), ("resigned", 200)])
def test_s8_a_link_back_is_for_who_still_has_the_seat(site: Site, role: str, code: int):
    game_id, visitor, user = _take_a_role(site, role)
    links = Links(site.settings.secret_key, site.settings.public_url)
    seat = next(
        r.seat for r in site.house.all(SeatRow, game_id=game_id) if r.name in ("New", "Player")
    )
    path = links.url(BackLink(user.id, game_id, seat)).removeprefix(site.settings.public_url)
    assert visitor.get(path).status_code == code


def test_a_public_table_is_everybodys_to_see(site: Site):
    game_id = site.house.start("Host", "Player")
    for visitor in (site.visitor(), site.visitor("Stranger")):
        for path in ("", "/at/1", "/pulse"):
            assert visitor.get(f"/games/{game_id}{path}").status_code == 200
        assert "Your move" not in visitor.page(f"/games/{game_id}")


def test_no_form_is_taken_without_its_token(place: Place):
    """All POSTs but those that mail programs send are refused before anything is looked at.

    So are those of programs, which bring a secret of their own.
    """
    host = place.visitor("host")
    unguarded = {f"mail_links.{view.__name__}" for view in UNGUARDED}
    for rule in place.site.app.url_map.iter_rules():
        if "POST" in rule.methods and rule.endpoint.startswith(("v1.", "mail_doors.")):
            assert host.client.post(place.path(rule.rule), json={}).status_code in (401, 404)
        elif "POST" in rule.methods and rule.endpoint not in unguarded:
            answer = host.client.post(place.path(rule.rule), data={"do": "send", "reason": "x"})
            assert answer.status_code == 400, rule.rule
            assert "too old" in answer.text
    assert place.site.house.game(place.game_id).status == "running"


def test_a_page_that_needs_a_user_comes_back_after_signing_in(site: Site):
    answer = site.visitor().get("/tables/new?map=usa")
    assert answer.location == "/sign-in?next=/tables/new?map%3Dusa"


def test_another_players_submission_is_not_shown(site: Site):
    game_id = site.house.start("Ann", "Ben")
    seat = site.house.asked(game_id)[0].seat
    number = site.house.move(game_id, seat, site.house.line(game_id, seat)).id
    other = site.at(game_id, 1 - seat)
    assert other.get(f"/games/{game_id}/turn/{number}").status_code == 404
    assert "Done:" not in other.page(f"/games/{game_id}?sent={number}")
    assert "Done:" in site.at(game_id, seat).page(f"/games/{game_id}?sent={number}")
