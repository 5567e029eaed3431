"""Names, titles, chat and moves come from strangers: a page shows them and obeys none."""

import re
from html.parser import HTMLParser
from itertools import product

import pytest

from core.store.tables import Game, SeatRow, User
from core.table.play import chat
from tests.support.site import Site
from webapp.web import HEADERS

TRICKS = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "{{7*7}}{% raw %}{0.__class__}{names}",
    "</title></svg><svg onload=alert(1)>",
    "%(x)s ' \" `",
)
PAGES = ("/", "/games/{id}", "/games/{id}/at/{n}", "/help/rules", "/tables/new", "/profile", "/no")


class _Reader(HTMLParser):
    """Collects the tags that a browser would see."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))


def _tags(text: str):
    reader = _Reader()
    reader.feed(text)
    return reader.tags


def _inline(tags) -> list:
    """Whatever the page would run or style by itself."""
    return [
        (tag, attrs)
        for tag, attrs in tags
        if (tag == "script" and "src" not in attrs)
        or tag == "style"
        or any(name.startswith("on") or name == "style" for name in attrs)
    ]


@pytest.fixture
def tricked(site: Site):
    """A game whose every name is a trick."""
    house = site.house
    game_id = house.start("Ann", "Ben", "Cem")
    rows, ann = house.all(SeatRow, game_id=game_id), house.user("Ann")
    with house.write() as s:
        s.get_one(Game, game_id).title = TRICKS[0]
        for row, trick in zip(rows, TRICKS, strict=False):
            s.get_one(SeatRow, row.id).name = trick
            s.get_one(User, row.user_id).name = trick
        for n, trick in enumerate(TRICKS):
            chat.say(s, s.get_one(Game, game_id), ann, trick, f"k{n}", house.now)
    house.play(game_id, moves=12)
    return site, game_id


def test_tricks_are_shown_as_text(tricked):
    site, game_id = tricked
    visitor = site.visitor("Ann")
    for page in PAGES:
        text = visitor.get(page.format(id=game_id, n=20)).text
        assert not _inline(_tags(text)), page
        assert "<script>alert" not in text
        assert ">49" not in text
        images = [attrs["src"] for tag, attrs in _tags(text) if tag == "img"]
        assert all(re.fullmatch(r"/maps/[a-z-]+\.svg", image) for image in images), page


def test_tricks_in_moves_and_addresses(site: Site):
    game_id = site.house.start("Ann", "Ben")
    seat = site.house.asked(game_id)[0].seat
    visitor, turn = site.at(game_id, seat), site.house.asked(game_id)[0].turn
    for trick in TRICKS:
        for fields in (
            {"do": "preview", "line": trick},
            {"do": "send", "line": trick, "nonce": trick},
            {"do": "preview", "plant": trick, "amount": trick, "city": trick, "order": trick},
        ):
            answer = visitor.post(
                f"/games/{game_id}/turn", {"turn": turn, **fields}, follow_redirects=True
            )
            assert answer.status_code in (200, 409, 422)
            assert not _inline(_tags(answer.text))
            assert "<script>alert" not in answer.text
        assert "<script>alert" not in visitor.get(f"/sign-in?next={trick}").text
        assert "<script>alert" not in visitor.get(f"/{trick}").text


@pytest.mark.parametrize("turn", ["-1", "99999999999999999999", "x", "", "1e3", "\x00"])
def test_a_strange_turn_is_an_old_turn(site: Site, turn: str):
    game_id = site.house.start("Ann", "Ben")
    seat = site.house.asked(game_id)[0].seat
    fields = {"do": "send", "line": "pass", "turn": turn}
    assert site.at(game_id, seat).post(f"/games/{game_id}/turn", fields).status_code == 409


@pytest.mark.parametrize(
    "path",
    [
        "/games/99999999999999999999",
        "/games/0",
        "/games/1/at/0",
        "/games/1/at/99999999999",
        "/turn/%00",
        "/static/../app.py",
    ],
)
def test_strange_addresses_are_nowhere(site: Site, path: str):
    site.house.start("Ann", "Ben")
    assert site.visitor("Ann").get(path).status_code == 404


def test_no_address_of_any_form_takes_a_number_beyond_the_database(site: Site):
    site.house.start("Ann", "Ben")
    visitor, asked = site.visitor("Ann"), 0
    for rule in site.app.url_map.iter_rules():
        numbers = [name for name in rule.arguments if f"<int:{name}>" in rule.rule]
        for name, huge in product(numbers, (f"{2**31}", f"{2**63}", "9" * 30, "9" * 5000)):
            path = re.sub(r"<[^>]+>", "1", rule.rule.replace(f"<int:{name}>", huge))
            ask = visitor.post if "POST" in rule.methods else visitor.get
            assert ask(path).status_code == 404, path
            asked += 1
    assert asked > 40


def test_every_answer_carries_the_headers_and_asks_no_other_host(tricked):
    site, game_id = tricked
    visitor = site.visitor("Ann")
    outside = re.compile(r"""(?:src|href|action)\s*=\s*["']?(?:https?:)?//""")
    for page in (*PAGES, "/drawings.css", "/healthz"):
        answer = visitor.get(page.format(id=game_id, n=5))
        for name, value in HEADERS.items():
            assert answer.headers[name] == value
        assert not outside.search(answer.text)
    assert "no-store" in visitor.get("/").headers["Cache-Control"]
    assert "Strict-Transport-Security" not in answer.headers


def test_scripts_and_styles_stay_small():
    """Scripts at most 20 kB in all, and nothing that needs building."""
    from webapp.app import HERE

    static = HERE / "static"
    assert sum(path.stat().st_size for path in static.glob("*.js")) <= 20_000
    assert {path.suffix for path in static.iterdir()} == {".css", ".js", ".svg", ".png"}
