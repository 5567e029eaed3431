"""Our position and options in the recorder's words, to be laid beside the recorded ones."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from core.game.board.fuel_market import tracks_now
from core.game.board.storage import mixes, room_for, ways_to_keep
from core.game.engine import options, to_act
from core.game.offers import BidOffer, BuildOffer, DiscardOffer, OpeningOffer, PurchaseOffer
from core.game.state import GameState
from core.game.types import Fuel, Phase, PlantNumber, Resource, Seat
from webapp.instruments.conform.trace import Summary, Trace

PHASES = {
    Phase.AUCTION: "Auction",
    Phase.RESOURCES: "Resources",
    Phase.BUILDING: "Building",
    Phase.BUREAUCRACY: "Bureaucracy",
    Phase.FINISHED: "Game End",
}
MARKET_KEYS = ("act", "fut", "dk", "deck", "dsc")
KEYS = ("ph", "r", "st", "ord", "cur", *MARKET_KEYS, "mkt", "sup", "auc", "b39", "pl")
FLAGS = slice(4, 7)
"""Of a player's row: the recorder's own flags passed, skipAuction and bid, which need not match."""
NOT_COMPARED = (
    "the recorder's flags passed, skipAuction, bid", "its texts (e)", "seed", "features", "engine",
)  # fmt: skip
Options = dict[str, Any]


def summary(trace: Trace, state: GameState) -> Summary:
    """Return the position as the recorder writes it; only what means the same on both sides."""
    auction = state.auction
    return {
        "ph": PHASES[state.phase],
        "r": state.round,
        "st": state.step,
        "ord": list(state.order),
        "cur": sorted(to_act(state)),
        "act": list(state.market.actual),
        "fut": list(state.market.future),
        "dk": len(state.stack),
        "deck": list(state.stack),
        "mkt": list(state.fuel_market.counts()),
        "sup": list(state.supply.counts()),
        "auc": [auction.plant, auction.bid, auction.opener] if auction else None,
        "dsc": int(state.token is not None),
        "pl": {str(seat): player(trace, state, seat) for seat in state.seats},
    }


def local(state: GameState) -> Summary:
    """Return what the recorder notes for maps with rules of their own, as far as it means the same.

    The recorder's key, then ours; the third market fuel of all is uranium, which it leaves out.
    """
    noted: Summary = {}
    if state.local.markets:
        noted["north"] = list(state.local.markets[0].counts()[:3])
    if state.ruleset.market_lifecycle == "two_decks":
        noted["depletion"] = state.local.decks_used
        noted["recycle"] = list(state.local.side_pile)
    if state.ruleset.burnt_coal_price is not None:
        noted["coalStorage"] = state.local.storage
    if state.ruleset.mines:
        noted["uraniumMine"] = _by_price(state)
        noted["prices"] = [list(track.prices) for track in tracks_now(state).values()]
    if state.ruleset.free_jump:
        noted["freeJumpUsed"] = [int(seat in state.local.jumped) for seat in state.seats]
    if state.ruleset.outage and state.phase is Phase.BUREAUCRACY:
        noted["built"] = state.local.houses_built
    if any(track.short_refill != "nothing" for track in state.ruleset.tracks.values()):
        noted["prices"] = [list(track.prices) for track in tracks_now(state).values()]
    return noted


def _by_price(state: GameState) -> list[int]:
    """Return the tokens on the mines' track at each of its prices, cheapest first."""
    mines = state.ruleset.mines
    prices = mines.prices if mines else ()
    filled = Counter(prices[len(prices) - state.local.mine_tokens :])
    return [filled[price] for price in sorted(set(prices))]


def player(trace: Trace, state: GameState, seat: Seat) -> list[Any]:
    """Return money, plants, fuel, cities by the trace's index."""
    owner = state.players[seat]
    cities = [trace.cities.index(c) for c in owner.cities]
    powered = owner.powered if state.phase is Phase.FINISHED else 0
    return [owner.elektro, list(owner.plants), list(owner.fuel.counts()), cities, powered, None]


def recorded_summary(recorded: Summary) -> Summary:
    """Return the recorder's summary, cut to what `summary` makes."""
    auction = recorded["auc"]
    cut = {k: recorded[k] for k in ("ph", "r", "st", "ord", "act", "fut", "dk", "deck")}
    return {
        **cut,
        "cur": sorted(recorded["cur"]),
        "mkt": recorded["mkt"],
        "sup": recorded["sup"],
        "auc": auction,
        "dsc": recorded["dsc"],
        "b39": recorded["b39"],
        "pl": {
            seat: [*row[: FLAGS.start], *row[FLAGS.stop :]] for seat, row in recorded["pl"].items()
        },
    }


