"""The API: tokens, the question of a seat, moves, orders, logs and chat (D7)."""

import json

import pytest

from core.statuses import GameStatus
from core.store.tables import ApiToken, Game
from core.table.people import tokens
from core.table.people.tokens import Scope
from tests.support.site import Site


class Program:
    """A client that sends one token and JSON, and keeps no cookies."""

    def __init__(self, site: Site, name: str, *scopes: Scope) -> None:
        self.client = site.app.test_client(use_cookies=False)
        with site.house.write() as s:
            owner = site.house.user(name)
            _, secret = tokens.make(s, owner, "test", scopes or tuple(Scope), site.house.now)
        self.headers = {"Authorization": f"Bearer {secret}"}

    def ask(self, path: str, body: dict | None = None, method: str = ""):
        how = method or ("GET" if body is None else "POST")
        return self.client.open(f"/api/v1{path}", method=how, json=body, headers=self.headers)

    def told(self, path: str, body: dict | None = None, method: str = "") -> dict:
        answer = self.ask(path, body, method)
        assert answer.status_code < 300, answer.text
        return answer.json


def problem(answer, status: int, code: str) -> str:
    """The reason in a refusal, which must be problem details."""
    assert answer.status_code == status, answer.text
    assert answer.content_type == "application/problem+json"
    assert answer.json["status"] == status and answer.json["title"]
    assert answer.json["code"] == code
    return answer.json["detail"]


def asked(site: Site, game: int) -> str:
    """The name of who is asked now."""
    seat = site.house.asked(game)[0].seat
    return site.house.owner(game, seat).name


def test_a_program_reads_its_question_and_makes_a_move(site):
    game = site.house.start("Ann", "Ben")
    program = Program(site, asked(site, game))
    (turn,) = program.told("/me/turns")["turns"]
    question = program.told(f"/tables/{game}/question")
    assert (turn["table"], turn["turn"]) == (game, question["turn"])
    assert question["asks"] == "OpeningOffer"
    cheapest = question["options"]["plants"][0]
    line = f"auction {cheapest['plant']} for {cheapest['minimum']}"
    assert line in [one["line"] for one in question["commands"]]
    effect = program.told(f"/tables/{game}/preview", {"turn": turn["turn"], "line": line})
    assert effect["line"] == line and effect["events"]
    before = program.told(f"/tables/{game}")["seq"]
    move = {"turn": turn["turn"], "line": line, "key": "k1"}
    made = program.told(f"/tables/{game}/moves", move)
    again = program.told(f"/tables/{game}/moves", move)
    assert again["id"] == made["id"], "the same key is the same move"
    found = program.told(f"/tables/{game}/moves/{made['id']}")
    assert (found["status"], found["line"]) == ("accepted", line)
    after = program.told(f"/tables/{game}/events?after={before}")
    assert after["seq"] == found["seq"]
    opened = next(one for one in after["events"] if one["body"]["type"] == "AuctionOpened")
    assert opened["body"]["plant"] == cheapest["plant"] and opened["text"]


def test_a_whole_game_by_programs_alone(site):
    """Two programs answer all that they are asked, sensibly, until the end."""
    game = site.house.start("Ann", "Ben", options={"end_cities": [7] * 5, "step2_cities": [5] * 5})
    programs = {name: Program(site, name) for name in ("Ann", "Ben")}
    for _ in range(400):
        if site.house.all(Game)[0].status == GameStatus.FINISHED:
            break
        program, seat = programs[asked(site, game)], site.house.asked(game)[0].seat
        question = program.told(f"/tables/{game}/question")
        body = {"turn": question["turn"], "line": site.house.line(game, seat)}
        assert program.ask(f"/tables/{game}/moves", body).status_code == 202
    position = programs["Ann"].told(f"/tables/{game}/position")["position"]
    assert position["phase"] == "finished" and position["standings"]


@pytest.mark.parametrize(
    ("line", "status", "code"),
    [
        ("auction 99 for 99", 422, "plant-not-in-market"),
        ("dance", 422, "invalid"),
        ("", 422, "invalid"),
        ("x" * 501, 422, "invalid"),
    ],
)
def test_a_preview_says_why_a_move_is_refused(site, line, status, code):
    game = site.house.start("Ann", "Ben")
    program = Program(site, asked(site, game))
    turn = program.told(f"/tables/{game}/question")["turn"]
    answer = program.ask(f"/tables/{game}/preview", {"turn": turn, "line": line})
    assert answer.status_code == status
    if code != "plant-not-in-market":
        assert problem(answer, status, code)
    else:
        assert answer.json["code"] not in ("", "invalid") and answer.json["detail"]


