"""What a seat may not know changes nothing that it sees (R15.1)."""

import random
from dataclasses import replace
from itertools import islice

from core.game import moves as m
from core.game.chance import Chance
from core.game.engine import options, play, preview, to_act
from core.game.events import (
    AuctionDeclined,
    AuctionOpened,
    BidPassed,
    BidPlaced,
    CityConnected,
    FuelBought,
    PlantDiscarded,
    PlantsRun,
    RegionChosen,
    SealedBidGiven,
)
from core.game.observe import observe
from core.game.state import GameState
from core.game.types import CityId, Elektro, Seat
from tests.game.properties.random_play import Setting, games, turns
from tests.game.rules.kit import BUILDING, lay, owner

OWN = (
    AuctionDeclined, AuctionOpened, BidPassed, BidPlaced, CityConnected, FuelBought,
    PlantDiscarded, PlantsRun, RegionChosen, SealedBidGiven,
)  # fmt: skip


def otherwise(state: GameState, seat: Seat | None, rng: random.Random) -> GameState:
    """The same for this seat, with other secrets: cards face down and the others' money."""
    unseen = [*state.stack, *state.boxed]
    rng.shuffle(unseen)
    cut = len(state.stack)
    players = tuple(
        p if s == seat else replace(p, elektro=Elektro(rng.randrange(200)))
        for s, p in zip(state.seats, state.players, strict=True)
    )
    return replace(state, stack=tuple(unseen[:cut]), boxed=tuple(unseen[cut:]), players=players)


def test_a_view_answers_what_pages_ask_it() -> None:
    state = lay(owner("essen", "4 13", 44), owner("essen"), phase=BUILDING, order=(1, 2, 0)).state
    view = observe(state, Seat(0))
    assert view.me is not None
    assert (view.me.elektro, view.me.plants) == (44, (4, 13))
    assert [p.number for p in view.plants_of(Seat(0))] == [4, 13]
    assert view.houses(CityId("essen")) == state.houses(CityId("essen")) == (0, 1)
    assert view.numbers == state.numbers
    assert (view.stack_size, view.to_act) == (5, (0,))
    assert observe(state, None).me is None
    assert observe(state, Seat(1)).offer is None


@games(8)
def test_a_view_knows_no_secret(setting: Setting) -> None:
    rng = random.Random(setting.seed)
    for turn in islice(turns(setting), rng.randrange(20), None, 41):
        for seat in (*turn.state.seats, None):
            seen = observe(turn.state, seat)
            changed = observe(otherwise(turn.state, seat, rng), seat)
            assert repr(seen).encode() == repr(changed).encode()
            assert seen.offer == (options(turn.state, seat) if seat in to_act(turn.state) else None)


@games(8)
def test_a_preview_shows_only_what_the_seat_does_itself(setting: Setting) -> None:
    rng = random.Random(setting.seed)
    for turn in islice(turns(setting), rng.randrange(3), None, 5):
        state, seat = turn.state, turn.seat
        shown = preview(state, seat, turn.move)
        assert shown or turn.move == m.BuildCities(())
        assert all(isinstance(e, OWN) and e.seat == seat for e in shown)
        assert preview(otherwise(state, seat, rng), seat, turn.move) == shown
        assert [e for e in turn.events if isinstance(e, OWN)][: len(shown)] == list(shown)


@games(10)
def test_an_envelope_stays_closed_until_all_are_in(setting: Setting) -> None:
    """Any other amount gives the same events, as long as one envelope is missing."""
    sealed_games = replace(setting, auction="sealed")
    for turn in islice(turns(sealed_games), 400):
        auction = turn.state.auction
        if not auction or not isinstance(turn.move, m.Bid):
            continue
        least = Elektro(auction.bid + 1)
        other = play(turn.state, turn.seat, m.Bid(least), Chance("1"), turn.sealed)
        if len(to_act(turn.state)) > 1:
            given = (SealedBidGiven(turn.seat),)
            assert turn.events == other == given
            assert play(turn.state, turn.seat, m.Pass(), Chance("1"), turn.sealed) == given
        amounts = {getattr(e, "bids", None) for e in turn.events}
        assert (len(to_act(turn.state)) == 1) is (amounts != {None})
