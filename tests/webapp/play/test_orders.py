"""The envelope form: an explicit save with a readable summary, a list to cancel from (M69, M70)."""

import re
from html import unescape

import pytest

from core.game.types import Phase
from core.store.tables import StandingOrder
from core.terms import Terms
from tests.support.site import Site


@pytest.fixture
def game(site: Site) -> int:
    return site.house.played("Ann", "Ben", "Cem", auction="open", moves=0)


def test_m70_orders_need_an_explicit_save_with_a_readable_summary(site: Site, game: int):
    seat = site.house.asked(game)[0].seat
    other = next(s for s in range(3) if s != seat)
    visitor, at = site.at(game, other), f"/games/{game}/orders"
    fields = {"do": "try", "limit-5": "9", "power": "all", "every": "1", "build": "", "fuel": ""}
    answer = visitor.post(at, fields)
    assert "Bid up to 9 Elektro on plant 5." in answer.text
    assert "Power most cities with least fuel. In every round." in answer.text
    assert site.house.all(StandingOrder) == []
    lines = ["limit 5 to 9", "order power all every round"]
    for line in lines:
        assert f'name="line" value="{line}"' in answer.text
    assert visitor.post(at, {"do": "save", "line": lines}).status_code == 303
    assert [row.text for row in site.house.all(StandingOrder)] == [
        "limit 5 to 9",
        "order power all",
    ]
    page = visitor.page(f"/games/{game}")
    assert "Bid up to 9 Elektro on plant 5." in page
    assert "Bid up to 9" not in site.at(game, seat).page(f"/games/{game}")
    visitor.post(at, {"do": "cancel", "number": "1"})
    assert "Bid up to 9" not in visitor.page(f"/games/{game}")


def test_an_order_saved_by_form_moves_at_once_where_its_seat_is_asked(site: Site, game: int):
    seat = site.house.asked(game)[0].seat
    site.house.move(game, seat, "auction 5 for 5")
    asked = site.house.asked(game)[0].seat
    site.at(game, asked).post(f"/games/{game}/orders", {"do": "save", "line": "limit 5 to 8"})
    assert site.house.asked(game)[0].seat != asked
    assert site.house.state(game).auction.leader == asked


def test_what_orders_in_force_would_do_now_is_told_beside_them(site: Site, game: int):
    """A dry run, on the present position, with nothing to fill in."""
    visitor, at = site.at(game, site.house.asked(game)[0].seat), f"/games/{game}/orders"
    assert "If it were your turn now" not in visitor.page(at)
    visitor.post(at, {"do": "save", "line": ["order fuel all twice", "order power all"]})
    page = visitor.page(at)
    told = page[page.index("If it were your turn now") : page.index("New orders")]
    assert "auction: No order: you are asked." in told
    assert "powering cities: power all." in told


def test_m70_orders_sent_twice_are_not_for_the_next_round_as_well(site: Site, game: int):
    """The first press has moved at once; the second must not order the same for round 2."""
    site.house.play(game, until=lambda state: state.phase is Phase.RESOURCES)
    seat = site.house.asked(game)[0].seat
    visitor, at = site.at(game, seat), f"/games/{game}/orders"
    fields = {"do": "try", "fuel": "nothing", "power": "all", "lines": "limit 50 to 60"}
    page = visitor.post(at, fields).text
    kept = {name: [] for name in ("line", "round")}
    for name, value in re.findall(r'name="(line|round)" value="([^"]*)"', page):
        kept[name].append(unescape(value))
    assert visitor.post(at, {"do": "save", **kept}).status_code == 303
    assert seat not in site.house.state(game).waiting
    again = visitor.post(at, {"do": "save", **kept})
    assert again.status_code == 422
    assert "would be for round 2" in again.text
    rows = site.house.all(StandingOrder)
    assert [(r.text, r.round, r.status) for r in rows] == [
        ("order fuel nothing", 1, "done"),
        ("order power all", 1, "active"),
        ("limit 50 to 60", None, "active"),
    ]


def test_what_is_no_order_is_said_and_nothing_is_kept(site: Site, game: int):
    visitor = site.at(game, 0)
    bad = {"do": "try", "build": "cities", "cities": "Atlantis"}
    answer = visitor.post(f"/games/{game}/orders", bad)
    assert answer.status_code == 422
    assert "Atlantis" in answer.text
    lines = {"do": "save", "line": ["limit 5 to 9", "limit 5000 to 9"]}
    assert visitor.post(f"/games/{game}/orders", lines).status_code == 422
    assert site.house.all(StandingOrder) == []


