"""Which plants run, and what the hybrids among them burn (R10)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.game.board.storage import stock
from core.game.moves import PowerAll, PowerPlants, Run
from core.game.narrate import wording
from core.game.offers import PowerChoice, PowerOffer
from core.game.types import Fuel, Resource
from core.lists import both
from core.questions.question import Card, Command, MoveQuestion
from core.text import _, ngettext


class PowerQuestion(MoveQuestion[PowerOffer]):
    """Run plants for as many cities as wanted."""

    template = "power"

    @property
    def doing(self) -> str:
        return _("powering cities")

    def card(self, names: Sequence[str]) -> Card:
        best = self.offer.choices[0]
        text = _("None of your plants can run: you are paid {income} Elektro all the same.")
        if best.plants:
            text = ngettext(
                "At best plant {plants} powers {cities}, burns {fuel} and brings {income} Elektro.",
                "At best plants {plants} power {cities}, burn {fuel} and bring {income} Elektro.",
                len(best.plants),
            )
        text = text.format(
            plants=both(str(number) for number in best.plants),
            cities=wording.cities(best.powered),
            fuel=wording.fuel(best.burned),
            income=best.income,
        )
        return Card(_("Power your cities"), text)

    def commands(self) -> tuple[Command, ...]:
        """Return what no other choice beats in cities and fuel; the best with all mixes."""
        best, *mixed = self._mixes(self.offer.choices[0])
        lines = [self.command(PowerAll(), _note(best))]
        lines += [self.command(self._run(choice), _note(choice)) for choice in mixed]
        for choice in self.offer.choices[1:]:
            allowed = self.rules.may_underpower or choice.powered == best.powered
            if allowed and not any(_beats(other, choice) for other in self.offer.choices):
                move = PowerPlants(tuple(Run(plant) for plant in choice.plants))
                lines.append(self.command(move, _note(choice)))
        return tuple(lines)

    @property
    def rows(self) -> Sequence[Mapping[str, Any]]:
        held, rows = self.me.fuel, []
        for choice in (mix for some in self.offer.choices for mix in self._mixes(some)):
            what = _("run {plants}: {cities}") if choice.plants else _("run nothing: {cities}")
            rows.append(
                {
                    "line": self.command(self._run(choice), "").text,
                    "what": what.format(
                        plants=wording.numbers(choice.plants),
                        cities=wording.cities(choice.powered),
                    ),
                    "fuel": _("burns {burned}, leaves {left}").format(
                        burned=wording.fuel(choice.burned), left=wording.fuel(held - choice.burned)
                    ),
                    "income": f"+{choice.income}",
                }
            )
        return rows

    def _mixes(self, choice: PowerChoice) -> list[PowerChoice]:
        """Return the choice, then with every other share of coal and oil that is in hand (R5.3)."""
        plants = [self.rules.plant[number] for number in choice.plants]
        mixed = sum(p.burns for p in plants if p.hybrid)
        pure = sum((Fuel.of(p.fuels[0], p.burns) for p in plants if len(p.fuels) == 1), Fuel())
        fuel = stock(self.rules, self.view.plants_of(self.me.seat), self.me.fuel)
        mixes = (Fuel(coal=n, oil=mixed - n) for n in range(mixed, -1, -1))
        burns = (pure + mix for mix in mixes if fuel.allows(pure, mix))
        return [choice, *(replace(choice, burned=b) for b in burns if b != choice.burned)]

    def _run(self, choice: PowerChoice) -> PowerPlants:
        """Return the move that runs a choice; hybrids take coal in turn: only totals count."""
        plants = [self.rules.plant[number] for number in choice.plants]
        pure = sum(p.burns for p in plants if p.fuels == (Resource.COAL,))
        coal, runs = choice.burned.coal - pure, []
        for plant in plants:
            burn = None
            if plant.hybrid:
                share = min(coal, plant.burns)
                burn = Fuel(coal=share, oil=plant.burns - share)
                coal -= share
            runs.append(Run(plant.number, burn))
        return PowerPlants(tuple(runs))


def _beats(a: PowerChoice, b: PowerChoice) -> bool:
    """Return True if `a` powers as many cities with no more of any fuel, and better somewhere."""
    if a.powered < b.powered or not b.burned.covers(a.burned):
        return False
    same = (a.powered, a.burned) == (b.powered, b.burned)
    return not same or (len(a.plants), a.plants) < (len(b.plants), b.plants)


def _note(choice: PowerChoice) -> str:
    return _("{cities}: {income} Elektro; burns {fuel}").format(
        cities=wording.cities(choice.powered),
        income=choice.income,
        fuel=wording.fuel(choice.burned),
    )
