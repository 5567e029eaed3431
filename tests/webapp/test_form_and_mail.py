"""The same wish by the web form and by mail: the same rows, and the same game that comes of it."""

import re
from email.message import EmailMessage
from html import unescape
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from core.game.events import MoveOrdered
from core.game.log import codec
from core.game.types import Phase
from core.mail.addresses import TableToken, TurnToken
from core.store.tables import InboundMail, StandingOrder
from tests.support.mails import MAILBOX
from tests.support.post_office import PostOffice, of_kind, text_of
from tests.support.site import Site, open_site

LINE = re.compile(r'name="(?:line|then)" value="([^"]+)"')

WISHES = {
    "limits": (
        {"limit-{a}": "9", "limit-{b}": "40"},
        ["limit {a} to 9", "limit {b} to 40"],
    ),
    "a limit off": ({"was-{a}": "9", "limit-{a}": ""}, ["limit {a} off"]),
    "sheet": (
        {"auction": "wishes", "wish-1": "{b}", "most-1": "60", "wish-2": "{a}", "most-2": "30",
         "auction-keep": "5", "auction-discard": "{mine}", "auction-others": "12"},
        ["order auction {b} to 60, {a} to 30, others to 12 keep 5 discard {mine}"],
    ),
    "others alone": (
        {"auction": "wishes", "auction-others": "12"}, ["order auction others to 12"],
    ),
    "pass": ({"auction": "pass"}, ["order auction nothing"]),
    "fuel": (
        {"fuel": "twice", "fuel-each": "6", "fuel-total": "30", "fuel-keep": "2"},
        ["order fuel all twice at most 6 each at most 30 in all keep 2"],
    ),
    "fuel of some": (
        {"fuel": "once", "fuel-plant": ["{mine}"]}, ["order fuel {mine}"],
    ),
    "no fuel": ({"fuel": "nothing"}, ["order fuel nothing"]),
    "building": (
        {"build": "cities", "cities": "{cities}", "build-each": "40", "build-total": "90",
         "build-keep": "3", "build-stop": "6", "build-how": ["before step 2"]},
        ["order build {cities} at most 40 each at most 90 in all keep 3 stop at 6 before step 2"],
    ),
    "all or ask": (
        {"build": "cities", "cities": "{cities}", "build-how": ["or ask"]},
        ["order build {cities} or ask"],
    ),
    "no building": ({"build": "nothing"}, ["order build nothing"]),
    "powering": ({"power": "all"}, ["order power all"]),
    "powering some": (
        {"power": "these", "power-plant": ["{mine}"]}, ["order power {mine}"],
    ),
    "no powering": ({"power": "nothing"}, ["order power nothing"]),
    "envelope": (
        {"limit-{a}": "30", "auction": "pass", "fuel": "once", "build": "nothing", "power": "all"},
        ["limit {a} to 30", "order auction nothing", "order fuel all", "order build nothing",
         "order power all"],
    ),
    "repeat": (
        {"fuel": "once", "build": "nothing", "power": "all", "every": "1"},
        ["order fuel all every round", "order build nothing every round",
         "order power all every round"],
    ),
    "typed as nobody would": (
        {"lines": "LIMIT: {a} up to １1.\n# a thought\n“Order power ALL!”\n- order fuel {mine} # "},
        ["LIMIT: {a} up to １1.", "# a thought", "“Order power ALL!”", "- order fuel {mine} # "],
    ),
}  # fmt: skip
"""A wish as the fields of the form, and as the lines of a mail."""
PLAYED = (
    ("sheet", "fuel", "building", "powering"),
    ("envelope", "repeat"),
    ("limits", "fuel of some"),
)


