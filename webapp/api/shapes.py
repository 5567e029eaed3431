"""The shapes of what the API takes and gives. All instants are UTC, all money is Elektro."""

from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from core.game.events import PlantMarket, Standing
from core.game.observe import PlayerSeen
from core.game.offers import Offer
from core.game.state import Auction
from core.game.types import Fuel, Phase
from core.statuses import GameStatus, OrderStatus, SubmissionStatus
from core.table.people.tokens import Scope


class Account(BaseModel):
    """Whose token it is."""

    name: str
    zone: str
    scopes: list[Scope]


class TurnShape(BaseModel):
    """A seat of yours that is asked."""

    table: int
    title: str
    seat: int
    turn: int = Field(description="Log position at which the seat was asked; a move names it.")
    plan: bool = Field(description="Asked for orders for the round, not for a move.")
    since: datetime
    deadline: datetime | None = Field(description="None while the clock stands still.")
    url: str


class Turns(BaseModel):
    """All that you are asked, the most urgent first."""

    turns: list[TurnShape]


class TableShape(BaseModel):
    """A table."""

    id: int
    title: str
    url: str
    status: GameStatus
    map: str
    variant: str
    places: int
    players: list[str] = Field(description="By seat, once the game has begun.")
    seat: int | None = Field(description="Your own seat, once the game has begun.")
    seq: int = Field(description="Events of the game; while it is the same, nothing has happened.")
    turn_hours: int
    terms: dict[str, Any]


class Tables(BaseModel):
    """Tables, newest first."""

    tables: list[TableShape]


class PositionShape(BaseModel):
    """Where a game stands, as your seat may see it; a spectator's, where you have none."""

    model_config = ConfigDict(from_attributes=True)

    seat: int | None
    seq: int
    round: int
    phase: Phase
    step: int
    players: tuple[PlayerSeen, ...] = Field(description="By seat.")
    regions: tuple[str, ...]
    order: tuple[int, ...] = Field(description="Seats in playing order.")
    market: PlantMarket
    stack_size: int
    fuel_market: Fuel
    supply: Fuel
    to_act: tuple[int, ...]
    waiting: tuple[int, ...]
    auction: Auction | None
    discarding: int | None
    step3_drawn: bool
    abandoned: bool
    standings: tuple[Standing, ...]


class AskedShape(BaseModel):
    """A seat that is waited for. A bot has no deadline."""

    seat: int
    name: str
    turn: int
    since: datetime
    deadline: datetime | None
    plan: bool


class PositionOf(BaseModel):
    """A position, and who is waited for."""

    position: PositionShape
    asked: list[AskedShape]


class CommandShape(BaseModel):
    """A line that can be sent as it is, and its price and effect in words."""

    line: str
    note: str


class QuestionShape(BaseModel):
    """What your seat is asked now."""

    turn: int
    deadline: datetime | None
    asks: str = Field(description="Kind of the options: OpeningOffer, BidOffer, BuildOffer …")
    heading: str
    text: str
    options: Offer = Field(description="All that is legal, with its prices.")
    commands: list[CommandShape] = Field(description="Useful lines, not all that are legal.")
    silence: str = Field(description="The line that is played if nothing comes in time.")


class Line(BaseModel):
    """A move as one line of docs/notation.md, such as `bid 16`."""

    turn: int = Field(ge=0, description="The question that it answers.")
    line: str = Field(min_length=1, max_length=500)


class MoveIn(Line):
    """A move to make."""

    key: str = Field(
        "",
        max_length=64,
        description="Your own name for this move: the same key again is the same move.",
    )


class Effect(BaseModel):
    """What a move would do; nothing is changed."""

    line: str
    events: list[str]
    position: PositionShape


class MoveShape(BaseModel):
    """A move that was handed in, and what became of it."""

    id: int
    turn: int
    line: str
    status: SubmissionStatus
    code: str = Field(description="Why it was refused, for programs.")
    reason: str
    seq: int | None = Field(description="Log position after the move and what followed from it.")


class EventShape(BaseModel):
    """An event of the log: as JSON (docs/log-format.md) and, where it tells anything, in words."""

    seq: int
    at: datetime
    text: str
    body: dict[str, Any]


class Events(BaseModel):
    """Events after a position of the log; secrets are blotted out while the game runs."""

    seq: int
    events: list[EventShape]


class OrderIn(BaseModel):
    """A standing order as a line of docs/standing-orders.md, such as `limit 20 to 26`."""

    line: str = Field(min_length=1, max_length=500)


class OrderShape(BaseModel):
    """A standing order of yours; nobody else sees it."""

    model_config = ConfigDict(from_attributes=True)

    number: int
    line: str
    words: str
    status: OrderStatus
    reason: str


class Orders(BaseModel):
    """Your standing orders in force."""

    orders: list[OrderShape]


class SaidIn(BaseModel):
    """A line to say at a table."""

    text: str = Field(min_length=1, max_length=1000)
    key: str = Field("", max_length=64, description="The same key again says nothing new.")


class ChatShape(BaseModel):
    """A line that was said."""

    id: int
    name: str
    text: str
    at: datetime


class Chat(BaseModel):
    """What was said, oldest first."""

    lines: list[ChatShape]


class Here(BaseModel):
    """The table of an address."""

    table: int = Field(ge=1, le=999_999_999)


class MoveHere(Here):
    """A move of an address."""

    move: int = Field(ge=1, le=999_999_999)


class OrderHere(Here):
    """A standing order of an address, by its number."""

    number: int = Field(ge=1, le=999_999)


class Which(BaseModel):
    """Which tables to list."""

    status: GameStatus | None = None
    mine: bool = Field(False, description="Only those at which you sit.")


class After(BaseModel):
    """From where on to read a log, and how long to wait for the next event."""

    after: int = Field(0, ge=0)
    wait: int = Field(0, ge=0, le=20, description="Seconds to wait until something happens.")
