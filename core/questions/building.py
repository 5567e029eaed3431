"""Which cities are built in this round, and in which order (R9)."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from core.game.moves import BuildCities, Move
from core.game.narrate import wording
from core.game.offers import BuildOffer, BuildTarget, built
from core.game.prices import next_targets
from core.game.types import CityId, Elektro
from core.questions.question import Card, Command, Fields, MoveQuestion, one
from core.text import _, ngettext

_SINGLES: Final = 8
_PAIRS: Final = 3
_JUMP: Final = " by jump"
"""Behind the id of a city in a form: reached so."""
Chain = tuple[BuildTarget, ...]


class BuildingQuestion(MoveQuestion[BuildOffer]):
    """Connect cities: the whole building of the round."""

    template = "building"
    fields = ("city", "order")

    @property
    def doing(self) -> str:
        return _("building")

    def card(self, names: Sequence[str]) -> Card:
        offer = self.offer
        text = _(
            "You have {money} Elektro and no city is within reach: you can only build nothing."
        )
        text = text.format(money=offer.elektro)
        if offer.targets:
            first = offer.targets[0]
            text = _(
                "You have {money} Elektro. {count} within reach, the cheapest {city} for {cost}. "
                "Name the cities in the order in which they are built: that is your whole "
                "building of this round."
            ).format(
                money=offer.elektro,
                count=wording.cities(len(offer.targets)),
                city=self.rules.city[first.city].name,
                cost=first.total,
            )
        return Card(_("Connect cities"), text)

    def commands(self) -> tuple[Command, ...]:
        """Return nothing, the cheapest cities alone and in pairs, and ever longer chains."""
        singles: list[Chain] = [(target,) for target in self.offer.targets[:_SINGLES]]
        pairs = [longer for chain in singles[:_PAIRS] for longer in self._longer(chain, _PAIRS)]
        chains: dict[frozenset[tuple[CityId, bool]], Chain] = {}
        for chain in (*singles, *pairs, *self._growing(singles)):
            key = frozenset((target.city, target.jump) for target in chain)
            if key not in chains or _price(chain) < _price(chains[key]):
                chains[key] = chain
        nothing = self.command(BuildCities(()), _("{left} left").format(left=self.offer.elektro))
        ordered = sorted(chains.values(), key=lambda chain: (len(chain), _price(chain)))
        return (nothing, *map(self._command, ordered))

    def _longer(self, chain: Chain, most: int) -> list[Chain]:
        return [(*chain, target) for target in next_targets(self.view, chain)[:most]]

    def _growing(self, singles: list[Chain]) -> list[Chain]:
        """From the cheapest city on, always the next cheapest, as far as the money goes."""
        chains, longest = [], singles[:1]
        while longest:
            longest = self._longer(longest[0], 1)
            chains += longest
        return chains

    def _command(self, chain: Chain) -> Command:
        price = _price(chain)
        note = _("{price} Elektro ({ways} for connections), {left} left; {cities}").format(
            price=price,
            ways=sum(target.connection_cost for target in chain),
            left=self.offer.elektro - price,
            cities=wording.cities(len(self.me.cities) + len(chain)),
        )
        return self.command(built(chain), note)

    @property
    def rows(self) -> Sequence[Mapping[str, Any]]:
        return [
            {
                "id": self._id(target),
                "name": self.rules.city[target.city].name,
                "house": target.house_cost,
                "connection": target.connection_cost,
                "total": target.total,
                "place": self._place(target),
            }
            for target in self.offer.targets
        ]

    def _place(self, target: BuildTarget) -> str:
        """Region, the way from the network, and how many more houses fit."""
        places = self.rules.city[target.city].holds(self.view.step)
        left = places - len(self.view.houses(target.city))
        parts = [self.rules.region[self.rules.city[target.city].region].name]
        if target.jump:
            parts.insert(0, _("by the free jump, once a game"))
        if len(target.path) > 2:
            via = " – ".join(self.rules.city[city].name for city in target.path[1:-1])
            parts.append(_("via {cities}").format(cities=via))
        parts.append(ngettext("{n} place left", "{n} places left", left).format(n=left))
        return " · ".join(parts)

    def move(self, fields: Fields) -> Move:
        ticked = set(fields.get("city", []))
        by_click = [c for c in one(fields, "order").split(",") if c in ticked]
        by_price = [i for i in map(self._id, self.offer.targets) if i in ticked]
        # a city that is no longer within reach stays in the line, so that the player hears why
        chosen = dict.fromkeys((*by_click, *by_price, *sorted(ticked)))
        jumps = [CityId(c.removesuffix(_JUMP)) for c in chosen if c.endswith(_JUMP)]
        return BuildCities(tuple(CityId(c.removesuffix(_JUMP)) for c in chosen), tuple(jumps))

    def _id(self, target: BuildTarget) -> str:
        return target.city + _JUMP if target.jump else target.city


def _price(chain: Sequence[BuildTarget]) -> Elektro:
    return Elektro(sum(target.total for target in chain))
