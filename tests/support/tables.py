"""Tables for tests of mails and pages: real games, played to where they are wanted."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from core.game import engine
from core.game.chance import Chance
from core.game.commands import commands
from core.game.events import Event, SealedBidsOpened
from core.game.evolve import replay
from core.game.log.redact import redact_one
from core.game.moves import Bid, OpenAuction
from core.game.notation import parse
from core.game.observe import observe
from core.game.rules.load import load
from core.game.state import GameState
from core.game.types import Elektro, Phase, Seat
from core.tableview import Asked, Logged, SeatSeen, TableView

NOW = datetime(2026, 11, 30, 20, 0, tzinfo=UTC)
NAMES = ("Anna", "Ben", "Clara", "Dörte", "Emil", "Fatima")
COLOURS = ("navy", "yellow", "teal", "red", "pink", "ink")


class Played:
    """A game that is played by its own offers, the same way for the same seed."""

    def __init__(self, *, players: int = 3, seed: str = "5eed", auction: str = "open") -> None:
        ruleset = load("germany", "standard", {"auction": auction})
        self.chance = Chance(seed * 16)
        self.events: list[Event] = list(engine.start(ruleset, players, self.chance))
        self.state: GameState = replay(self.events)
        self.sealed: dict[Seat, Elektro | None] = {}
        self.seen = 0
        self.moves = 0

    def play(self, wanted: Callable[[GameState], bool], most: int = 2000) -> "Played":
        """Play until a position is wanted."""
        while not wanted(self.state) and most:
            self.move()
            most -= 1
        assert wanted(self.state), "no such position in this game"
        return self

    def move(self) -> None:
        """Play one of the lines offered, a different place in the list each time."""
        seat = engine.to_act(self.state)[0]
        lines = commands(observe(self.state, seat))
        self.moves += 1
        choice = lines[-1] if self.state.phase is Phase.BUILDING else lines[self.moves % len(lines)]
        move = parse(choice.text, self.state.ruleset)
        if self.state.ruleset.auction == "sealed" and self.state.phase is Phase.AUCTION:
            if isinstance(move, OpenAuction | Bid):
                self.sealed[seat] = move.bid if isinstance(move, OpenAuction) else move.amount
            else:
                self.sealed[seat] = None
        new = engine.play(self.state, seat, move, self.chance, self.sealed)
        if any(isinstance(event, SealedBidsOpened) for event in new):
            self.sealed = {}
        self.seen = len(self.events)
        self.events += new
        self.state = replay(new, self.state)

    def table(self, seat: int | None = None, *, news: int = 25) -> TableView:
        """The table as `seat` sees it; by default the seat that is asked."""
        asked = engine.to_act(self.state)
        place = Seat(seat) if seat is not None else (asked[0] if asked else Seat(0))
        over = self.state.phase is Phase.FINISHED
        log = tuple(
            Logged(n, NOW - timedelta(hours=3), event if over else redact_one(event))
            for n, event in enumerate(self.events, 1)
        )
        return TableView(
            game_id=12,
            title="Friday league",
            status="finished" if over else "running",
            flag="",
            host_id=1,
            turn_hours=24,
            private=True,
            chat=True,
            players=len(self.state.players),
            length=len(log),
            seats=tuple(
                SeatSeen(Seat(i), NAMES[i], NAMES[i][0], COLOURS[i], False, False, i + 1)
                for i in range(len(self.state.players))
            ),
            asked=tuple(
                Asked(s, len(log), NOW - timedelta(hours=3), NOW + timedelta(hours=21))
                for s in asked
            ),
            log=log,
            new_from=max(1, len(log) - news),
            view=observe(self.state, place),
            now=NOW,
        )
