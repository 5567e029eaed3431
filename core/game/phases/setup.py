"""The table before the first move (R3, R17.1)."""

from core.game.board.plant_market import sorted_market
from core.game.chance import Chance
from core.game.errors import RulesError
from core.game.events import GameStarted, PlantMarket
from core.game.rules.knobs import PlayerNumbers, Ruleset
from core.game.rules.network import connected_region_sets
from core.game.types import STEP_3_CARD, PlantNumber, RegionId, Seat
from core.text import _

OPENING_MARKET = 8
LOW_PLANTS = range(3, 16)
"""The cheap half of the deck where the opening market is drawn from it (R17.1)."""

Cards = tuple[PlantNumber, ...]


def set_up(
    ruleset: Ruleset, seats: int, chance: Chance, regions: tuple[RegionId, ...] | None
) -> GameStarted:
    """Lay out the table; RulesError when the number of seats or the regions do not fit."""
    if not 2 <= seats <= 6:
        raise RulesError(_("Power Grid is for 2 to 6 players, not {seats}.").format(seats=seats))
    numbers = ruleset.numbers(seats)
    deck = _fixed_deck if ruleset.deck_setup == "fixed_3_10" else _shuffled_deck
    opening, stack, boxed = deck(ruleset, in_game(ruleset, seats), numbers, chance)
    everyone = tuple(Seat(i) for i in range(seats))
    return GameStarted(
        ruleset=ruleset,
        seats=seats,
        regions=_regions(ruleset, numbers.regions, chance, regions),
        order=chance.shuffled(everyone, "order"),
        market=_market(opening),
        stack=stack,
        boxed=boxed,
        commitment=chance.commitment(),
    )


def _market(opening: Cards) -> PlantMarket:
    return sorted_market(opening, one_row=False)


def _regions(
    ruleset: Ruleset, size: int, chance: Chance, chosen: tuple[RegionId, ...] | None
) -> tuple[RegionId, ...]:
    """Drawn at random from all connected choices, as the host chose, or still to be drafted."""
    if ruleset.region_choice == "draft":
        return ()
    possible = connected_region_sets(ruleset.map, size)
    if ruleset.region_choice == "host":
        if frozenset(chosen or ()) not in possible:
            raise RulesError(
                _("Choose {size} regions that are connected with each other.").format(size=size)
            )
        picked = frozenset(chosen or ())
    else:
        picked = chance.pick(possible, "regions")
    return tuple(r.id for r in ruleset.map.regions if r.id in picked)


def _fixed_deck(
    ruleset: Ruleset, cards: Cards, numbers: PlayerNumbers, chance: Chance
) -> tuple[Cards, Cards, Cards]:
    """R3.5 and R3.6: plants 3 to 10 lie open, one plant waits on top, Step 3 at the bottom."""
    opening = cards[:OPENING_MARKET]
    top = tuple(n for n in cards if n == ruleset.first_plant)
    rest = tuple(n for n in cards[OPENING_MARKET:] if n not in top)
    shuffled = chance.shuffled(rest, "stack")
    boxed, stack = shuffled[: numbers.boxed], shuffled[numbers.boxed :]
    return opening, (*top, *stack, STEP_3_CARD), boxed


def _shuffled_deck(
    ruleset: Ruleset, cards: Cards, numbers: PlayerNumbers, chance: Chance
) -> tuple[Cards, Cards, Cards]:
    """R17.1: the market and the top card come from the low plants, then all are shuffled."""
    always = ruleset.always_in_market
    low = tuple(n for n in cards if n in LOW_PLANTS and n not in always)
    high = tuple(n for n in cards if n not in LOW_PLANTS and n not in always)
    low, high = chance.shuffled(low, "low plants"), chance.shuffled(high, "high plants")
    open_cards = OPENING_MARKET - len(always)
    opening, top, low = (*always, *low[:open_cards]), low[open_cards], low[open_cards + 1 :]
    boxed = low[: numbers.boxed_low] + high[: numbers.boxed]
    rest = low[numbers.boxed_low :] + high[numbers.boxed :]
    return opening, (top, *chance.shuffled(rest, "stack"), STEP_3_CARD), boxed


def in_game(ruleset: Ruleset, seats: int) -> Cards:
    """Return the plants that are in the game with so many seats, lowest first (B34)."""
    removed = ruleset.removed(seats)
    return tuple(sorted(p.number for p in ruleset.plants if p.number not in removed))
