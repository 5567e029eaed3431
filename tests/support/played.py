"""Tables for tests of mails and pages: real games, played to where they are wanted."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from core.game import engine
from core.game.chance import Chance
from core.game.events import Event
from core.game.evolve import replay
from core.game.log.redact import as_running
from core.game.moves import amount_bid
from core.game.notation import parse
from core.game.observe import observe
from core.game.rules.load import load
from core.game.state import GameState
from core.game.types import Elektro, Phase, Seat
from core.tableview import Asked, Logged, SeatSeen, TableView

NOW = datetime(2026, 11, 30, 20, 0, tzinfo=UTC)
NAMES = ("Anna", "Ben", "Clara", "Dörte", "Emil", "Fatima")
GAMES = {
    "open": ("germany", 4, "open"),
    "sealed": ("germany", 4, "sealed"),
    "six": ("usa", 6, "open"),
}
FOLDER = Path(__file__).parent / "games"
COLOURS = ("navy", "yellow", "teal", "red", "pink", "ink")


class Played:
    """A game played by the lines of tests/support/games/`name`.txt, each behind its seat."""

    def __init__(self, name: str = "open", **options: str) -> None:
        map_, players, auction = GAMES[name]
        ruleset = load(map_, "standard", {"auction": auction, **options})
        self.chance = Chance("5eed" * 16)
        self.events: list[Event] = list(engine.start(ruleset, players, self.chance))
        self.state: GameState = replay(self.events)
        self.sealed: dict[Seat, Elektro | None] = {}
        self.lines = (FOLDER / f"{name}.txt").read_text("utf-8").splitlines()

    def play(self, wanted: Callable[[GameState], bool]) -> "Played":
        """Play until a position is wanted."""
        while not wanted(self.state):
            self.move()
        return self

    def move(self) -> None:
        """Play the next line."""
        seat, _, line = self.lines.pop(0).partition(" ")
        self.answer(Seat(int(seat)), line)

    def answer(self, seat: Seat, line: str) -> None:
        """Play this line for this seat."""
        move = parse(line, self.state.ruleset)
        self.sealed[seat] = amount_bid(move)
        new = engine.play(self.state, seat, move, self.chance, self.sealed)
        self.events += new
        self.state = replay(new, self.state)
        if self.state.auction is None:
            self.sealed = {}

    def table(self, seat: int | None = None, *, news: int = 25) -> TableView:
        """The table as `seat` sees it; by default the seat that is asked."""
        asked = engine.to_act(self.state)
        place = Seat(seat) if seat is not None else (asked[0] if asked else Seat(0))
        over = self.state.phase is Phase.FINISHED
        log = tuple(
            Logged(n, NOW - timedelta(hours=3), event)
            for n, event in enumerate(self.events if over else as_running(self.events), 1)
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