def test_who_is_not_asked_is_told_so(site):
    game = site.house.start("Ann", "Ben")
    other = next(name for name in ("Ann", "Ben") if name != asked(site, game))
    program = Program(site, other)
    problem(program.ask(f"/tables/{game}/question"), 409, "not-asked")
    body = {"turn": 3, "line": "pass"}
    problem(program.ask(f"/tables/{game}/moves", body), 409, "stale")
    problem(program.ask(f"/tables/{game}/preview", body), 409, "stale")


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer kp_unknown", "Basic YTpi"])
def test_without_a_token_nothing_is_told(site, header):
    client = site.app.test_client()
    headers = {"Authorization": header} if header else {}
    answer = client.get("/api/v1/me", headers=headers)
    assert problem(answer, 401, "token")
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_a_browser_session_is_no_token(site):
    """No page elsewhere can make a signed-in browser move."""
    visitor = site.visitor("Ann")
    assert visitor.get("/api/v1/me").status_code == 401


@pytest.mark.parametrize(
    ("scopes", "allowed"),
    [
        ((Scope.READ,), {"read"}),
        ((Scope.PLAY,), {"play"}),
        ((Scope.CHAT,), {"chat"}),
        ((Scope.READ, Scope.PLAY), {"read", "play"}),
    ],
)
def test_a_token_is_good_for_its_scopes_alone(site, scopes, allowed):
    game = site.house.start("Ann", "Ben")
    program = Program(site, asked(site, game), *scopes)
    calls = {
        "read": [
            ("/me/turns", None), ("/tables", None), (f"/tables/{game}", None),
            (f"/tables/{game}/position", None), (f"/tables/{game}/question", None),
            (f"/tables/{game}/events", None), (f"/tables/{game}/orders", None),
            (f"/tables/{game}/chat", None),
        ],
        "play": [
            (f"/tables/{game}/moves", {"turn": 1, "line": "pass"}),
            (f"/tables/{game}/orders", {"line": "limit 20 to 26"}),
        ],
        "chat": [(f"/tables/{game}/chat", {"text": "hello"})],
    }  # fmt: skip
    for needed, paths in calls.items():
        for path, body in paths:
            answer = program.ask(path, body)
            if needed in allowed:
                assert answer.status_code != 403, (path, answer.text)
            else:
                problem(answer, 403, "scope")
    assert program.told("/me")["scopes"] == sorted(scopes)


def test_a_revoked_token_is_void_at_once(site):
    program = Program(site, "Ann")
    program.told("/me")
    visitor = site.visitor("Ann")
    (row,) = site.house.all(ApiToken)
    assert row.used_at is not None
    assert "test" in visitor.page("/profile/programs")
    assert site.visitor("Ben").post(f"/profile/programs/{row.id}/revoke").status_code == 422
    assert visitor.post(f"/profile/programs/{row.id}/revoke").status_code == 303
    problem(program.ask("/me"), 401, "token")


def test_a_token_is_made_on_a_page_and_shown_once(site):
    visitor = site.visitor("Ann")
    made = visitor.post("/profile/programs", {"name": "My bot", "scope": ["read", "play"]})
    secret = made.text.split('<code class="address">')[1].split("<")[0]
    assert secret.startswith("kp_")
    assert secret not in visitor.page("/profile/programs")
    assert secret not in json.dumps([row.model_dump(mode="json") for row in _rows(site)])
    headers = {"Authorization": f"Bearer {secret}"}
    told = site.app.test_client().get("/api/v1/me", headers=headers)
    assert told.json == {"name": "Ann", "zone": "UTC", "scopes": ["play", "read"]}
    assert visitor.post("/profile/programs", {"name": " ", "scope": "read"}).status_code == 422
    assert visitor.post("/profile/programs", {"name": "x"}).status_code == 422


def _rows(site: Site) -> list[ApiToken]:
    return site.house.all(ApiToken)


def test_private_tables_look_like_none_at_all(site):
    game = site.house.start("Ann", "Ben")
    with site.house.write() as s:
        s.get_one(Game, game).private = True
    stranger, player = Program(site, "Cleo"), Program(site, "Ann")
    paths = ("", "/position", "/question", "/events", "/orders", "/chat")
    for path in paths:
        assert problem(stranger.ask(f"/tables/{game}{path}"), 404, "no-table")
    unknown = stranger.ask("/tables/999/position")
    assert unknown.json == stranger.ask(f"/tables/{game}/position").json
    assert [one["id"] for one in stranger.told("/tables")["tables"]] == []
    assert [one["id"] for one in player.told("/tables")["tables"]] == [game]


