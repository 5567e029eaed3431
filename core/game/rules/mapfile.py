"""A map file: regions, cities, connections, and what an edition prints differently."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from core.game.errors import RulesError
from core.game.rules.model import City, Connection, Map, Region
from core.game.types import CityId, Elektro, RegionId

_KEYS: Final = {
    "name", "description", "outline", "countries",
    "regions", "cities", "connections", "rules", "editions",
}  # fmt: skip
_EDITION_KEYS: Final = {"replace", "cities", "connections", "rules"}
_CITY: Final = TypeAdapter(City)

Table = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class MapFile:
    """What a map file says for one edition: the board, and the rules it changes."""

    board: Map
    rules: Table
    edition_rules: Table


def parse(path: Path, document: Table, edition: str) -> MapFile:
    """Build the board of an `edition` ("" for the first one) from a parsed map file.

    An edition that the file does not name has the first board.

    Raises:
        RulesError: names the file, the key and the reason.
    """
    where = path.name
    _only(where, "", document, _KEYS)
    printed = _table(where, f"editions.{edition}", _table(where, "editions", document), edition)
    _only(where, f"editions.{edition}.", printed, _EDITION_KEYS)
    swap = _table(where, f"editions.{edition}.replace", printed, "replace")
    board = Map(
        key=path.stem,
        name=str(document.get("name", "")),
        regions=tuple(
            Region(id=RegionId(key), name=str(name))
            for key, name in _table(where, "regions", document).items()
        ),
        cities=_cities(where, document, printed, swap),
        connections=_connections(where, document, printed, swap),
        outline=str(document.get("outline", "")),
    )
    return MapFile(board, _table(where, "rules", document), _table(where, "rules", printed))


def _cities(where: str, document: Table, printed: Table, swap: Table) -> tuple[City, ...]:
    own, new = _table(where, "cities", document), dict(_table(where, "cities", printed))
    for old, city in swap.items():
        if old not in own or city not in new:
            raise RulesError(f"{where}: replace.{old}: needs this city and a new one {city!r}")
    kept = {swap.get(key, key): new.pop(swap.get(key, key), row) for key, row in own.items()}
    return tuple(_city(where, key, row) for key, row in (kept | new).items())


def _city(where: str, key: str, row: object) -> City:
    if not isinstance(row, Mapping):
        raise RulesError(f"{where}: cities.{key}: needs name, region, lat and lon")
    try:
        return _CITY.validate_python({"id": key, **row})
    except ValidationError as error:
        raise RulesError(f"{where}: cities.{key}.{first_reason(error)}") from error


def _connections(
    where: str, document: Table, printed: Table, swap: Table
) -> tuple[Connection, ...]:
    costs: dict[tuple[str, str], object] = {}
    for a, b, cost in _pairs(where, document):
        pair = (swap.get(a, a), swap.get(b, b))
        if pair in costs or pair[::-1] in costs:
            raise RulesError(f"{where}: connections.{a}.{b}: listed twice")
        costs[pair] = cost
    for a, b, cost in _pairs(where, printed):
        pair = (b, a) if (b, a) in costs else (a, b)
        if cost is False and pair not in costs:
            raise RulesError(f"{where}: connections.{a}.{b}: not there, so cannot be taken away")
        costs[pair] = cost
    return tuple(
        _connection(where, *pair, cost) for pair, cost in costs.items() if cost is not False
    )


def _pairs(where: str, document: Table) -> list[tuple[str, str, object]]:
    rows = _table(where, "connections", document)
    return [(a, b, c) for a in rows for b, c in _table(where, f"connections.{a}", rows, a).items()]


def _connection(where: str, a: str, b: str, cost: object) -> Connection:
    if not isinstance(cost, int) or isinstance(cost, bool):
        raise RulesError(f"{where}: connections.{a}.{b}: the cost must be a whole number")
    return Connection(CityId(a), CityId(b), Elektro(cost))


def _table(where: str, name: str, document: Table, key: str | None = None) -> Table:
    value = document.get(key or name.rpartition(".")[2], {})
    if not isinstance(value, Mapping):
        raise RulesError(f"{where}: {name}: must be a table")
    return value


def _only(where: str, prefix: str, table: Table, known: set[str]) -> None:
    for key in table:
        if key not in known:
            raise RulesError(
                f"{where}: {prefix}{key}: unknown; known are {', '.join(sorted(known))}"
            )


def first_reason(error: ValidationError) -> str:
    """The first thing that pydantic found wrong: place and reason in one line."""
    first = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg']}" if place else first["msg"]
