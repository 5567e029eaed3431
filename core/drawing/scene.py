"""What is to be drawn on a board, a plain value made of what a seat may see; and it in words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from core.game.observe import PlayerView
from core.game.offers import BuildOffer
from core.game.rules.knobs import City, Map
from core.game.types import CityId, Elektro, RegionId, Seat
from core.lists import series
from core.tableview import SeatSeen
from core.text import _, ngettext

Look = Literal["page", "light"]
"""`page`: the colours come from the page's style sheet; else the picture carries its own."""


@dataclass(frozen=True, slots=True)
class Mark:
    """How a seat shows on the board: one letter, one of the six house colours, and its name."""

    seat: Seat
    letter: str
    colour: str
    name: str


@dataclass(frozen=True, slots=True)
class Scene:
    """A board at one moment.

    `houses`: seats by city, in the order of the places they took. `step`: it opens places in
    the cities (R9.4). `planned`: seats about to build, drawn dashed. `targets`: cities
    that can be built now with their total cost; `dear` ones of them cost too much, `picked` ones
    are chosen already. `ringed`: cities to look at. `paths`: cities one after another along each
    way to show. `blocked`: cities in which nobody builds. `mine`: the reader's seat, whose network,
    the pairs of cities in `links`, is marked. `drafted`: the regions chosen so far, while players
    choose them; then `regions` are all.
    """

    board: Map
    regions: frozenset[RegionId]
    marks: Mapping[Seat, Mark]
    houses: Mapping[CityId, tuple[Seat, ...]] = field(default_factory=dict)
    step: int = 1
    planned: Mapping[CityId, Seat] = field(default_factory=dict)
    targets: Mapping[CityId, Elektro] = field(default_factory=dict)
    dear: frozenset[CityId] = frozenset()
    picked: frozenset[CityId] = frozenset()
    mine: Seat | None = None
    links: frozenset[frozenset[CityId]] = frozenset()
    drafted: frozenset[RegionId] | None = None
    ringed: frozenset[CityId] = frozenset()
    paths: tuple[tuple[CityId, ...], ...] = ()
    look: Look = "page"
    blocked: frozenset[CityId] = frozenset()

    def holds(self, city: City) -> int:
        """Return how many houses a city takes now (R9.4)."""
        return 0 if city.id in self.blocked else city.holds(self.step)

    @property
    def own_colour(self) -> str:
        """The colour of the reader's houses; empty without a seat."""
        return self.marks[self.mine].colour if self.mine is not None else ""

    def steps(self) -> frozenset[frozenset[CityId]]:
        """Return the connections that lie on one of the paths, as pairs."""
        return frozenset(frozenset(pair) for path in self.paths for pair in pairwise(path))


def scene(
    view: PlayerView,
    seats: Sequence[SeatSeen],
    *,
    planned: Iterable[CityId] = (),
    paths: Iterable[Sequence[CityId]] = (),
    ringed: Iterable[CityId] = (),
    look: Look = "page",
) -> Scene:
    """Return the board as `view.seat` sees it, with the cities it may build and their total cost.

    Cities that are `planned` are no longer offered. Of two ways to a city the cheaper one counts.
    """
    wanted = frozenset(planned)
    offered = view.offer.targets if isinstance(view.offer, BuildOffer) else ()
    return Scene(
        board=view.ruleset.map,
        regions=frozenset(view.regions),
        marks=marks(seats),
        houses={city: view.houses(city) for city in view.ruleset.city},
        step=view.step,
        planned={} if view.seat is None else dict.fromkeys(sorted(wanted), view.seat),
        targets={t.city: t.total for t in reversed(offered) if t.city not in wanted},
        ringed=frozenset(ringed),
        paths=tuple(tuple(path) for path in paths),
        look=look,
        blocked=frozenset(view.local.blocked),
    )


def marks(seats: Sequence[SeatSeen]) -> Mapping[Seat, Mark]:
    """Return how each seat shows on the board."""
    return {s.seat: Mark(s.seat, s.letter, s.colour, s.name) for s in seats}


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
    return _("Board: {map}").format(map=_(scene.board.name))


def describe(scene: Scene) -> str:
    """Return the board in a few sentences: regions, and who has built where."""
    in_play = scene.regions if scene.drafted is None else scene.drafted
    regions = [_(r.name) for r in scene.board.regions if r.id in in_play]
    lines = [_("No region is in play yet.")]
    if regions:
        lines = [_("Regions in play: {names}.").format(names=series(regions))]
    for seat, mark in scene.marks.items():
        own = [c.name for c in scene.board.cities if seat in scene.houses.get(c.id, ())]
        count = ngettext("{n} city", "{n} cities", len(own)).format(n=len(own))
        told = (
            _("{name} ({letter}), {count}: {cities}.") if own else _("{name} ({letter}), {count}.")
        )
        values = {"name": mark.name, "letter": mark.letter, "count": count}
        lines.append(told.format(cities=series(own), **values))
    planned = [c.name for c in scene.board.cities if c.id in scene.planned]
    if planned:
        lines.append(_("Planned: {names}.").format(names=series(planned)))
    return "\n".join(lines)


def city_rows(scene: Scene) -> tuple[CityRow, ...]:
    """Return every city in play, by region as the map lists them."""
    region = {r.id: _(r.name) for r in scene.board.regions}
    in_play = scene.regions if scene.drafted is None else scene.drafted
    return tuple(
        CityRow(
            city=city.id,
            name=city.name,
            region=region[city.region],
            owners=tuple(scene.marks[seat].name for seat in scene.houses.get(city.id, ())),
            places_left=max(0, scene.holds(city) - len(scene.houses.get(city.id, ()))),
        )
        for city in scene.board.cities
        if city.region in in_play
    )
