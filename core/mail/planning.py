"""The planning call in words: what is asked, and lines to answer it with."""

from core.game.moves import BuildCities
from core.game.notation import text
from core.game.observe import PlayerView
from core.game.types import STEP_3_CARD
from core.mail.card import Card
from core.questions import Command
from core.questions.building import next_targets
from core.tableview import TableView
from core.text import _


def card(table: TableView) -> Card:
    """The card of the reader's open planning call."""
    heading = _("Your plan for round {n}").format(n=table.view.round)
    return Card(
        heading,
        _(
            "A round begins. Leave standing orders for its auction, fuel, building and powering, "
            "as many as you like: the table plays as far as everybody's orders go, and asks only "
            "where they do not. All wait for each other's plans, so “ready” alone helps, too."
        ),
    )


def commands(view: PlayerView) -> tuple[Command, ...]:
    """Lines that would be understood as they are; each is an example to be changed."""
    plants = [n for n in view.market.actual if n != STEP_3_CARD][:2]
    wishes = ", ".join(f"{number} to {number + 3}" for number in plants) or "nothing"
    lines = [
        Command(f"order auction {wishes}", _("in order of wish, each up to so much; else pass")),
        Command("order fuel all at most 6 each", _("fuel for one run of all your plants")),
        *_building(view),
        Command("order power all every round", _("always most cities with least fuel")),
        Command("ready", _("no more plans for this round")),
    ]
    return tuple(lines)


def _building(view: PlayerView) -> list[Command]:
    """The two cheapest cities, not much dearer than now."""
    first = next_targets(view, ())[:1]
    chain = [*first, *(next_targets(view, first)[:1] if first else ())]
    if not chain:
        return [Command("order build nothing", _("no building in this round"))]
    line = text(BuildCities(tuple(target.city for target in chain)), view.ruleset)
    price = sum(target.total for target in chain)
    note = _("{price} Elektro now; as far as that goes").format(price=price)
    return [Command(f"order {line} at most {price + 5}", note)]
