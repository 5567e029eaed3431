"""Two fuel markets, and fuel token by token, by mail and by form: both say the same."""
# ruff: noqa: N802 - tests carry the numbers of the cases

import pytest

from core.game import engine
from core.game.events import AuctionOpened, CityConnected, FuelBought
from core.game.offers import OpeningOffer, PurchaseOffer
from core.game.types import Phase, Seat
from core.table.record import standing_orders
from tests.support.post_office import PostOffice, of_kind, text_of
from tests.support.table import House


@pytest.fixture
def engine_url(sqlite_url: str) -> str:
    """SQLite will do: what differs is tested by test_races.py."""
    return sqlite_url


def at_fuel(house: House, board: str, worth: int = 2) -> tuple[int, Seat]:
    """A game of three on this map, at the first purchase with a choice."""

    def there(state) -> bool:
        seats = engine.to_act(state)
        offer = engine.options(state, seats[0]) if seats else None
        if not isinstance(offer, PurchaseOffer):
            return False
        return all(sum(len(f.costs) for f in one.fuels) >= worth for one in offer.by_market)

    game = house.start("Anna", "Ben", "Clara", map=board, auction="open")
    house.play(game, until=there)
    return game, Seat(house.asked(game)[0].seat)


def asked_by_mail(house: House, office: PostOffice, game: int, seat: Seat):
    address = house.owner(game, seat).email
    return [m for m in of_kind(office.fetch(), "turn") if address in str(m["To"])][-1]


def bought(house: House, game: int, seat: Seat) -> list[FuelBought]:
    return [e for e in house.events(game) if isinstance(e, FuelBought) and e.seat == seat]


def orders(house: House, game: int, seat: Seat) -> list[str]:
    with house.read() as s:
        return [standing_orders.line(row) for row in standing_orders.rows(s, game, seat)]


def test_S08_a_mail_buys_from_the_market_that_it_names(house: House, office: PostOffice):
    game, seat = at_fuel(house, "korea", worth=1)
    mail = asked_by_mail(house, office, game, seat)
    told = text_of(mail)
    north = engine.options(house.state(game), seat).others[0]
    fuel = north.fuels[0].resource.value
    assert f"buy 1 {fuel} from North" in told
    assert "from one market, is your whole purchase" in told
    assert f"{fuel}, North" in told
    office.answer(mail, f"buy 1 {fuel} from north")
    event = bought(house, game, seat)[-1]
    assert (event.market, event.amounts.total, event.done) == ("North", 1, True)


def test_S72_and_S74_a_mail_jumps(house: House, office: PostOffice):
    def builds(state) -> bool:
        return state.phase is Phase.BUILDING

    def again(state) -> bool:
        return state.round == 2 and builds(state) and state.waiting[0] == seat

    game = house.start("Anna", "Ben", "Clara", map="japan", auction="open")
    house.play(game, until=builds)
    seat = Seat(house.asked(game)[0].seat)
    first = engine.options(house.state(game), seat).targets[0].city
    office.answer(asked_by_mail(house, office, game, seat), f"build {first}")
    house.play(game, until=again)
    mail = asked_by_mail(house, office, game, seat)
    told = " ".join(text_of(mail).split())
    rules = house.state(game).ruleset
    target = next(t for t in engine.options(house.state(game), seat).targets if t.jump)
    city = rules.city[target.city].name
    assert f"build {city} by jump" in told
    assert "The free jump is still to come for" in told
    office.answer(mail, f"build {city} by jump")
    built = [e for e in house.events(game) if isinstance(e, CityConnected) and e.seat == seat]
    assert (built[-1].city, built[-1].jump) == (target.city, True)


def test_S09_a_mail_from_two_markets_is_refused(house: House, office: PostOffice):
    game, seat = at_fuel(house, "korea", worth=1)
    mail = asked_by_mail(house, office, game, seat)
    office.answer(mail, "buy 1 oil from north 1 coal from south")
    assert not bought(house, game, seat)
    refused = text_of(of_kind(office.fetch(), "refused")[-1])
    assert "A purchase is from one market" in " ".join(refused.split())


def test_S05_of_a_list_one_token_is_bought_and_the_rest_is_an_order(
    house: House, office: PostOffice
):
    game, seat = at_fuel(house, "india")
    mail = asked_by_mail(house, office, game, seat)
    assert "token by token" in text_of(mail)
    fuel = engine.options(house.state(game), seat).fuels[0].resource
    held = house.state(game).players[seat].fuel[fuel]
    office.answer(mail, f"buy 2 {fuel.value} at most 3 each")
    (first,) = bought(house, game, seat)
    assert (first.amounts.total, first.done) == (1, False)
    assert orders(house, game, seat) == [f"order fuel up to {held + 2} {fuel.value} at most 3 each"]
    house.play(game, until=lambda state: state.phase != "resources")
    mine = bought(house, game, seat)
    assert [e.amounts.total for e in mine] == [1, 1, 0]
    assert mine[-1].done
    assert orders(house, game, seat) == []


def test_S06_one_token_alone_leaves_the_next_question_open(house: House, office: PostOffice):
    game, seat = at_fuel(house, "india")
    fuel = engine.options(house.state(game), seat).fuels[0].resource.value
    office.answer(asked_by_mail(house, office, game, seat), f"buy 1 {fuel}")
    assert orders(house, game, seat) == []
    assert seat in house.state(game).waiting
    house.play(game, until=lambda state: engine.to_act(state)[:1] == (seat,))
    assert house.state(game).phase == "resources"
    office.answer(asked_by_mail(house, office, game, seat), "buy nothing")
    last = bought(house, game, seat)[-1]
    assert (last.amounts.total, last.done) == (0, True)


def test_S66_a_mail_tells_of_mines_and_of_their_track(house: House, office: PostOffice):
    def mines(state) -> list[int]:
        offer = engine.options(state, engine.to_act(state)[0])
        plants = offer.plants if isinstance(offer, OpeningOffer) else ()
        return [p.plant for p in plants if state.ruleset.plant[p.plant].mine]

    game = house.start("Anna", "Ben", "Clara", map="australia", auction="open")
    house.play(game, until=mines)
    seat, (mine, *_) = Seat(house.asked(game)[0].seat), mines(house.state(game))
    mail = asked_by_mail(house, office, game, seat)
    told = text_of(mail)
    assert "times the price of uranium" in told
    assert "of uranium lie on the mines’ track (12 slots)" in told
    office.answer(mail, f"auction {mine} for {mine}")
    opened = [e for e in house.events(game) if isinstance(e, AuctionOpened)]
    assert (opened[-1].seat, opened[-1].plant) == (seat, mine)
