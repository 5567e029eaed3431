"""Which plant goes after a win, and which fuel is kept (R7.11, R7.12)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from core.game.moves import DiscardPlant
from core.game.narrate import wording
from core.game.offers import DiscardChoice, DiscardOffer
from core.game.types import Fuel
from core.lists import both, sentences
from core.questions.question import Card, Command, Fields, MoveQuestion, one
from core.text import _

_MOST_KEEPS: Final = 6


class DiscardQuestion(MoveQuestion[DiscardOffer]):
    """Give up one of the plants, with the fuel that does not fit the others."""

    template = "discard"

    @property
    def doing(self) -> str:
        return _("giving up a plant")

    def card(self, names: Sequence[str]) -> Card:
        plants = both(str(choice.plant) for choice in self.offer.choices)
        text = _("You may keep {limit} plants, so one of {plants} must go.").format(
            limit=self.view.numbers.plant_limit, plants=plants
        )
        if any(len(choice.keeps) > 1 for choice in self.offer.choices):
            choice = _("Where its fuel does not all fit the others, you choose what to keep.")
            text = sentences([text, choice])
        return Card(_("Give up a plant"), text)

    def commands(self) -> tuple[Command, ...]:
        """Return every plant that may go, with most ways to keep fuel."""
        return tuple(self._commands())

    def _commands(self) -> Iterator[Command]:
        for choice in self.offer.choices:
            use = wording.plant_use(self.rules.plant[choice.plant])
            for keep in choice.keeps[:_MOST_KEEPS]:
                note = _("{use}; all fuel stays").format(use=use)
                if lost := self.me.fuel - keep:
                    note = _("{use}; lost: {fuel}").format(use=use, fuel=wording.fuel(lost))
                yield self.command(_discard(choice, keep), note)

    @property
    def rows(self) -> Sequence[Mapping[str, Any]]:
        return [
            {
                "line": self.command(_discard(choice, keep), "").text,
                "plant": self.rules.plant[choice.plant],
                "note": self._kept(keep),
            }
            for choice in self.offer.choices
            for keep in choice.keeps
        ]

    def _kept(self, keep: Fuel) -> str:
        lost = self.me.fuel - keep
        if not lost:
            return _("no fuel is lost")
        return _("you keep {kept}; {lost} is lost").format(
            kept=wording.fuel(keep), lost=wording.fuel(lost)
        )

    def carried(self, earlier: Fields) -> Fields:
        """Return the line for the plant and fuel that were chosen with the bid that has won."""
        if str(self.me.plants[-1]) != (one(earlier, "for") or one(earlier, "plant")):
            return {}
        chosen = (c for c in self.offer.choices if str(c.plant) == one(earlier, "drop"))
        moves = (_discard(c, self._nearest(c, one(earlier, "lose"))) for c in chosen)
        lines = [self.command(move, "").text for move in moves]
        return {"choice": lines} if lines else {}

    def _nearest(self, choice: DiscardChoice, lose: str) -> Fuel:
        """Return what stays of the fuel: as near to losing `lose` tokens of coal as can be."""
        if not (lose.isascii() and lose.isdecimal()):
            return choice.keeps[0]
        coal = self.me.fuel.coal - int(lose)
        return min(choice.keeps, key=lambda keep: abs(keep.coal - coal))


def _discard(choice: DiscardChoice, keep: Fuel) -> DiscardPlant:
    return DiscardPlant(choice.plant, keep if len(choice.keeps) > 1 else None)