@pytest.fixture
def houses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Opens a site with the same game as any other that it opens, each time that the test runs."""
    seed = SimpleNamespace(token_hex=lambda _n: "4" * 64)
    monkeypatch.setattr("core.table.acts.lobby.secrets", seed)
    monkeypatch.setattr("core.mail.compose.board", lambda _table: None)
    numbers = iter(range(9))
    return lambda: open_site(tmp_path / str(next(numbers)), monkeypatch)


def begun(site: Site) -> int:
    return site.house.played(
        "Ada", "Bea", "Cleo", auction="open",
        until=lambda state: state.round == 3 and state.phase is Phase.AUCTION,
    )  # fmt: skip


def shopping(site: Site) -> int:
    return site.house.played(
        "Ada", "Bea", "Cleo", auction="open",
        until=lambda state: state.round == 3 and state.phase is Phase.RESOURCES,
    )  # fmt: skip


def filled(site: Site, game: int, seat: int, wish: Any) -> Any:
    """The wish in the words of this position."""
    state = site.house.state(game)
    mine, everybody = state.players[seat], {city for p in state.players for city in p.cities}
    built = set(mine.cities)
    ways = sorted(state.ruleset.map.connections, key=lambda way: way.cost)
    ends = [end for way in ways if built & {way.a, way.b} for end in (way.a, way.b)]
    near = [state.ruleset.city[city] for city in dict.fromkeys(ends) if city not in everybody]
    cities = [city.name for city in near if city.region in state.regions]
    first, second = state.market.cards[:2]
    words = {"a": first, "b": second, "mine": mine.plants[-1], "cities": ", ".join(cities[:3])}
    match wish:
        case dict():
            return {filled(site, game, seat, k): filled(site, game, seat, wish[k]) for k in wish}
        case list():
            return [filled(site, game, seat, one) for one in wish]
        case _:
            return wish.format(**words)


def by_form(site: Site, game: int, seat: int, fields: dict[str, Any]) -> None:
    visitor, at = site.at(game, seat), f"/games/{game}/orders"
    page = visitor.post(at, {"do": "try", **fields})
    assert page.status_code == 200, page.text
    lines = [unescape(line) for line in LINE.findall(page.text)]
    assert visitor.post(at, {"do": "save", "line": lines}).status_code == 303


def by_mail(site: Site, game: int, seat: int, lines: list[str]) -> None:
    mails = answers(site, game, seat, MAILBOX.reply.make(TableToken(game, seat)), *lines)
    assert of_kind(mails, "refused") == []


def answers(site: Site, game: int, seat: int, to: str, *lines: str) -> list[EmailMessage]:
    """What comes back for a mail."""
    office = PostOffice(site.house)
    known = f"<{len(site.house.all(InboundMail))}@reader.example.com>"
    assert office.mail(site.house.owner(game, seat).email, to, *lines, Message_ID=known) == "done"
    return office.fetch()


WAYS = ((by_form, 0), (by_mail, 1))


def rows(site: Site) -> list[dict[str, Any]]:
    when = {"given_at", "closed_at"}
    return [row.model_dump(exclude=when) for row in site.house.all(StandingOrder)]


def course(site: Site, game: int) -> list[Any]:
    """The rows as they were given, then how the game goes on, and what became of them."""
    given = rows(site)
    site.house.play(game, 12)
    return [given, [codec.encode(event) for event in site.house.events(game)], rows(site)]


def test_each_wish_leaves_the_same_rows_by_form_and_by_mail(houses):
    """One after the other, so that each also takes the place of those before it."""
    came = []
    for give, said in WAYS:
        with houses() as site:
            game = begun(site)
            seat, found = site.house.state(game).order[-1], []
            for wish in WISHES.values():
                give(site, game, seat, filled(site, game, seat, wish[said]))
                found.append(rows(site))
            came.append(found)
    for name, form, mail in zip(WISHES, *came, strict=True):
        assert form == mail, name
    assert len({row["text"] for row in form}) >= len(WISHES)


def test_wishes_come_to_the_same_game_by_form_and_by_mail(houses):
    came = []
    for give, said in WAYS:
        with houses() as site:
            game = begun(site)
            for seat, names in zip(site.house.state(game).order, PLAYED, strict=True):
                for name in names:
                    give(site, game, seat, filled(site, game, seat, WISHES[name][said]))
            came.append(course(site, game))
            moved = {e.kind for e in site.house.events(game) if isinstance(e, MoveOrdered)}
            assert moved == {"auction", "limit", "fuel", "build", "power"}
    assert came[0] == came[1]


@pytest.mark.parametrize("cities", ["{cities}", "nothing"])
def test_fuel_and_building_together_are_the_same_by_form_and_by_mail(houses, cities: str):
    came = []
    for way in ("form", "mail"):
        with houses() as site:
            game = shopping(site)
            turn = site.house.asked(game)[0]
            wanted = filled(site, game, turn.seat, cities).split(",")[0]
            if way == "form":
                visitor, at = site.at(game, turn.seat), f"/games/{game}/turn"
                fields = {"turn": turn.turn, "line": "buy nothing", "then": wanted}
                page = visitor.post(at, {"do": "preview", **fields}).text
                line, then = (unescape(one) for one in LINE.findall(page))
                sent = {"do": "send", "nonce": "n", "turn": turn.turn, "line": line, "then": then}
                assert visitor.post(at, sent).status_code == 303
            else:
                to = MAILBOX.reply.make(TurnToken(game, turn.seat, turn.turn))
                answers(site, game, turn.seat, to, "buy nothing", f"build {wanted}")
            came.append(course(site, game))
    assert came[0] == came[1]
    assert len(came[0][0]) == 1


def test_cancelling_and_listing_are_the_same_by_form_and_by_mail(houses):
    came, told = [], []
    for way in ("form", "mail"):
        with houses() as site:
            game = begun(site)
            seat = site.house.state(game).order[-1]
            to = MAILBOX.reply.make(TableToken(game, seat))
            lines = ["limit {a} to 9", "order power all every round", "order build {cities}"]
            by_mail(site, game, seat, filled(site, game, seat, lines))
            if way == "form":
                at = f"/games/{game}/orders"
                site.at(game, seat).post(at, {"do": "cancel", "number": "1"})
                told.append(site.at(game, seat).page(at))
            else:
                answers(site, game, seat, to, "cancel 1")
                told.append(text_of(of_kind(answers(site, game, seat, to, "orders"), "done")[-1]))
            came.append(course(site, game))
    assert came[0] == came[1]
    for text in map(unescape, told):
        assert "Power most cities with least fuel. In every round." in text
        assert "Build in this order:" in text
        assert "Bid up to 9" not in text
