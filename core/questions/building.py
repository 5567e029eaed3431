"""Which cities are built in this round, and in which order (R9)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from core.game.moves import BuildCities
from core.game.narrate import wording
from core.game.offers import BuildOffer, BuildTarget, built
from core.game.prices import chained, next_targets, reachable
from core.game.types import CityId, Elektro
from core.questions.question import Card, Command, Fields, MoveQuestion, one
from core.text import _, ngettext

_SINGLES: Final = 8
_PAIRS: Final = 3
_JUMP: Final = " by jump"
"""Behind the id of a city in a form: reached so."""
Chain = tuple[BuildTarget, ...]


@dataclass(frozen=True, slots=True)
class Priced:
    """Prices behind the cities that are ticked: `rows` of these first, then of all within reach.

    `picked`: ids of those that can be built so, in order. `total`: what they cost. `left`: what is
    left, below nothing if it is too much.
    """

    rows: Sequence[Mapping[str, Any]]
    picked: tuple[str, ...]
    total: int
    left: int

    @property
    def targets(self) -> dict[CityId, Elektro]:
        """The price of each city on the map; of two ways the cheaper one, or the picked one."""
        return {row["city"]: row["total"] for row in reversed(self.rows)}

    @property
    def dear(self) -> list[CityId]:
        """Cities for which the money that is left does not do."""
        enough = {row["city"] for row in self.rows if not row["dear"]}
        return [row["city"] for row in self.rows if row["city"] not in enough]

    @property
    def chosen(self) -> list[CityId]:
        """Cities that are picked."""
        return [row["city"] for row in self.rows if row["id"] in self.picked]


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
        return [row for row in self.priced({}).rows if not row["dear"]]

    def priced(self, fields: Fields) -> "Priced":
        """Return every price as it is once the cities that are ticked have been built."""
        chain = chained(self.view, self.move(fields))
        left = self.offer.elektro - _price(chain)
        picked = [self._row(target, target.total) for target in chain]
        rows = [self._row(target, left) for target in reachable(self.view, chain)]
        return Priced((*picked, *rows), tuple(map(self._id, chain)), _price(chain), left)

    def _row(self, target: BuildTarget, left: int) -> Mapping[str, Any]:
        return {
            "id": self._id(target),
            "city": target.city,
            "name": self.rules.city[target.city].name,
            "house": target.house_cost,
            "connection": target.connection_cost,
            "total": target.total,
            "dear": target.total > left,
            "place": self._place(target),
        }

    def _place(self, target: BuildTarget) -> str:
        """Region, the way from the network, and how many more houses fit."""
        places = self.rules.city[target.city].holds(self.view.step)
        left = places - len(self.view.houses(target.city))
        parts = [_(self.rules.region[self.rules.city[target.city].region].name)]
        if target.jump:
            parts.insert(0, _("by the free jump, once a game"))
        if len(target.path) > 2:
            via = " – ".join(self.rules.city[city].name for city in target.path[1:-1])
            parts.append(_("via {cities}").format(cities=via))
        parts.append(ngettext("{n} place left", "{n} places left", left).format(n=left))
        return " · ".join(parts)

    def move(self, fields: Fields) -> BuildCities:
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