def auction_options(state: GameState, seat: Seat, naming: bool) -> Options:
    """Options in the auction phase; `naming`: the plant is named, its opening bid comes next."""
    offer = options(state, seat)
    match offer:
        case DiscardOffer(choices):
            return {"DiscardPowerPlant": [c.plant for c in choices]}
        case BidOffer(_, least, most):
            bids = {"Bid": [least, most]} if least <= most else {}
            return {**bids, "Pass": 1}
        case OpeningOffer(plants, _, may_pass) if naming:
            named = {"ChoosePowerPlant": [p.plant for p in plants]} if plants else {}
            return {**named, "Pass": 1} if may_pass else named
    raise TypeError(f"no options of an auction: {offer}")


def opening_bid_options(state: GameState, seat: Seat, plant: PlantNumber) -> Options:
    """Return the opening bid on a named plant."""
    offer = options(state, seat)
    if not isinstance(offer, OpeningOffer):
        raise TypeError(f"no opening: {offer}")
    least = next((p.minimum for p in offer.plants if p.plant == plant), None)
    return {"Bid": [least, offer.maximum]}


def purchase_options(state: GameState, seat: Seat, chosen: str | None, midway: bool) -> Options:
    """Fuels of which one more token can be bought; from the market `chosen` with the first one."""
    offer = options(state, seat)
    if not isinstance(offer, PurchaseOffer):
        raise TypeError(f"no purchase: {offer}")
    if offer.one_token and midway:
        return {"Pass": 1}
    fuels: list[Any] = [f.resource.value for f in offer.fuels]
    if state.ruleset.burnt_coal_price is not None:
        fuels = list(_beside_the_storage(state, seat, offer))
    if offer.others:
        sales = zip(state.ruleset.market_names, offer.by_market, strict=True)
        fuels = [[f.resource.value, name.lower()] for name, one in sales for f in one.fuels]
        if chosen is not None:
            fuels = [fuel for fuel in fuels if fuel[1] == chosen]
    return {**({"BuyResource": fuels} if fuels else {}), "Pass": 1}


def _beside_the_storage(state: GameState, seat: Seat, offer: PurchaseOffer) -> Iterator[Any]:
    """Yield the fuels of the market, and coal of the storage as far as money and room go."""
    coal = Resource.COAL
    on_sale = {fuel.resource for fuel in offer.fuels}
    room, _coal_or_oil = room_for(state.plants_of(seat), state.players[seat].fuel)
    if coal in on_sale and state.fuel_market.coal:
        yield coal.value
    price = state.ruleset.burnt_coal_price or 0
    if state.local.storage and room.coal and price <= state.players[seat].elektro:
        yield [coal.value, "storage"]
    yield from (fuel.value for fuel in Resource if fuel in on_sale and fuel is not coal)


def build_options(state: GameState, seat: Seat, late_first_city: bool) -> Options:
    """Return the number and summed prices of the cities that can be built.

    `late_first_city`: count occupied cities as a first city, too (habit of the recorder).
    """
    if late_first_city:
        relaxed = replace(state.ruleset, first_city_must_be_empty=False)
        state = replace(state, ruleset=relaxed)
    offer = options(state, seat)
    if not isinstance(offer, BuildOffer):
        raise TypeError(f"no building: {offer}")
    totals = [t.total for t in offer.targets]
    return {**({"Build": [len(totals), sum(totals)]} if totals else {}), "Pass": 1}


def power_options(
    state: GameState, seat: Seat, unused: tuple[PlantNumber, ...], fuel: Fuel
) -> Options:
    """Return plants that can still run with the fuel left, with every mix."""
    runs = [
        [plant.number, list(mix.counts())]
        for plant in state.plants_of(seat)
        if plant.number in unused
        for mix in mixes(plant, fuel)
    ]
    return {**({"UsePowerPlant": runs} if runs else {}), "Pass": 1}


def fuel_loss_options(state: GameState, seat: Seat, gone: PlantNumber, left: Fuel) -> Options:
    """Fuels of which a token may go once plant `gone` has gone and `left` is still held."""
    plants = [p for p in state.plants_of(seat) if p.number != gone]
    ways = [w for w in ways_to_keep(plants, state.players[seat].fuel) if left.covers(w)]
    fuels = [f.value for f in Resource if any(w[f] < left[f] for w in ways)]
    return {"DiscardResources": fuels}


@dataclass
class Findings:
    """What came of one game: differences in words, and habits of the recorder by name."""

    game: str
    moves: int = 0
    differences: list[str] = field(default_factory=list)
    habits: Counter[str] = field(default_factory=Counter)
    compared: Counter[str] = field(default_factory=Counter)
    """How many positions, values of positions, lists of options and other facts were compared."""
    left_out: Counter[str] = field(default_factory=Counter)
    """What was not compared, by name."""
    refused: str = ""
    """Why the file cannot be compared at all."""
    skipped: str = ""
    """Why the game cannot be played here."""
