"""Standing orders as far as the log knows them: that one was executed, and all when it is over."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from core.game.types import Seat

OrderKind = Literal["limit", "auction", "fuel", "build", "power"]


@dataclass(frozen=True, slots=True)
class MoveOrdered:
    """The next move of a seat comes from a standing order of this kind; nobody was asked."""

    VERSION: ClassVar[int] = 1
    seat: Seat
    kind: OrderKind
    type: Literal["MoveOrdered"] = "MoveOrdered"


@dataclass(frozen=True, slots=True)
class RevealedOrder:
    """A standing order as its owner wrote it: given after event `given`, over after `closed`.

    `status`: done, failed, cancelled, lapsed, or ended with the game.
    """

    seat: Seat
    text: str
    given: int
    closed: int
    status: str


@dataclass(frozen=True, slots=True)
class OrdersRevealed:
    """The game is over, and everybody may see what the others had ordered."""

    VERSION: ClassVar[int] = 1
    orders: tuple[RevealedOrder, ...]
    type: Literal["OrdersRevealed"] = "OrdersRevealed"
