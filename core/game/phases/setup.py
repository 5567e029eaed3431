"""The table before the first move (R3, R17.1)."""

from core.game.board import deck
from core.game.board.plant_market import one_row_at_start, sorted_market
from core.game.chance import Chance
from core.game.errors import RulesError
from core.game.events import GameStarted
from core.game.rules.choices import region_choices
from core.game.rules.knobs import Ruleset
from core.game.types import RegionId, Seat
from core.text import _


def set_up(
    ruleset: Ruleset, seats: int, chance: Chance, regions: tuple[RegionId, ...] | None
) -> GameStarted:
    """Lay out the table; RulesError when the number of seats or the regions do not fit."""
    if not 2 <= seats <= 6:
        raise RulesError(_("Power Grid is for 2 to 6 players, not {seats}.").format(seats=seats))
    numbers = ruleset.numbers(seats)
    dealt = deck.deal(ruleset, seats, chance)
    everyone = tuple(Seat(i) for i in range(seats))
    return GameStarted(
        ruleset=ruleset,
        seats=seats,
        regions=_regions(ruleset, numbers.regions, chance, regions),
        order=chance.shuffled(everyone, "order"),
        market=sorted_market(ruleset, dealt.opening, one_row=one_row_at_start(ruleset)),
        stack=dealt.stack,
        boxed=dealt.boxed,
        commitment=chance.commitment(),
    )


def _regions(
    ruleset: Ruleset, size: int, chance: Chance, chosen: tuple[RegionId, ...] | None
) -> tuple[RegionId, ...]:
    """Drawn at random from all connected choices, as the host chose, or still to be drafted."""
    if ruleset.region_choice == "draft":
        return ()
    possible = region_choices(ruleset, size)
    if ruleset.region_choice == "host":
        if frozenset(chosen or ()) not in possible:
            raise RulesError(
                _("Choose {size} regions that are connected with each other.").format(size=size)
            )
        picked = frozenset(chosen or ())
    else:
        picked = chance.pick(possible, "regions")
    return tuple(r.id for r in ruleset.map.regions if r.id in picked)