def test_a_spectator_sees_what_a_spectator_may(site):
    game = site.house.start("Ann", "Ben")
    stranger = Program(site, "Cleo")
    told = stranger.told(f"/tables/{game}/position")["position"]
    assert told["seat"] is None and "offer" not in told and "stack" not in told
    problem(stranger.ask(f"/tables/{game}/question"), 403, "no-seat")
    problem(stranger.ask(f"/tables/{game}/moves", {"turn": 1, "line": "pass"}), 403, "no-seat")
    problem(stranger.ask(f"/tables/{game}/chat"), 403, "not-at-table")
    seeds = [one["body"].get("seed") for one in stranger.told(f"/tables/{game}/events")["events"]]
    assert not any(seeds), "secrets are blotted out while the game runs"


def test_orders_are_given_listed_and_cancelled(site):
    game = site.house.start("Ann", "Ben")
    program = Program(site, "Ann")
    other = Program(site, "Ben")
    (given,) = program.told(f"/tables/{game}/orders", {"line": "limit 20 to 26"})["orders"]
    assert given["line"] == "limit 20 to 26" and given["status"] == "active"
    assert other.told(f"/tables/{game}/orders")["orders"] == [], "nobody else sees them"
    path = f"/tables/{game}/orders/{given['number']}"
    problem(other.ask(path, method="DELETE"), 422, "no-such-order")
    assert program.told(path, method="DELETE")["orders"] == []
    problem(program.ask(f"/tables/{game}/orders", {"line": "dance"}), 422, "invalid")


def test_chat_is_said_once_a_key(site):
    game = site.house.start("Ann", "Ben")
    program = Program(site, "Ann")
    for _ in range(2):
        answer = program.ask(f"/tables/{game}/chat", {"text": "Hello!", "key": "one"})
        assert answer.status_code == 204
    lines = Program(site, "Ben").told(f"/tables/{game}/chat")["lines"]
    assert [(one["name"], one["text"]) for one in lines] == [("Ann", "Hello!")]


def test_a_table_that_has_not_begun_says_so(site):
    game = site.house.open("Ann", "Ben")
    program = Program(site, "Ann")
    assert program.told(f"/tables/{game}")["status"] == "open"
    for path in ("/position", "/events"):
        problem(program.ask(f"/tables/{game}{path}"), 409, "not-begun")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/tables/1/moves", {"turn": "soon", "line": "pass"}),
        ("/tables/1/moves", {"line": "pass"}),
        ("/tables/1/moves", []),
        ("/tables/1/moves", "pass"),
        ("/tables/1/events?after=-1", None),
        ("/tables/1/events?wait=9999", None),
        ("/tables?status=nonsense", None),
    ],
)
def test_what_has_not_the_right_shape_is_named(site, path, body):
    site.house.start("Ann", "Ben")
    assert problem(Program(site, "Ann").ask(path, body), 422, "invalid")


def test_json_that_cannot_be_read_is_refused(site):
    site.house.start("Ann", "Ben")
    program = Program(site, "Ann")
    for content in (b"{", b"\xff\xfe", b"", b'{"turn": NaN, "line": "pass"}'):
        answer = program.client.post(
            "/api/v1/tables/1/moves",
            data=content,
            headers={**program.headers, "Content-Type": "application/json"},
        )
        assert answer.status_code in (400, 415, 422), content
        assert answer.content_type == "application/problem+json"


def test_events_are_waited_for(site):
    """A held request ends when something happens, and never later than it asked for."""
    game = site.house.start("Ann", "Ben")
    program = Program(site, "Ann")
    seq = program.told(f"/tables/{game}")["seq"]
    assert program.told(f"/tables/{game}/events?after={seq}&wait=1") == {"seq": seq, "events": []}
    assert program.told(f"/tables/{game}/events?after={seq - 1}&wait=20")["events"]


def test_the_description_names_every_call(site):
    """The OpenAPI document is made from the code; docs/api.md is about the same calls."""
    client = site.app.test_client()
    told = client.get("/api/v1/openapi.json").json
    assert told["openapi"].startswith("3.1")
    rules = {
        rule.rule.replace("<int:", "{").replace(">", "}")
        for rule in site.app.url_map.iter_rules()
        if rule.endpoint.startswith("v1.")
    }
    assert set(told["paths"]) == rules
    for operations in told["paths"].values():
        for operation in operations.values():
            assert operation["summary"] and operation["security"] == [{"token": []}]
    page = client.get("/api/v1/docs")
    assert "'unsafe-inline'" not in page.headers["Content-Security-Policy"].split("style-src")[0]
    assert page.text.count("<script") == 2
