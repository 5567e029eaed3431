"""What one reader sees of a table: the shapes that pages and mails are made from.

They lie outside the rooms because `core.table.views.table_view` makes them and `core.mail`, which
may not know the table, writes mails from them. Nothing in here is secret and no address is.
"""

from dataclasses import dataclass
from datetime import datetime

from core.game.events import Event
from core.game.observe import PlayerView
from core.game.types import Seat
from core.statuses import GameStatus, OrderStatus


@dataclass(frozen=True, slots=True)
class Logged:
    """Event number `seq` of a log (from 1) and when it happened, UTC."""

    seq: int
    at: datetime
    event: Event


@dataclass(frozen=True, slots=True)
class SeatSeen:
    """A seat at the table: its name, the letter and colour of its houses, who plays it.

    `open`: its owner has missed so much that others may take it.
    """

    seat: Seat
    name: str
    letter: str
    colour: str
    bot: bool
    caretaker: bool
    user_id: int | None
    open: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """A seat that is waited for: since log position `turn`, since when, and until when.

    No deadline while the clock stands still, and none for a bot, which moves by itself
    (`automatic`). `plan`: it is asked for orders for the round, not for a move.
    """

    seat: Seat
    turn: int
    since: datetime
    deadline: datetime | None
    plan: bool = False
    automatic: bool = False


@dataclass(frozen=True, slots=True)
class OrderSeen:
    """A standing order as its owner sees it: its number, as a line, in words.

    `status`: active, done, failed, cancelled, lapsed, ended. `reason`: why it is over, or what it
    last did.
    """

    number: int
    line: str
    words: str
    status: OrderStatus
    reason: str


@dataclass(frozen=True, slots=True)
class AwaySeen:
    """A seat whose owner is on vacation, until when, and who may move meanwhile."""

    seat: int
    until: datetime
    sitter: str


@dataclass(frozen=True, slots=True)
class ClockSeen:
    """The clocks of a table: all settings in one line, and how they stand.

    `paused`: since when they stand still. `banks`: seconds left by seat, where the table has
    banks; None for a bot. `misses`: a turn can be missed; else the table waits for everybody.
    """

    times: str = ""
    paused: datetime | None = None
    banks: tuple[int | None, ...] = ()
    away: tuple[AwaySeen, ...] = ()
    misses: bool = True


@dataclass(frozen=True, slots=True)
class TableView:
    """A started game as `view.seat` (None: a spectator) may see it, at log position `view.seq`.

    `asked`: who is waited for now; empty at a past position. `log`: what has happened up to here,
    secrets blotted out while the game runs. `new_from`: the first event since the reader's own
    last move. `length`: events in the whole log. `status`: running, finished, abandoned.
    `imported`: it was played elsewhere. `orders`: the reader's own standing orders in force;
    `ordered`: those that have done something, or ended, since their own last move.
    """

    game_id: int
    title: str
    status: GameStatus
    flag: str
    host_id: int | None
    turn_hours: int
    private: bool
    chat: bool
    players: int
    length: int
    seats: tuple[SeatSeen, ...]
    asked: tuple[Asked, ...]
    log: tuple[Logged, ...]
    new_from: int
    view: PlayerView
    now: datetime
    imported: bool = False
    orders: tuple[OrderSeen, ...] = ()
    ordered: tuple[OrderSeen, ...] = ()
    clock: ClockSeen = ClockSeen()

    @property
    def names(self) -> tuple[str, ...]:
        """Names by seat."""
        return tuple(s.name for s in self.seats)

    @property
    def mine(self) -> Asked | None:
        """The reader's own open turn."""
        return next((a for a in self.asked if a.seat == self.view.seat), None)

    @property
    def news(self) -> tuple[Logged, ...]:
        """What has happened since the reader's own last move."""
        return tuple(entry for entry in self.log if entry.seq >= self.new_from)
