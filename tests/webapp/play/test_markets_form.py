"""Two fuel markets, fuel token by token and the duty to power: the forms of maps that ask so."""
# ruff: noqa: N802 - tests carry the numbers of the cases

from html import unescape

import pytest

from core.game import engine
from core.game.events import CityConnected, FuelBought, PlantsRun
from core.game.offers import BuildOffer, PowerOffer, PurchaseOffer
from core.game.types import Phase
from core.table.record import standing_orders
from tests.support.site import Site


class At:
    """A game of three on a map, at the first question of a kind with a choice."""

    def __init__(
        self, site: Site, board: str, offer: type, *, stored: int = 0, **how: object
    ) -> None:
        self.house = site.house
        self.game = site.house.start("Ann", "Ben", "Cem", map=board, auction="open", **how)

        def there(state) -> bool:
            asked = engine.to_act(state)
            put = engine.options(state, asked[0]) if asked else None
            if stored and getattr(put, "stored", 0) < stored:
                return False
            if isinstance(put, PurchaseOffer):
                enough = all(sum(len(f.costs) for f in o.fuels) > 1 for o in put.by_market)
                return offer is PurchaseOffer and enough
            return isinstance(put, offer)

        self.house.play(self.game, until=there)
        turn = self.house.asked(self.game)[0]
        self.seat, self.number = turn.seat, turn.turn
        self.visitor = site.at(self.game, self.seat)
        self.at = f"/games/{self.game}"
        self.offer = engine.options(self.house.state(self.game), self.seat)

    def post(self, **fields: object):
        return self.visitor.post(f"{self.at}/turn", {"turn": self.number, **fields})

    def last(self, kind: type):
        mine = (e for e in self.house.events(self.game) if isinstance(e, kind))
        return [e for e in mine if e.seat == self.seat][-1]


def test_S08_each_market_has_its_fields_and_one_is_filled_in(site: Site) -> None:
    at = At(site, "korea", PurchaseOffer)
    page = at.visitor.page(at.at)
    fuel = at.offer.others[0].fuels[0].resource.value
    assert page.count(f'name="{fuel}"') == 2
    assert page.index(">South</h3>") < page.index(">North</h3>")
    preview = at.post(do="preview", **{fuel: ["0", "2"]})
    assert preview.status_code == 200
    assert f"buy 2 {fuel} from North" in preview.text
    both = at.post(do="preview", **{fuel: ["1", "1"]})
    assert both.status_code == 422
    assert "A purchase is from one market" in both.text
    at.post(do="send", line=f"buy 2 {fuel} from North", nonce="n1")
    assert at.last(FuelBought).market == "North"


def test_S05_the_form_of_a_list_says_what_comes_of_the_rest(site: Site) -> None:
    at = At(site, "india", PurchaseOffer)
    fuel = at.offer.fuels[0].resource.value
    assert "Token by token" in at.visitor.page(at.at)
    preview = unescape(at.post(do="preview", **{fuel: ["2"]}).text)
    assert f"The others (1 {fuel}) are bought in your next turns as an order" in preview
    alone = unescape(at.post(do="preview", **{fuel: ["1"]}).text)
    assert "You are asked for the next token after the others." in alone
    at.post(do="send", line=f"buy 2 {fuel}", nonce="n1")
    first = at.last(FuelBought)
    assert (first.amounts.total, first.done) == (1, False)
    with at.house.read() as s:
        (row,) = standing_orders.rows(s, at.game, at.seat)
        assert standing_orders.line(row).startswith("order fuel up to ")


def test_S86_the_form_offers_only_what_powers_most(site: Site) -> None:
    at = At(site, "india", PowerOffer)
    best = at.offer.choices[0].powered
    assert {choice.powered for choice in at.offer.choices} == {best}
    page = unescape(at.visitor.page(at.at))
    assert ("run nothing" in page) == (best == 0)
    refused = at.post(do="preview", line="power nothing")
    assert refused.status_code == (200 if best == 0 else 422)
    at.post(do="send", line="power all", nonce="n1")
    assert at.last(PlantsRun).powered == best


@pytest.mark.parametrize(
    ("board", "says"),
    [
        ("korea", "There are 2 fuel markets, South and North"),
        ("china", "2 for 5 players"),
        ("middle-east", "In Step 1 no plants for garbage or uranium are sold"),
        ("manhattan", "14 with 4 players"),
        ("australia", "Plants 11, 23, 28, 34 and 39 are uranium mines"),
        ("japan", "Once a game each network may go on without a way"),
        ("india", "3 in Step 1, 5 in Step 2, 8 in Step 3"),
    ],
)
def test_the_page_of_a_map_says_what_is_special(site: Site, board: str, says: str) -> None:
    page = unescape(site.visitor().page(f"/rules/standard?map={board}"))
    assert says in page


def test_S74_a_city_is_on_the_form_twice_by_its_way_and_by_jump(site: Site) -> None:
    at = At(site, "japan", BuildOffer)
    first = at.offer.targets[0].city
    at.post(do="send", line=f"build {first}", nonce="n1")

    def again(state) -> bool:
        return state.round == 2 and state.phase is Phase.BUILDING and state.waiting[0] == at.seat

    at.house.play(at.game, until=again)
    at.number = at.house.asked(at.game)[0].turn
    offer = engine.options(at.house.state(at.game), at.seat)
    city = next(t.city for t in offer.targets if t.jump)
    page = at.visitor.page(at.at)
    assert f'value="{city} by jump"' in page
    assert "by the free jump, once a game" in page
    assert "+ jump" in page
    preview = at.post(do="preview", city=[f"{city} by jump"])
    name = at.house.state(at.game).ruleset.city[city].name
    assert f"build {name} by jump" in preview.text
    at.post(do="send", line=f"build {name} by jump", nonce="n2")
    event = at.last(CityConnected)
    assert (event.city, event.connection_cost, event.jump) == (city, 0, True)


def test_S12_the_form_has_a_field_for_coal_of_the_storage(site: Site) -> None:
    at = At(site, "south-africa", PurchaseOffer, stored=1)
    page = at.visitor.page(at.at)
    assert 'name="stored"' in page
    assert "Storage: " in page
    preview = at.post(do="preview", coal=["1"], stored="1")
    assert "buy 1 coal 1 from storage" in preview.text
    refused = at.post(do="preview", coal=["1"], stored="2")
    assert "cannot come from the storage" in unescape(refused.text)
    before = at.house.state(at.game).local.storage
    at.post(do="send", line="buy 1 coal 1 from storage", nonce="n1")
    assert (at.last(FuelBought).cost, at.last(FuelBought).from_storage) == (8, 1)
    assert at.house.state(at.game).local.storage == before - 1
