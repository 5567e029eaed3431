"""From data files to a complete `Ruleset`.

The layers, each over the one before: the standard variant, the chosen variant, the map, the map in
the variant's edition, the options of this table. A layer names only what it changes.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter, ValidationError

from core.game.errors import RulesError
from core.game.rules import catalog, check
from core.game.rules.knobs import City, Connection, Map, Plant, Region, Ruleset
from core.game.rules.old_keys import renamed
from core.game.types import CityId, Elektro, RegionId

_KEYS: Final = {
    "name", "description", "front", "outline", "countries",
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
    """Return the first thing that pydantic found wrong: place and reason in one line."""
    first = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg']}" if place else first["msg"]


_NOT_RULES: Final = ("variant", "variant_name", "variant_edition", "map", "plants")
_HINTS: Final = get_type_hints(Ruleset)
_ADAPTERS: Final[dict[str, TypeAdapter[Any]]] = {
    field.name: TypeAdapter(_HINTS[field.name])
    for field in fields(Ruleset)
    if field.name not in _NOT_RULES
}
KNOBS: Final = tuple(_ADAPTERS)
"""Every key that a variant, a map or the options of a table may set."""
_PLANTS: Final = TypeAdapter(tuple[Plant, ...])
_VARIANT_KEYS: Final = {
    "name", "description", "version", "edition", "deck", "rules", "sentences",
}  # fmt: skip
_NO_VALUE: Final = ("", "false")
_NO_OPTIONS: Final[Mapping[str, object]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class _Layer:
    where: str
    rules: Mapping[str, Any]


def load(
    map: str,
    variant: str = catalog.STANDARD,
    options: Mapping[str, object] = _NO_OPTIONS,
    extra_dir: Path | None = None,
) -> Ruleset:
    """Return the complete rules of a table.

    Args:
        map: key of a map file.
        variant: key of a variant file.
        options: single knobs changed for this table. Text as from a form is read, too: a list as
            ``3,3,4,5,5``, none as ``false``. ``garbage.start_from`` is one number of a track.
        extra_dir: a further folder with map files; its maps are read afresh each time.

    Raises:
        RulesError: no such map or variant, an unknown or impossible value; says where and why.
    """
    if extra_dir is None:
        return _load_cached(map, variant, json.dumps(dict(options), sort_keys=True))
    return _load(catalog.find("maps", map, extra_dir), variant, options)


def load_map(path: Path, edition: str = "") -> Map:
    """Return the board of a map file, wherever it lies, as an `edition` prints it.

    Raises:
        RulesError: names the file, the key and the reason.
    """
    return parse(path, catalog.read(path), edition).board


@lru_cache(maxsize=256)
def _load_cached(map: str, variant: str, options: str) -> Ruleset:
    return _load(catalog.find("maps", map), variant, json.loads(options))


def _load(map_path: Path, variant: str, options: Mapping[str, object]) -> Ruleset:
    base, chosen = _variant(catalog.STANDARD), _variant(variant)
    edition = str(chosen.get("edition", ""))
    board = parse(map_path, catalog.read(map_path), edition)
    layers = (
        _Layer(f"{catalog.STANDARD}.toml", base["rules"]),
        _Layer(f"{variant}.toml", _within(board.board, chosen["rules"])),
        _Layer(map_path.name, renamed(board.rules)),
        _Layer(f"{map_path.name}: editions.{edition}", renamed(board.edition_rules)),
        _Layer("options", renamed(_nested(options))),
    )
    values = _merge(layers)
    rules = Ruleset(
        variant=variant,
        variant_name=chosen["name"],
        variant_edition=chosen.get("version", 1),
        map=board.board,
        plants=_plants(chosen.get("deck", base["deck"])),
        **values,
    )
    for problem in check.problems(rules):
        where = _to_blame(problem.key, layers) or map_path.name
        raise RulesError(f"{where}: {problem.key}: {problem.reason}")
    return rules


def _merge(layers: Sequence[_Layer]) -> dict[str, Any]:
    raw: dict[str, Any] = {}
    values: dict[str, Any] = {}
    for layer in layers:
        for key, value in layer.rules.items():
            if key not in _ADAPTERS:
                known = ", ".join(sorted(KNOBS))
                raise RulesError(f"{layer.where}: {key}: no such rule; there are {known}")
            deeper = isinstance(value, Mapping) and isinstance(raw.get(key), Mapping)
            raw[key] = {**raw[key], **value} if deeper else value
            values[key] = _value(layer.where, key, raw[key])
    missing = sorted(set(KNOBS) - set(values))
    if missing:
        raise RulesError(f"{layers[0].where}: {missing[0]}: missing")
    return values


def _within(board: Map, rules: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the rules of a variant, with no more regions in play than the map has (B4)."""
    wanted = rules.get("regions_in_play")
    if not isinstance(wanted, list):
        return rules
    return {**rules, "regions_in_play": [min(n, len(board.regions)) for n in wanted]}


def _nested(options: Mapping[str, object]) -> dict[str, object]:
    """``garbage.start_from`` is part of the table ``garbage``."""
    nested: dict[str, object] = {}
    for name, value in options.items():
        key, dot, part = name.partition(".")
        if dot and isinstance(table := nested.setdefault(key, {}), dict):
            table[part] = value
        else:
            nested[name] = value
    return nested


def _to_blame(key: str, layers: Sequence[_Layer]) -> str:
    """Return the last layer that set this key or one it leans on; "" for a key of the board."""
    keys = {key, *check.LEANS_ON.get(key, ())}
    return next((layer.where for layer in reversed(layers) if keys & set(layer.rules)), "")


def _value(where: str, key: str, value: object) -> object:
    """Return a value of the knob's own type; none is `false` in TOML and in a form."""
    hint = _HINTS[key]
    if type(None) in get_args(hint) and (value is False or value in _NO_VALUE):
        return None
    if isinstance(value, str):
        value = _from_text(key, value)
    try:
        return _ADAPTERS[key].validate_python(value)
    except ValidationError as error:
        reason = first_reason(error)
        raise RulesError(f"{where}: {key}: {reason}, not {value!r}") from error


def _from_text(key: str, text: str) -> object:
    """Read a list as a form writes it, ``3,4`` or ``3,4/3/3//``, or a whole number."""
    hint = _HINTS[key]
    either = (hint,) if get_origin(hint) is tuple else get_args(hint)
    if any(get_origin(one) is tuple for one in either):
        lists = [tuple(part.replace(",", " ").split()) for part in text.split("/")]
        if text in _NO_VALUE:
            return ()
        return tuple(lists) if len(lists) > 1 else lists[0]
    return int(text) if get_origin(hint) is Literal and text.isdigit() else text


@lru_cache(maxsize=32)
def _variant(key: str) -> dict[str, Any]:
    path = catalog.find("variants", key)
    document = catalog.read(path)
    for name in document:
        if name not in _VARIANT_KEYS:
            known = ", ".join(sorted(_VARIANT_KEYS))
            raise RulesError(f"{path.name}: {name}: unknown; known are {known}")
    for name in ("name", "rules"):
        if name not in document:
            raise RulesError(f"{path.name}: {name}: missing")
    return document


@lru_cache(maxsize=8)
def _plants(deck: str) -> tuple[Plant, ...]:
    path = catalog.find("decks", deck)
    try:
        return _PLANTS.validate_python(catalog.read(path).get("plants", []))
    except ValidationError as error:
        raise RulesError(f"{path.name}: plants.{first_reason(error)}") from error
