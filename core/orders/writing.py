"""An order as one line of text."""

from core.game import notation as moves
from core.game.moves import BuildCities
from core.game.rules.knobs import Ruleset
from core.orders.model import (
    AuctionSheet,
    BuildOrder,
    FuelOrder,
    Limit,
    LimitOff,
    Order,
    PowerOrder,
)


def text(order: Order | LimitOff, ruleset: Ruleset, every_round: bool = False) -> str:
    """Write an order so that `core.orders.notation.parse` reads it back."""
    line = _text(order, ruleset)
    return f"{line} every round" if every_round else line


def _text(order: Order | LimitOff, ruleset: Ruleset) -> str:
    match order:
        case Limit(plant, most):
            return f"limit {plant} to {most}"
        case LimitOff(plant):
            return f"limit {plant} off"
        case AuctionSheet():
            return _auction_text(order)
        case FuelOrder():
            return _fuel_text(order)
        case BuildOrder():
            return _build_text(order, ruleset)
        case PowerOrder(move):
            return f"order {moves.text(move, ruleset)}"


def _auction_text(order: AuctionSheet) -> str:
    plants = [f"{wish.plant} to {wish.most}" for wish in order.wishes]
    others = [] if order.others is None else [f"others to {order.others}"]
    return _joined(
        f"order auction {', '.join((*plants, *others)) or 'nothing'}",
        ("keep {}", order.keep or None),
        ("discard {}", order.discard),
    )


def _fuel_text(order: FuelOrder) -> str:
    named = "all" if order.plants is None else " ".join(map(str, order.plants)) or "nothing"
    return _joined(
        f"order fuel {named}",
        ("twice", True if order.loads == 2 else None),
        ("at most {} each", order.each),
        ("at most {}", order.total),
        ("keep {}", order.keep or None),
    )


def _build_text(order: BuildOrder, ruleset: Ruleset) -> str:
    return _joined(
        f"order {moves.text(BuildCities(order.cities), ruleset)}",
        ("at most {} each", order.each),
        ("at most {}", order.budget),
        ("keep {}", order.keep or None),
        ("stop at {}", order.stop_at),
        ("before step 2", order.before_step or None),
        ("or ask", order.exact or None),
    )


def _joined(line: str, *clauses: tuple[str, int | None]) -> str:
    said = [form.format(value) for form, value in clauses if value is not None]
    return " ".join((line, *said))
