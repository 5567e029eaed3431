"""Every map by form and by mail: tables opened by somebody new, and the forms of special rules."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from core.game import engine
from core.game.events import AuctionOpened, CityConnected, Event, FuelBought
from core.game.offers import BuildOffer, OpeningOffer, PurchaseOffer
from core.game.rules import catalog
from core.game.state import GameState
from tests.browser.conftest import PHONE, Open
from tests.support.post_office import PostOffice, of_kind, offered
from tests.support.site import Site

pytestmark = pytest.mark.browser
LAST_ROUND = 2
MINES = (11, 23, 28, 34, 39)
ASKED_OTHERWISE = ("australia", "india", "japan", "korea")
"""Maps whose tables a browser opens; the others are opened by the same form without one."""
Came = Callable[[Event], bool]
OTHERS = [info.key for info in catalog.maps() if info.key not in ASKED_OTHERWISE]


@pytest.mark.parametrize("board", ASKED_OTHERWISE)
def test_a_table_opened_in_a_browser_is_played_by_mail(
    site: Site, open_page: Open, monkeypatch: pytest.MonkeyPatch, board: str
) -> None:
    page = open_page("/tables/new?more", "Newcomer")
    page.get_by_label("Name of the table").fill("By mail")
    page.get_by_label("Map", exact=True).select_option(board)
    page.get_by_label("Players", exact=True).select_option("2")
    page.get_by_label("Bots among them").select_option("1")
    page.get_by_role("checkbox", name="Begin at once").check()
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_role("heading", name="By mail")).to_be_visible()
    by_mail(site, int(page.url.rsplit("/", 1)[1]), board, monkeypatch)


@pytest.mark.parametrize("board", OTHERS)
def test_a_table_on_each_map_is_played_by_mail(
    site: Site, monkeypatch: pytest.MonkeyPatch, board: str
) -> None:
    fields = {"title": "By mail", "map": board, "players": "2", "bots": "1", "start": "yes"}
    answer = site.visitor("Newcomer").post("/tables/new", {**fields, "turn_hours": "48"})
    by_mail(site, int(answer.location.rsplit("/", 1)[1]), board, monkeypatch)


def by_mail(site: Site, game: int, board: str, patch: pytest.MonkeyPatch) -> None:
    """Play two rounds; each answer is the last line that the mail offers, which does most."""
    patch.setattr("core.mail.compose.board", lambda _table: None)  # pictures take their time
    house, office, answered = site.house, PostOffice(site.house), 0
    assert house.state(game).ruleset.map.key == board
    while house.state(game).round <= LAST_ROUND:
        house.pass_time(minutes=20)  # nobody is on the page any more
        mails = office.fetch()
        assert not of_kind(mails, "refused")
        (question,) = of_kind(mails, "turn")
        assert office.answer(question, offered(question)[-1]) == "done"
        answered += 1
    assert answered >= 2 * LAST_ROUND
    assert house.state(game).players[house.seat(game, "Newcomer")].cities


def _north(page: Page) -> None:
    page.locator("#turn .fuels").nth(1).locator("select").first.select_option(index=1)


def _one_token(page: Page) -> None:
    expect(page.get_by_text("Token by token").first).to_be_visible()
    page.locator("#turn select[data-costs]").first.select_option(index=2)


def _stored(page: Page) -> None:
    page.locator("#turn select[name=coal]").select_option(index=1)
    page.get_by_label("Of this coal, from the storage").fill("1")


def _jump(page: Page) -> None:
    page.locator("#turn input[name=city][value$=' by jump']").first.check()


def _mine(page: Page) -> None:
    expect(page.get_by_text("slots of their track are full")).to_be_visible()
    page.locator("#turn label", has_text="mine").first.click()


def _fuel(state: GameState) -> bool:
    offer = engine.options(state, engine.to_act(state)[0])
    stored = state.ruleset.burnt_coal_price is None or getattr(offer, "stored", 0)
    return isinstance(offer, PurchaseOffer) and bool(stored) and all(
        sum(len(fuel.costs) for fuel in one.fuels) > 1 for one in offer.by_market
    )  # fmt: skip


def _way_or_jump(state: GameState) -> bool:
    offer = engine.options(state, engine.to_act(state)[0])
    return isinstance(offer, BuildOffer) and any(target.jump for target in offer.targets)


def _mine_on_sale(state: GameState) -> bool:
    offer = engine.options(state, engine.to_act(state)[0])
    plant = state.ruleset.plant
    return isinstance(offer, OpeningOffer) and any(plant[p.plant].mine for p in offer.plants)


def _opened_a_mine(event: Event) -> bool:
    return isinstance(event, AuctionOpened) and event.plant in MINES


FORMS: dict[str, tuple[Callable[[GameState], bool], Callable[[Page], None], Came]] = {
    "korea": (_fuel, _north, lambda e: isinstance(e, FuelBought) and e.market == "North"),
    "india": (_fuel, _one_token, lambda e: isinstance(e, FuelBought) and not e.done),
    "south-africa": (_fuel, _stored, lambda e: isinstance(e, FuelBought) and e.from_storage == 1),
    "japan": (_way_or_jump, _jump, lambda e: isinstance(e, CityConnected) and e.jump),
    "australia": (
        _mine_on_sale,
        _mine,
        lambda e: isinstance(e, AuctionOpened) and e.plant in MINES,
    ),
}
"""Where the question comes up, how its form is filled in, and what comes of it."""


@pytest.mark.parametrize("board", FORMS)
def test_a_special_rule_is_answered_by_its_form_on_a_phone(
    site: Site, open_page: Open, board: str
) -> None:
    there, fill, comes = FORMS[board]
    house = site.house
    game = house.start("Ann", "Ben", map=board, auction="open")
    if board == "japan":  # who builds but one city in round 1 keeps the jump
        house.play(game, until=lambda state: state.phase == "building")
        turn = house.asked(game)[0]
        first = engine.options(house.state(game), turn.seat).targets[0].city
        name = house.state(game).ruleset.city[first].name
        house.move(game, turn.seat, f"build {name}")
    house.play(game, until=there)
    turn = house.asked(game)[0]
    page = open_page(f"/games/{game}", house.owner(game, turn.seat).name, PHONE)
    fill(page)
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Send it").click()
    expect(page.locator(".done")).to_contain_text("Done:")
    new = house.events(game)[turn.turn :]
    assert any(comes(event) for event in new if getattr(event, "seat", None) == turn.seat)
