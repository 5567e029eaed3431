"""The rules of a table in our own words, every sentence chosen or filled by its ruleset.

A rulebook has no HTML and knows no reader: pages lay it out, mails can quote it. Since it is made
from the ruleset that the engine plays by, it cannot say anything else than what is played.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from core.game.board.blocked import most_blocked
from core.game.board.deck import LOW_PLANTS
from core.game.board.lifecycle.planned import PLANNED
from core.game.narrate.wording import fuel_name, plant_use
from core.game.rulebook import chapters, places
from core.game.rulebook.model import COUNTS, Chapter, Grid, Rule, Told
from core.game.rules.knobs import Layer, PlantChange, Ruleset
from core.game.types import PlantNumber, RegionId, Resource
from core.lists import both, clauses, either, series
from core.text import _

__all__ = ["RULE_OF", "Chapter", "Grid", "Rule", "rule_behind", "rulebook", "special_rules"]

RULE_OF: Final[Mapping[str, str]] = MappingProxyType(
    {
        "auction-open": "R7.5",
        "bid-too-high": "R7.5",
        "bid-too-low": "R7.5",
        "city-full": "R9.4",
        "city-not-in-play": "R3.1",
        "blocked": "R9.4",
        "city-too-expensive": "R9.3",
        "first-city-taken": "R9.2",
        "fuel-choice": "R7.12",
        "fuel-too-expensive": "R8.1",
        "game-over": "R14.1",
        "mine": "R10.1",
        "must-buy": "R7.8",
        "must-discard": "R7.11",
        "must-power": "R10.1",
        "negative": "R8.3",
        "no-auction": "R7.3",
        "no-discard": "R7.11",
        "no-first-city": "R9.2",
        "no-houses": "R9.9",
        "no-jump": "R9.3",
        "no-market": "R8.1",
        "no-path": "R9.5",
        "no-storage": "R8.2",
        "not-enough-fuel": "R5.2",
        "not-on-plant": "R8.2",
        "not-stored": "R8.3",
        "not-your-plant": "R10.1",
        "not-your-turn": "R7.1",
        "own-city": "R9.4",
        "plant-not-discardable": "R7.11",
        "plant-not-on-market": "R6.1",
        "plant-twice": "R5.2",
        "region-not-connected": "R3.1",
        "sold-out": "R8.3",
        "token-too-dear": "R8.3",
        "uranium-region": "R7.3",
        "wrong-fuel": "R5.2",
        "wrong-moment": "R7.1",
    }
)
"""A rule that every rulebook has, for every code that the engine refuses a move with."""


_CHAPTERS = (
    chapters.numbers,
    chapters.start,
    chapters.plants,
    chapters.market,
    chapters.order,
    chapters.auctions,
    chapters.buying,
    chapters.building,
    chapters.outgrown,
    chapters.bureaucracy,
    chapters.steps,
    chapters.end,
)


def rulebook(rules: Ruleset, players: int | None = None) -> tuple[Chapter, ...]:
    """Return the rules, with numbers for so many players, or for 2 to 6 where that is open."""
    told = Told(rules, players)
    more: dict[str, list[str]] = {}
    for number, says in special(told):
        more.setdefault(number, []).append(says)
    return tuple(_joined(chapter(told), more) for chapter in _CHAPTERS)


def _joined(chapter: Chapter, more: Mapping[str, Sequence[str]]) -> Chapter:
    """Return a chapter with the sentences that the rules of some maps add."""
    rules = (replace(r, sentences=(*r.sentences, *more.get(r.number, ()))) for r in chapter.rules)
    return replace(chapter, rules=tuple(rules))


def special_rules(rules: Ruleset, players: int | None = None) -> tuple[str, ...]:
    """Return what these rules have beside the printed ones, a sentence each."""
    return tuple(says for _number, says in special(Told(rules, players)))


def rule_behind(code: str, rules: Ruleset, players: int) -> Rule | None:
    """Return the rule that forbids what was refused with this code; None for no rule."""
    told = (rule for chapter in rulebook(rules, players) for rule in chapter.rules)
    return next((rule for rule in told if rule.number == RULE_OF.get(code)), None)


Sentences = Iterator[str]


def special(told: Told) -> tuple[tuple[str, str], ...]:
    """Return what these rules add: the number of a rule, and a sentence that joins it."""
    return tuple((number, says) for number, tell in (*_TOLD, *places.TOLD) for says in tell(told))


def _numbers(plants: tuple[PlantNumber, ...]) -> str:
    return both(map(str, plants))


def _regions(told: Told, regions: tuple[RegionId, ...]) -> str:
    return series(_(told.rules.region[region].name) for region in regions)


def _stack(told: Told) -> Sentences:
    if told.rules.stack:
        parts = clauses(_layer(layer) for layer in told.rules.layers)
        yield _("The stack from its top: {parts}.").format(parts=parts)


def _layer(layer: Layer) -> str:
    last = LOW_PLANTS[-1]
    words = []
    if layer.plants:
        words.append(_("plants {plants}").format(plants=_numbers(layer.plants)))
    if layer.low:
        words.append(_("{n} of the plants up to {last}").format(n=layer.low, last=last))
    if layer.high:
        words.append(_("{n} of the plants above {last}").format(n=layer.high, last=last))
    if layer.random:
        words.append(_("{n} others").format(n=layer.random))
    if layer.numbers:
        first, last_one = layer.numbers
        text = (
            _("plants {first} to {last} in order")
            if layer.ascending
            else _("plants {first} to {last}, shuffled")
        )
        words.append(text.format(first=first, last=last_one))
    if layer.rest:
        words.append(_("the others, shuffled"))
    if layer.step3:
        words.append(_("the Step 3 card"))
    together = both(words)
    return _("{cards}, mixed").format(cards=together) if len(words) > 1 else together


def _never_boxed(told: Told) -> Sentences:
    if told.rules.never_boxed:
        yield _("Never put away: {plants}.").format(plants=_numbers(told.rules.never_boxed))


def _changes(told: Told) -> Sentences:
    by_region: dict[RegionId | None, list[PlantChange]] = {}
    for change in told.rules.plant_changes:
        by_region.setdefault(change.region, []).append(change)
    for region, changes in by_region.items():
        plants = series(_changed(change) for change in changes)
        if region is None:
            yield _("Other plants than printed: {plants}.").format(plants=plants)
        else:
            yield _("With {region} in play: {plants}.").format(
                region=_(told.rules.region[region].name), plants=plants
            )


def _changed(change: PlantChange) -> str:
    text = _("plant {plant} ({use})")
    if change.stores is not None:
        text = _("plant {plant} ({use}, stores {stores})")
    use = plant_use(change.plant)
    return text.format(plant=change.number, use=use, stores=change.stores)


def _fifth(told: Told) -> Sentences:
    if told.rules.actual_row == "fifth_if_ecological":
        yield _(
            "While there are two rows, the fifth plant can be bought, too, if it is a wind plant."
        )


def _uranium(told: Told) -> Sentences:
    needed = told.rules.uranium_plants_need
    if needed:
        yield _(
            "Who puts up or bids for a uranium plant needs a city in one of these regions: "
            "{regions}."
        ).format(regions=_regions(told, needed))


def _bans(told: Told) -> Sentences:
    bans = told.rules.step1_bans
    if bans is not None:
        yield _(
            "In Step 1 no plants for {kinds} are sold: one that comes to the actual market leaves "
            "again, {boxed} the game, the others under the stack, and is replaced."
        ).format(kinds=either(map(fuel_name, bans.kinds)), boxed=_numbers(bans.boxed))


def _lifecycle(told: Told) -> Sentences:
    kind = told.rules.market_lifecycle
    if kind == "supply_after_building":
        yield from _planned(told)
    if kind == "two_decks":
        yield _(
            "There is no Step 3 card. Each round the two highest plants of the future market are "
            "set aside. Once the stack is used up, these are shuffled to be the next one; from "
            "then on the highest plant goes under it. When that is used up, too, all plants shown "
            "can be bought, and the smallest leaves each round."
        )


def _planned(told: Told) -> Sentences:
    yield _("There is one row of plants, and before Step 3 a plant that is bought is not replaced.")
    plans = series(
        _("{n} for {players} players").format(n=PLANNED[players - COUNTS[0]], players=players)
        for players in told.counts
    )
    yield _(
        "After building new plants come: {plans}, or more until there are as many as players but "
        "one, at least two. What is more than that leaves the game, the smallest first."
    ).format(plans=plans)
    yield _(
        "When the Step 3 card comes, Step 3 begins at once: the smallest plant leaves with it, "
        "four plants lie open from now on, each that is bought is replaced, and each round the "
        "smallest goes."
    )


def _passing(told: Told) -> Sentences:
    if told.rules.transit_cost:
        yield _(
            "A way costs {cost} Elektro for each city that it passes, be it blocked or not; the "
            "one it leads to is not passed."
        ).format(cost=told.rules.transit_cost)


def _blocked(told: Told) -> Sentences:
    blocked = told.rules.blocked_places
    if blocked is not None:
        counts = series(
            _("{n} with {players} players").format(
                n=most_blocked(blocked, players), players=players
            )
            for players in told.counts
        )
        yield _("At the start cities are drawn in which nobody builds: {counts}.").format(
            counts=counts
        )


def _one_token(told: Told) -> Sentences:
    if told.rules.buy_order == "one_token_in_turn":
        yield _(
            "Fuel is bought token by token: each in turn buys one or is out for the round, round "
            "and round until all are out."
        )


def _cap(told: Told) -> Sentences:
    cap = told.rules.price_cap
    if cap:
        prices = series(
            _("{price} in Step {step}").format(price=price, step=step)
            for step, price in enumerate(cap, start=1)
        )
        yield _("Dearer tokens are not sold: the highest price is {prices}.").format(prices=prices)


def _storage(told: Told) -> Sentences:
    price = told.rules.burnt_coal_price
    if price is not None:
        yield _(
            "Coal that was burnt waits in a storage. The refill takes from there first; meanwhile "
            "anybody may buy it there for {price} Elektro a token, though the market has cheaper."
        ).format(price=price)


def _outage(told: Told) -> Sentences:
    outage = told.rules.outage
    if outage is not None:
        counts = series(
            _("{n} with {players} players").format(n=outage.above * players + 1, players=players)
            for players in told.counts
        )
        yield _(
            "Outage: when so many houses are built in a round ({counts}), every income of this "
            "round is {tax} Elektro less for each own city, but at least 0. In the last round all "
            "are paid this once more before the ranking."
        ).format(counts=counts, tax=outage.tax)


def _mines(told: Told) -> Sentences:
    mines = told.rules.mines
    if mines is None:
        return
    yield _(
        "Plants {plants} are uranium mines: they never run and do not count for the most that one "
        "may own. When all are paid, and once more at the end, their owners sell in reverse turn "
        "order: the highest open price on the mines’ track ({low} to {high}, full at the start) "
        "for each city of their mines, then a token for each mine on its dearest slots; nothing "
        "while it is full."
    ).format(plants=_numbers(mines.plants), low=mines.prices[0], high=mines.prices[-1])
    rows = clauses(
        _("{n} with {players} players").format(
            n=series(mines.removal[players - COUNTS[0]]), players=players
        )
        for players in told.counts
    )
    yield _("Then tokens leave its cheapest slots, in Steps 1, 2, 3: {rows}.").format(rows=rows)


def _step3_prices(told: Told) -> Sentences:
    for fuel, track in told.rules.tracks.items():
        if track.step3_prices:
            text = _("From Step 3 on {fuel} costs {low} to {high}, not {first} to {last}.")
            yield text.format(
                fuel=fuel_name(fuel), low=track.step3_prices[0], high=track.step3_prices[-1],
                first=track.prices[0], last=track.prices[-1],
            )  # fmt: skip


def _again(told: Told) -> Sentences:
    if told.rules.token_buys_again and told.rules.discount_token:
        yield _("Who buys the plant with the token may buy one more in this round.")


def _short_refill(told: Told) -> Sentences:
    for fuel, track in told.rules.tracks.items():
        if track.short_refill == "slots_at_1":
            yield _(
                "For each token of {fuel} that the supply lacks at a refill, the dearest slot of "
                "the market becomes one more at 1; once it is sold out, the prices are as printed."
            ).format(fuel=fuel_name(fuel))


def _rotated(told: Told) -> Sentences:
    for step, count in enumerate(told.rules.rotated_plants, start=1):
        if count > 1:
            yield _(
                "In Step {step} {n} plants go, one after the other: a card that has just come may "
                "be the next."
            ).format(step=step, n=count)


def _first_decline(told: Told) -> Sentences:
    if told.rules.first_decline_boxes_lowest:
        yield _(
            "When the first player of a round declines to put up a plant, the smallest one leaves "
            "the game and is replaced."
        )


def _discounts(told: Told) -> Sentences:
    for discount in told.rules.fuel_discounts:
        yield _(
            "Who has a house in {city} pays {less} Elektro less for each token of {fuel}, but at "
            "least 1."
        ).format(
            city=told.rules.city[discount.city].name,
            less=discount.elektro,
            fuel=fuel_name(discount.fuel),
        )


def _markets(told: Told) -> Sentences:
    others = told.rules.other_markets
    if not others:
        return
    yield _("There are {n} fuel markets, {names}: each purchase is from one of them.").format(
        n=len(others) + 1, names=both(told.rules.market_names)
    )
    for market in others:
        missing = [fuel_name(fuel) for fuel in Resource if market.track(fuel) is None]
        if missing:
            yield _("{market} sells no {fuels}.").format(
                market=_(market.name), fuels=either(missing)
            )


def _refill_of_markets(told: Told) -> Sentences:
    if told.rules.other_markets:
        yield _("All markets share one supply: {names} is filled up before {main}.").format(
            names=both(told.rules.market_names[1:]), main=told.rules.main_market
        )


def _each_round(told: Told) -> Sentences:
    if told.rules.rotation_boxes_lowest:
        yield _("Before that, the smallest plant leaves the game and is replaced.")
        if told.rules.discount_token:
            yield _("It stays in a round in which a plant has gone with the discount token.")


def _step2(told: Told) -> Sentences:
    rules = told.rules
    if rules.step2_trigger == "never":
        yield _("Step 2 never begins.")
    if rules.step2_trigger == "deck":
        yield _(
            "Step 2 begins when the Step 3 card comes for the first time, in auctions at the end "
            "of the phase, however many cities there are: the card goes under the shuffled stack. "
            "When it comes again, Step 3 begins."
        )
    if not rules.step2_replaces:
        yield _("A plant that leaves with Step 2 is not replaced.")
    if rules.step2_top_plants:
        yield _(
            "Plants {plants} are not in the stack before: with Step 2 they come on top of it, in "
            "this order, before the smallest plant is replaced."
        ).format(plants=_numbers(rules.step2_top_plants))


_TOLD: Final[tuple[tuple[str, Callable[[Told], Sentences]], ...]] = (
    ("R3.6", _stack),
    ("R3.6", _never_boxed),
    ("R4.4", _refill_of_markets),
    ("R5.2", _changes),
    ("R4.4", _short_refill),
    ("R6.1", _fifth),
    ("R6.1", _bans),
    ("R6.2", _lifecycle),
    ("R7.3", _uranium),
    ("R7.10", _first_decline),
    ("R8.1", _markets),
    ("R8.1", _one_token),
    ("R8.3", _cap),
    ("R8.3", _storage),
    ("R8.3", _step3_prices),
    ("R10.2", _mines),
    ("R10.2", _outage),
    ("R8.3", _discounts),
    ("R9.3", _passing),
    ("R9.4", _blocked),
    ("R10.5", _rotated),
    ("R10.5", _each_round),
    ("R12.1", _step2),
    ("R17.3", _again),
)
