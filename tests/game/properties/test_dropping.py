"""Whoever leaves, whenever: the game goes on to its end, and stays sound (M42)."""

from collections.abc import Iterator

import pytest

from core import bots
from core.game.chance import Chance
from core.game.engine import default_move, options, play, start, to_act
from core.game.events import CaretakerAppointed, Event, SeatOpened, TurnMissed
from core.game.evolve import evolve, replay
from core.game.log.validate import problem
from core.game.moves import Bid, Move, OpenAuction
from core.game.observe import observe
from core.game.rules.load import load
from core.game.state import GameState
from core.game.types import Elektro, Phase, Seat
from tests.game.properties.random_play import PRESETS

SEATS = 4
EVERYTHING = {
    "RegionOffer", "OpeningOffer", "BidOffer", "DiscardOffer", "PurchaseOffer", "BuildOffer",
    "PowerOffer",
}  # fmt: skip
BOT = bots.bot(bots.CARETAKER)


class Running:
    """A game, with the sealed bids that lie outside its log."""

    def __init__(
        self, state: GameState, chance: Chance, sealed: dict[Seat, Elektro | None]
    ) -> None:
        self.state, self.chance, self.sealed = state, chance, dict(sealed)

    def happen(self, *events: Event) -> None:
        for event in events:
            after = evolve(self.state, event)
            assert problem(self.state, event, after) is None
            self.state = after

    def move(self, seat: Seat, move: Move) -> None:
        self.happen(*play(self.state, seat, move, self.chance, self.sealed))
        auction = self.state.auction
        if auction and seat in auction.given:
            self.sealed[seat] = move.bid if isinstance(move, OpenAuction) else (
                move.amount if isinstance(move, Bid) else None)  # fmt: skip
        elif not auction or not auction.given:
            self.sealed = {}

    def to_the_end(self) -> None:
        for _ in range(3_000):
            if self.state.phase is Phase.FINISHED:
                return
            seat = to_act(self.state)[0]
            self.move(seat, BOT.move(observe(self.state, seat)))
        raise AssertionError("the game does not end")


def asked(running: Running) -> Iterator[tuple[str, Running]]:
    """Each kind of question once, early and once more late, and the game as it then stands."""
    seen: dict[str, int] = {}
    while running.state.phase is not Phase.FINISHED:
        seat = to_act(running.state)[0]
        kind = type(options(running.state, seat)).__name__
        seen[kind] = seen.get(kind, 0) + 1
        if seen[kind] in (1, 14):
            yield kind, Running(running.state, running.chance, running.sealed)
        running.move(seat, BOT.move(observe(running.state, seat)))


@pytest.mark.parametrize("auction", ["open", "sealed"])
@pytest.mark.parametrize("preset", PRESETS)
def test_m42_dropping_any_seat_in_any_phase_leaves_a_game_that_goes_on_to_its_end(
    preset: str, auction: str
) -> None:
    rules = load("germany", preset, {"auction": auction, "region_choice": "draft"})
    chance = Chance(f"{PRESETS.index(preset):064x}")
    kinds = set()
    for kind, position in asked(Running(replay(start(rules, SEATS, chance)), chance, {})):
        kinds.add(kind)
        for seat in map(Seat, range(SEATS)):
            left = Running(position.state, chance, position.sealed)
            if seat in to_act(left.state):
                left.happen(TurnMissed(seat))
                left.move(seat, default_move(left.state, seat))
            if left.state.phase is not Phase.FINISHED:
                left.happen(CaretakerAppointed(seat), SeatOpened(seat))
            left.to_the_end()
            assert left.state.standings
            assert min(player.elektro for player in left.state.players) >= 0
    assert kinds >= EVERYTHING - {"DiscardOffer"}
