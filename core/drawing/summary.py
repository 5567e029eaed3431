"""The board in words: for readers of the screen, for the text part of a mail, for alt texts."""

from dataclasses import dataclass

from core.drawing.scene import Scene
from core.game.types import CityId
from core.text import _, ngettext


@dataclass(frozen=True, slots=True)
class CityRow:
    """A city in play as a row of the table that says the same as the board."""

    city: CityId
    name: str
    region: str
    owners: tuple[str, ...]
    places_left: int


def title(scene: Scene) -> str:
    """Return one line that names the picture."""
    return _("Board: {map}").format(map=scene.board.name)


def describe(scene: Scene) -> str:
    """Return the board in a few sentences: regions, and who has built where."""
    regions = [r.name for r in scene.board.regions if r.id in scene.regions]
    lines = [_("No region is in play yet.")]
    if regions:
        lines = [_("Regions in play: {names}.").format(names=", ".join(regions))]
    for seat, mark in scene.marks.items():
        own = [c.name for c in scene.board.cities if seat in scene.houses.get(c.id, ())]
        count = ngettext("{n} city", "{n} cities", len(own)).format(n=len(own))
        names = ": " + ", ".join(own) if own else ""
        lines.append(f"{mark.name} ({mark.letter}), {count}{names}.")
    planned = [c.name for c in scene.board.cities if c.id in scene.planned]
    if planned:
        lines.append(_("Planned: {names}.").format(names=", ".join(planned)))
    return "\n".join(lines)


def rows(scene: Scene) -> tuple[CityRow, ...]:
    """Return every city in play, by region as the map lists them."""
    region = {r.id: r.name for r in scene.board.regions}
    return tuple(
        CityRow(
            city=city.id,
            name=city.name,
            region=region[city.region],
            owners=tuple(scene.marks[seat].name for seat in scene.houses.get(city.id, ())),
            places_left=max(0, scene.open_places - len(scene.houses.get(city.id, ()))),
        )
        for city in scene.board.cities
        if city.region in scene.regions
    )
