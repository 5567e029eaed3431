"""Games played by nobody in particular: every move drawn from what is offered."""

import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import hypothesis
from hypothesis import strategies as st

from core.game import moves as m
from core.game.chance import Chance
from core.game.engine import options, play, preview, start, to_act
from core.game.errors import RulesError
from core.game.events import Event
from core.game.evolve import replay
from core.game.offers import (
    BidOffer,
    BuildOffer,
    BuildTarget,
    DiscardOffer,
    Offer,
    OpeningOffer,
    PowerOffer,
    PurchaseOffer,
    RegionOffer,
    built,
)
from core.game.phases.ending import end_reached
from core.game.rules import catalog
from core.game.rules.knobs import Ruleset
from core.game.rules.load import load
from core.game.state import GameState
from core.game.types import Fuel, Phase, Resource, Seat

MAPS = tuple(info.key for info in catalog.maps())
PRESETS = ("standard", "recharged", "thai_000", "swahili_001", "ptt_v1_3", "simplified_004")
CHOICES: dict[str, tuple[object, ...]] = {
    "deck_setup": ("shuffled_3_15",),
    "hidden_money": (False,),
    "reorder_after_first_auction": (True, False),
    "opener_must_open": ("never", "round_1", "always"),
    "order_tiebreak": ("highest_plant", "plant_count"),
    "bid_direction": ("clockwise", "turn_order"),
    "no_sale_boxes": (0, 1, 2),
    "discard_choice": ("old_only", "any"),
    "coal_overflow_price": (8,),
    "uranium_stop_after": (11,),
    "pass_through_empty": (True, False),
    "first_city_must_be_empty": (True, False),
    "cross_unselected_region": (True,),
    "obsolete_compare": ("lte", "lt"),
    "obsolete_timing": ("always", "phase4", "phase5_once", "off"),
    "obsolete_scope": ("leader", "every_player"),
    "obsolete_rows": ("actual", "all"),
    "step2_start": ("before_phase5", "immediate", "next_round"),
    "step2_boxes": (0, 1, 2),
    "refill_row": ("current", "upcoming"),
    "step3_start": ("next_phase", "phase5", "next_round"),
    "step3_cleanup_p4": ("immediate", "end_of_phase"),
    "step3_reshuffle": ("on_draw", "on_step3_start", "none"),
    "step3_rotation": ("box_lowest", "none"),
    "phase5_order": ("pay_fuel_plants", "pay_plants_fuel"),
    "may_underpower": (True, False),
    "end_timing": ("after_phase4", "immediate"),
}
KNOB_VALUES = [(knob, value) for knob, values in CHOICES.items() for value in values]
Test = Callable[..., Any]
HYBRID_FUELS = (Resource.COAL, Resource.OIL)


@dataclass(frozen=True)
class Setting:
    """What a random game is played by; the same setting gives the same game."""

    map: str
    variant: str
    auction: str
    players: int
    seed: int
    region_choice: str = "random"
    knobs: frozenset[tuple[str, object]] = frozenset()

    @property
    def ruleset(self) -> Ruleset:
        table = {"auction": self.auction, "region_choice": self.region_choice}
        return load(self.map, self.variant, {**table, **dict(self.knobs)})

    @property
    def possible(self) -> bool:
        """Some options do not go together; then there is no such game."""
        try:
            return bool(self.ruleset)
        except RulesError:
            return False


@dataclass(frozen=True)
class Turn:
    """One move of a game: position before, move, events, envelopes handed in before it."""

    state: GameState
    seat: Seat
    move: m.Move
    events: tuple[Event, ...]
    sealed: dict[Seat, int | None] = field(default_factory=dict)


def turns(setting: Setting, limit: int = 100_000) -> Iterator[Turn]:
    """Play until the end or for `limit` moves; the first turn has no move of its own."""
    chance, rng = Chance(f"{setting.seed:064x}"), random.Random(setting.seed)
    state = replay(start(setting.ruleset, setting.players, chance))
    sealed: dict[Seat, int | None] = {}
    for _ in range(limit):
        acting = to_act(state)
        if not acting:
            return
        seat = rng.choice(acting)
        move = _building(state, seat, rng) if state.phase is Phase.BUILDING else any_move(
            options(state, seat), rng
        )  # fmt: skip
        events = play(state, seat, move, chance, sealed)
        yield Turn(state, seat, move, events, dict(sealed))
        sealed = envelopes(sealed, seat, move)
        state = replay(events, state)