def test_all_parts_of_the_envelope_become_lines(site: Site, game: int):
    fields = {
        "do": "try", "auction": "wishes", "wish-1": "5", "most-1": "9", "auction-keep": "10",
        "fuel": "twice", "fuel-each": "4", "fuel-total": "20", "build": "cities",
        "cities": "Berlin, Halle", "build-each": "15", "build-total": "40", "build-stop": "7",
        "build-how": ["before step 2", "or ask"], "power": "nothing", "lines": "limit 6 to 7",
    }  # fmt: skip
    text = site.at(game, 0).post(f"/games/{game}/orders", fields).text
    for line in (
        "order auction 5 to 9 keep 10",
        "order fuel all twice at most 4 each at most 20 in all",
        "order power nothing",
        "limit 6 to 7",
    ):
        assert f'value="{line}"' in text
    built = "order build Berlin, Halle at most 15 each at most 40 in all stop at 7 before step 2"
    assert f'value="{built} or ask"' in text


def test_a_spectator_and_a_stranger_have_no_orders_page(site: Site, game: int):
    assert site.visitor("Eve").get(f"/games/{game}/orders").status_code == 403
    assert site.visitor().get(f"/games/{game}/orders").status_code in (302, 303, 401)


def test_a_planning_call_is_answered_on_the_page(site: Site):
    game = site.house.start("Ann", "Ben", "Cem", auction="open", terms=Terms(planning="round"))
    for seat in range(3):
        visitor = site.at(game, seat)
        page = visitor.page(f"/games/{game}")
        assert "Your plan for round 1" in page
        assert site.house.asked(game) == []
        lines = ["order auction 5 to 9"] if seat == 0 else []
        answer = visitor.post(f"/games/{game}/orders", {"do": "save-ready", "line": lines})
        assert answer.status_code == 303
    assert len(site.house.asked(game)) == 1


def test_the_what_if_board_leaves_no_trace(site: Site, game: int):
    seat = site.house.asked(game)[0].seat
    visitor = site.at(game, (seat + 1) % 3)
    visitor.page("/")
    at, before = f"/games/{game}/whatif", site.house.rows()
    page = visitor.page(at)
    assert "auction" in page
    tried = visitor.page(f"{at}?m={seat}:auction 5 for 5&m={seat}:nonsense")
    assert "Take back last" in tried
    assert "nonsense" in tried
    followed = visitor.page(f"{at}/next?m={seat}:auction 5 for 5&seat={(seat + 1) % 3}&line=pass")
    assert "pass" in followed
    assert site.house.rows() == before


def test_the_fuel_form_takes_the_building_turn_too(site: Site, game: int):
    """Fuel and building together: previewed, sent at once, played in its phase at these prices."""
    site.house.play(game, until=lambda state: state.phase is Phase.RESOURCES)
    turn = site.house.asked(game)[0]
    state = site.house.state(game)
    city = next(c.name for c in state.ruleset.map.cities if c.region in state.regions)
    visitor, at = site.at(game, turn.seat), f"/games/{game}/turn"
    fields = {"turn": turn.turn, "do": "preview", "then": city}
    page = visitor.post(at, fields).text
    assert "Then, in the building phase:" in page
    order = unescape(re.search(r'name="then" value="(order build[^"]*)"', page)[1])
    assert order.endswith("or ask")
    assert site.house.all(StandingOrder) == []
    sent = {"turn": turn.turn, "do": "send", "nonce": "n", "line": "buy nothing", "then": order}
    visitor.post(at, sent)
    visitor.post(at, sent)  # sent twice: ordered once
    assert [row.text for row in site.house.all(StandingOrder)] == [order]
    assert turn.seat not in site.house.state(game).waiting


def test_a_building_turn_that_would_not_go_now_is_refused_with_the_purchase(site: Site, game: int):
    site.house.play(game, until=lambda state: state.phase is Phase.RESOURCES)
    turn = site.house.asked(game)[0]
    fields = {"turn": turn.turn, "do": "preview", "then": "Atlantis"}
    answer = site.at(game, turn.seat).post(f"/games/{game}/turn", fields)
    assert answer.status_code == 422
    assert "Atlantis" in answer.text


def test_all_orders_can_be_read_when_the_game_is_over(site: Site, game: int):
    site.at(game, 0).post(f"/games/{game}/orders", {"do": "save", "line": "limit 50 to 77"})
    assert "limit 50 to 77" not in site.visitor().page(f"/games/{game}")
    site.house.play(game)
    assert "limit 50 to 77" in site.visitor().page(f"/games/{game}")
