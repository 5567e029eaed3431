"""Which region is added to the board (R3.1)."""

from collections.abc import Mapping, Sequence

from core.game.moves import ChooseRegion
from core.game.offers import RegionOffer
from core.game.types import RegionId
from core.lists import both, series
from core.questions.question import Card, Command, MoveQuestion
from core.text import _


class RegionQuestion(MoveQuestion[RegionOffer]):
    """Add one of the regions that fit."""

    template = "regions"

    @property
    def doing(self) -> str:
        return _("choosing a region")

    def card(self, names: Sequence[str]) -> Card:
        regions = series(_(self.rules.region[region].name) for region in self.offer.regions)
        text = _("Add one region to the board: {names}.").format(names=regions)
        return Card(_("Choose a region"), text)

    def commands(self) -> tuple[Command, ...]:
        """Return a line for each region, with its cities."""
        return tuple(
            self.command(ChooseRegion(region), both(self._cities(region)))
            for region in self.offer.regions
        )

    @property
    def rows(self) -> Sequence[Mapping[str, str]]:
        return [
            {
                "line": self.command(ChooseRegion(region), "").text,
                "name": _(self.rules.region[region].name),
                "cities": series(self._cities(region)),
            }
            for region in self.offer.regions
        ]

    def _cities(self, region: RegionId) -> list[str]:
        return [city.name for city in self.rules.map.cities if city.region == region]
