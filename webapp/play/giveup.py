"""Which plant goes, and which fuel with it, if a bid wins a plant over the limit (R7.11, R7.12).

Asked for in the bid's own form and kept with it; the discard's form then begins with the answer.
"""

from collections.abc import Iterable

from core.game.board.storage import ways_to_keep
from core.game.narrate import wording
from core.game.observe import PlayerView
from core.game.offers import DiscardChoice
from core.game.rules.knobs import Plant
from core.game.types import Fuel
from core.text import _

Choice = dict[str, str]
"""One option of a select: its `value` and its `text`."""


def plants(view: PlayerView, won: Plant | None = None) -> list[Choice]:
    """The plants one of which goes if one is `won`; none while there is room for it."""
    mine = _mine(view)
    total = sum(p.cities for p in mine) + (won.cities if won else 0)
    text = _("{plant}: then {cities}") if won else "{plant}"
    return [
        {
            "value": str(p.number),
            "text": text.format(plant=p.number, cities=wording.cities(total - p.cities)),
        }
        for p in mine
    ]


def fuels(view: PlayerView, on_offer: Iterable[Plant]) -> list[Choice]:
    """How much of the fuel that is lost may be coal; none where no plant on offer leaves a choice.

    Which fuel fits hangs on the plant won and the plant given up, so each value is tokens of coal
    and oil makes up the rest.
    """
    mine, held = _mine(view), view.me.fuel if view.me else Fuel()
    lost: set[int] = set()
    for won in on_offer:
        for gone in mine:
            ways = ways_to_keep((*(p for p in mine if p != gone), won), held)
            if len(ways) > 1:
                lost |= {held.coal - kept.coal for kept in ways}
    return [{"value": str(coal), "text": _lost(coal)} for coal in sorted(lost)]


def kept(choice: DiscardChoice, held: Fuel, lose: str) -> Fuel | None:
    """What stays of `held` where it is a choice: as near to `lose` tokens of coal as can be."""
    if len(choice.keeps) == 1:
        return None
    if not (lose.isascii() and lose.isdecimal()):
        return choice.keeps[0]
    return min(choice.keeps, key=lambda keep: abs(held.coal - keep.coal - int(lose)))


def _mine(view: PlayerView) -> tuple[Plant, ...]:
    """The viewer's plants if another one is a plant too many."""
    mine = () if view.seat is None else view.plants_of(view.seat)
    return mine if len(mine) >= view.numbers.plant_limit else ()


def _lost(coal: int) -> str:
    return _("{coal} coal, the rest oil").format(coal=coal) if coal else _("only oil")
