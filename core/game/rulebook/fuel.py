"""The rulebook's fuel: the market, its refill, buying and storing (R4, R8, R17.4)."""

from core.game.narrate.wording import fuel_name
from core.game.rulebook.model import COUNTS, Chapter, Grid, Row, Told, rule
from core.game.rules.model import FuelTrack
from core.game.types import Resource
from core.text import _

STEPS = (1, 2, 3)


def market(told: Told) -> Chapter:
    """Prices, what lies there at the start, what comes."""
    return Chapter(
        _("Fuel market"),
        (
            rule(
                "R4.1",
                _("Each token costs what its place says; the cheapest is sold first."),
                grid=_prices(told),
            ),
            rule("R4.4", _refill_words(told), _stop(told), grid=_refill(told)),
            rule(
                "R4.5",
                _("Tokens fill the dearest free places first."),
                _("If the supply is short, what is there comes; nothing is owed."),
            ),
            rule("R4.6", _("Fuel that was burned or lost goes to the supply, not to the market.")),
        ),
    )


def buying(told: Told) -> Chapter:
    """Phase 3."""
    price = told.rules.coal_overflow_price
    overflow = _(
        "Once the market has no coal, the supply sells it for {price} Elektro a token, also "
        "within one purchase."
    )
    return Chapter(
        _("Buying fuel (phase 3)"),
        (
            rule(
                "R8.1",
                _("The last in turn order begins."),
                _("Each buys once, as much as he likes and can pay."),
            ),
            rule(
                "R8.2",
                _("A plant holds twice what it burns, and only fuel that it burns."),
                _("Fuel may be moved between one's own plants at any time."),
            ),
            rule(
                "R8.3",
                _("Only fuel that one can store is sold. Nobody sells, trades or gives fuel away."),
                _("What the market has not is sold out for the round."),
                overflow.format(price=price) if price is not None else "",
            ),
        ),
    )


def _prices(told: Told) -> Grid:
    head = (_("fuel"), _("prices, from the cheapest"), _("tokens in all"), _("at the start"))
    return Grid(head, tuple(_track(r, track) for r, track in told.rules.tracks.items()))


def _track(resource: Resource, track: FuelTrack) -> Row:
    places = sorted(set(track.prices))
    prices = ", ".join(_place(price, track.prices.count(price)) for price in places)
    lying = sum(price >= track.start_from for price in track.prices)
    start = _("{n}, the cheapest at {price}")
    cheapest = min((p for p in track.prices if p >= track.start_from), default=0)
    return (
        fuel_name(resource),
        prices,
        str(track.tokens),
        start.format(n=lying, price=cheapest) if lying else _("none"),
    )


def _place(price: int, tokens: int) -> str:
    return str(price) if tokens == 1 else _("{n} at {price}").format(n=tokens, price=price)


def _refill(told: Told) -> Grid:
    """A line for each fuel: what Steps 1, 2, 3 bring."""
    first = COUNTS[0]
    rows = (
        (
            fuel_name(resource),
            *(" / ".join(map(str, track.refill[players - first])) for players in told.counts),
        )
        for resource, track in told.rules.tracks.items()
    )
    return Grid((_("Steps 1 / 2 / 3, players"), *map(str, told.counts)), tuple(rows))


def _refill_words(told: Told) -> str:
    return {
        "current": _("At the end of a round the fuel of the Step that the game is in comes."),
        "upcoming": _(
            "At the end of a round the fuel of the Step comes in which the next round will be."
        ),
    }[told.rules.refill_row]


def _stop(told: Told) -> str:
    plant = told.rules.uranium_stop_after
    if plant is None:
        return ""
    return _("Once plant {plant} has been bought, no more uranium comes.").format(plant=plant)
