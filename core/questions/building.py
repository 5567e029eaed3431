"""Lines for building: nothing, single cities, and chains priced city by city."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from core.game.moves import BuildCities
from core.game.narrate import wording
from core.game.observe import PlayerView
from core.game.offers import BuildOffer, BuildTarget
from core.game.phases.building import targets
from core.game.types import CityId, Elektro
from core.questions.command import Command, command, viewer
from core.text import _

_SINGLES: Final = 8
_PAIRS: Final = 3
Chain = tuple[BuildTarget, ...]


def build_lines(view: PlayerView, offer: BuildOffer) -> tuple[Command, ...]:
    """Nothing, the cheapest cities alone, the cheapest pairs, and ever longer cheapest chains."""
    singles: list[Chain] = [(target,) for target in offer.targets[:_SINGLES]]
    pairs = [longer for chain in singles[:_PAIRS] for longer in _longer(view, chain, _PAIRS)]
    chains: dict[frozenset[CityId], Chain] = {}
    for chain in (*singles, *pairs, *_growing(view, singles)):
        key = frozenset(target.city for target in chain)
        if key not in chains or _price(chain) < _price(chains[key]):
            chains[key] = chain
    lines = [command(view, BuildCities(()), _("{left} left").format(left=offer.elektro))]
    ordered = sorted(chains.values(), key=lambda chain: (len(chain), _price(chain)))
    lines += [
        command(view, BuildCities(tuple(t.city for t in chain)), _note(view, offer, chain))
        for chain in ordered
    ]
    return tuple(lines)


def after(view: PlayerView, cities: Sequence[CityId]) -> PlayerView:
    """The view as if the viewer had built these cities: only his network grows."""
    me = viewer(view)
    grown = replace(me, cities=(*me.cities, *cities))
    seats = tuple(grown if p.seat == me.seat else p for p in view.players)
    return replace(view, players=seats)


def next_targets(view: PlayerView, chain: Sequence[BuildTarget]) -> list[BuildTarget]:
    """What can be built behind a chain with the money it leaves, cheapest first (R9.3)."""
    me = viewer(view)
    if _ends_game(view, len(chain)):
        return []
    left = (me.elektro or 0) - _price(chain)
    grown = after(view, [target.city for target in chain])
    within = [target for target in targets(grown, me.seat) if target.total <= left]
    return sorted(within, key=lambda target: (target.total, target.city))


def _ends_game(view: PlayerView, more: int) -> bool:
    """Where the game ends at once, nothing is built behind the last city (B27)."""
    cities = len(viewer(view).cities) + more
    return view.ruleset.end_timing == "immediate" and cities >= view.numbers.end_cities


def _longer(view: PlayerView, chain: Chain, most: int) -> list[Chain]:
    return [(*chain, target) for target in next_targets(view, chain)[:most]]


def _growing(view: PlayerView, singles: list[Chain]) -> list[Chain]:
    """From the cheapest city on, always the next cheapest, as far as the money goes."""
    chains, longest = [], singles[:1]
    while longest:
        longest = _longer(view, longest[0], 1)
        chains += longest
    return chains


def _price(chain: Sequence[BuildTarget]) -> Elektro:
    return Elektro(sum(target.total for target in chain))


def _note(view: PlayerView, offer: BuildOffer, chain: Chain) -> str:
    ways = sum(target.connection_cost for target in chain)
    price = _price(chain)
    return _("{price} Elektro ({ways} for connections), {left} left; {cities}").format(
        price=price,
        ways=ways,
        left=offer.elektro - price,
        cities=wording.cities(len(viewer(view).cities) + len(chain)),
    )