def envelopes(sealed: dict[Seat, int | None], seat: Seat, move: m.Move) -> dict[Seat, int | None]:
    """What the table keeps outside the log after this move."""
    match move:
        case m.OpenAuction(bid=amount):
            return {seat: amount}
        case m.Bid(amount=amount):
            return {**sealed, seat: amount}
        case m.Pass():
            return {**sealed, seat: None}
    return sealed


def any_move(offer: Offer, rng: random.Random) -> m.Move:
    """A move that the offer allows; money is spent somewhat sensibly, so that games end."""
    match offer:
        case RegionOffer(regions):
            return m.ChooseRegion(rng.choice(regions))
        case OpeningOffer() | BidOffer():
            return _any_bid(offer, rng)
        case DiscardOffer(choices):
            choice = rng.choice(choices)
            return m.DiscardPlant(choice.plant, rng.choice(choice.keeps))
        case PurchaseOffer():
            market = rng.choice(offer.by_market) if offer.others else offer
            bought = _any_purchase(market, rng)
            return m.BuyResources(bought, market.market if bought else "")
        case BuildOffer(targets):
            return built(targets[:1])
        case PowerOffer(choices):
            chosen = rng.choice(choices).plants
            return m.PowerAll() if rng.random() < 0.8 else m.PowerPlants(
                tuple(m.Run(p) for p in chosen)
            )  # fmt: skip


def _building(state: GameState, seat: Seat, rng: random.Random) -> m.Move:
    """Up to three of the cheaper cities, each chosen from what can be built then."""
    chain: list[BuildTarget] = []
    for _ in range(rng.choice((0, 0, 1, 1, 1, 2, 3))):
        ahead = replay(preview(state, seat, built(chain)), state)
        targets = options(ahead, seat).targets[:3] if not _over(ahead) else ()
        if targets:
            chain.append(rng.choice(targets))
    return built(chain)


def _over(state: GameState) -> bool:
    """Would the last house end the game at once?"""
    return state.ruleset.end_timing == "immediate" and end_reached(state)


def _any_bid(offer: OpeningOffer | BidOffer, rng: random.Random) -> m.Move:
    if isinstance(offer, BidOffer):
        if offer.minimum > offer.maximum or rng.random() < 0.6:
            return m.Pass()
        return m.Bid(rng.randint(offer.minimum, min(offer.maximum, offer.minimum + 3)))
    if not offer.plants or (offer.may_pass and rng.random() < 0.3):
        return m.Pass()
    plant = rng.choice(offer.plants)
    most = min(offer.maximum, plant.minimum + 4)
    return m.OpenAuction(plant.plant, rng.randint(plant.minimum, most))


def _any_purchase(offer: PurchaseOffer, rng: random.Random) -> Fuel:
    amounts, left = Fuel(), offer.elektro * 6 // 10
    for fuel in offer.fuels:
        most = min(3, len(fuel.costs))
        if fuel.resource in HYBRID_FUELS:
            most = min(most, offer.coal_or_oil - amounts.coal - amounts.oil)
        count = rng.randint(0, max(0, most))
        if count and fuel.costs[count - 1] <= left:
            amounts += Fuel.of(fuel.resource, count)
            left -= fuel.costs[count - 1]
    return amounts


settings = st.builds(
    Setting,
    map=st.sampled_from(MAPS),
    variant=st.sampled_from(PRESETS),
    auction=st.sampled_from(("open", "sealed")),
    players=st.integers(2, 6),
    seed=st.integers(0, 2**32),
    region_choice=st.sampled_from(("random", "random", "draft")),
    knobs=st.frozensets(st.sampled_from(KNOB_VALUES), max_size=4),
).filter(lambda setting: setting.possible)
"""Random games of all maps, presets, kinds of auction and numbers of players; with some options
set otherwise."""


def games(count: int) -> Callable[[Test], Test]:
    """Run a test over this many random games, always the same; they take what time they need.

    More of them where KRAFTPOST_MORE_GAMES says how many times as many.
    """
    slow = hypothesis.settings(
        max_examples=count * int(os.environ.get("KRAFTPOST_MORE_GAMES", "1")),
        deadline=None,
        derandomize=True,
        suppress_health_check=list(hypothesis.HealthCheck),
        phases=(hypothesis.Phase.generate,),
    )
    return lambda test: slow(hypothesis.given(setting=settings)(test))
