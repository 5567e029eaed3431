"""The form and the map are one: a tick reprices list, map and sum, with scripts and without."""

import re

import pytest

from core.game.offers import BidOffer, BuildOffer, PurchaseOffer
from tests.support.site import Site
from tests.webapp.play.test_forecast import Table

LISTED = re.compile(r'data-row="([^"]+)" data-spot="([^"]+)".*?data-total>(\d+)<', re.S)
DRAWN = re.compile(r'class="(city target[^"]*)" data-city="([^"]+)".*?class="total">(\d+)<', re.S)


@pytest.fixture
def building(site: Site) -> Table:
    """A turn in which several cities can be paid."""
    return Table(site, BuildOffer, lambda state, seat: state.players[seat].elektro > 40)


def reckoned(table: Table, **fields):
    """What the script gets to know."""
    turn = table.site.house.asked(table.game_id)[0].turn
    answer = table.visitor.client.get(
        f"{table.at}/turn/reckon", query_string={"turn": turn, **fields}
    )
    assert answer.status_code == 200
    return answer.json


def test_w7_the_script_and_the_reckon_button_tell_the_same_and_what_is_charged(building: Table):
    rows, picked = reckoned(building)["rows"], []
    for _ in range(3):
        free = [row["id"] for row in rows if not row["dear"] and row["id"] not in picked]
        if not free:
            break
        picked.append(free[-1])
        order = ",".join(picked)
        found = reckoned(building, city=picked, order=order)
        rows = found["rows"]
        assert found["picked"] == picked
        page = building.post(do="reckon", city=picked, order=order).text
        listed = {spot: int(total) for _row, spot, total in LISTED.findall(page)}
        drawn = {city: int(total) for _look, city, total in DRAWN.findall(page)}
        assert listed == drawn == found["map"]
        marked = {city for look, city, _total in DRAWN.findall(page) if "picked" in look}
        assert marked == set(picked), "a picked city has a look of its own (W8)"
        assert (
            re.search(r'<p class="total[^>]* role="status"[^>]*>(.*?)</p>', page)[1] == found["sum"]
        )
        assert found["sum"].startswith(f"{sum(listed[city] for city in picked)} Elektro, ")
        assert "Send it" not in page
        shown = building.post(do="preview", city=picked, order=order).text
        money = building.view().view.me.elektro
        assert f"Elektro {money} → {money - found['total']}" in shown
    assert picked


def test_w7_what_is_too_dear_stands_ready_and_is_not_shown(building: Table):
    page = building.visitor.page(building.at)
    dear = re.findall(r'class="dear" hidden', page)
    assert len(dear) == sum(row["dear"] for row in reckoned(building)["rows"])
    assert "about" not in page[page.index('id="turn"') :].partition("</form>")[0]


def test_w7_fuel_tells_the_next_price_and_what_runs_with_it(site: Site):
    table = Table(site, PurchaseOffer, lambda state, seat: bool(state.players[seat].plants))
    sale = table.view().view.offer.fuels[0]
    page = table.visitor.page(table.at)
    assert f"the next one costs {sale.costs[0]}" in page
    found = reckoned(table, **{sale.resource.value: "1"})
    assert f"Elektro {table.view().view.me.elektro} →" in " ".join(found["told"])
    assert any(text.startswith("powers ") for text in found["told"])
    assert reckoned(table, **{sale.resource.value: "99"})["wrong"]


def test_w7_a_bid_tells_who_can_still_outbid_it(site: Site):
    table = Table(site, BidOffer, options={"hidden_money": False})
    view = table.view().view
    found = reckoned(table, act="bid", amount=str(view.offer.minimum))
    assert any(text.startswith("can outbid you: ") for text in found["told"])
    found = reckoned(table, act="bid", amount=str(view.offer.maximum))
    assert "nobody can outbid you" in found["told"]
    hidden = Table(site, BidOffer, options={"hidden_money": True})
    bid = str(hidden.view().view.offer.minimum)
    assert not any("outbid" in text for text in reckoned(hidden, act="bid", amount=bid)["told"])


def test_reckoning_asks_for_the_question_that_is_open_and_for_its_player(building: Table):
    at = f"{building.at}/turn/reckon"
    assert building.visitor.get(f"{at}?turn=1").status_code == 409
    assert building.visitor.get(at).status_code == 409
    assert building.site.visitor().get(f"{at}?turn=1").location.startswith("/sign-in")
    other = building.site.at(building.game_id, (building.seat + 1) % 3)
    turn = building.site.house.asked(building.game_id)[0].turn
    assert other.get(f"{at}?turn={turn}").status_code == 409
