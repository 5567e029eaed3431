"""From what a seat may see to what is drawn."""

from collections.abc import Iterable, Mapping, Sequence

from core.drawing.scene import Look, Mark, Scene
from core.game.observe import PlayerView
from core.game.offers import BuildOffer
from core.game.types import CityId, Elektro, Seat
from core.tableview import SeatSeen


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

    Args:
        view: the position.
        seats: how the seats are named, lettered and coloured.
        planned: cities that the seat is about to build; they are no longer offered.
        paths: ways to highlight, each city after city.
        ringed: cities to look at, for instance those that have changed.
        look: where the colours come from, see `Look`.
    """
    wanted = frozenset(planned)
    return Scene(
        board=view.ruleset.map,
        regions=frozenset(view.regions),
        marks=marks(seats),
        houses={city: view.houses(city) for city in view.ruleset.city},
        open_places=view.step,
        planned={} if view.seat is None else dict.fromkeys(sorted(wanted), view.seat),
        targets={city: cost for city, cost in _targets(view).items() if city not in wanted},
        ringed=frozenset(ringed),
        paths=tuple(tuple(path) for path in paths),
        look=look,
    )


def marks(seats: Sequence[SeatSeen]) -> Mapping[Seat, Mark]:
    """Return how each seat shows on the board."""
    return {s.seat: Mark(s.seat, s.letter, s.colour, s.name) for s in seats}


def _targets(view: PlayerView) -> Mapping[CityId, Elektro]:
    if not isinstance(view.offer, BuildOffer):
        return {}
    return {target.city: target.total for target in view.offer.targets}
