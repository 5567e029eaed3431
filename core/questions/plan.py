"""Which orders a seat leaves for the round that begins, where the table plans its rounds."""

from collections.abc import Sequence

from core.game.notation import text
from core.game.offers import built
from core.game.prices import next_targets
from core.game.types import STEP_3_CARD
from core.questions.question import Card, Command, Question
from core.text import _


class PlanQuestion(Question):
    """Leave standing orders for the round, as many as wanted."""

    def card(self, names: Sequence[str]) -> Card:
        return Card(
            _("Your plan for round {n}").format(n=self.view.round),
            _(
                "A round begins. Leave standing orders for its auction, fuel, building and "
                "powering, as many as you like: the table plays as far as everybody's orders go, "
                "and asks only where they do not. No orders? Send “ready”, so that nobody waits "
                "for you."
            ),
        )

    def commands(self) -> tuple[Command, ...]:
        """Return lines that are understood as they are; each is an example to be changed."""
        plants = [n for n in self.view.market.actual if n != STEP_3_CARD][:2]
        wishes = ", ".join(f"{number} to {number + 3}" for number in plants) or "nothing"
        in_turn = _("in order of wish, each up to so much; else pass")
        return (
            Command(f"order auction {wishes}", in_turn),
            Command("order fuel all at most 6 each", _("fuel for one run of all your plants")),
            self._building(),
            Command("order power all every round", _("always most cities with least fuel")),
            Command("ready", _("no more plans for this round")),
        )

    def _building(self) -> Command:
        """Return the two cheapest cities, not much dearer than now."""
        first = next_targets(self.view, ())[:1]
        chain = [*first, *(next_targets(self.view, first)[:1] if first else ())]
        if not chain:
            return Command("order build nothing", _("no building in this round"))
        line = text(built(chain), self.rules)
        price = sum(target.total for target in chain)
        note = _("{price} Elektro now; as far as that goes").format(price=price)
        return Command(f"order {line} at most {price + 5}", note)
