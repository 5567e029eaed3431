"""Plant cards and the fuel market as SVG, readable without words."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from core.drawing import svg
from core.drawing.geometry import Box, Point
from core.game.narrate.wording import fuel_name, plant_use
from core.game.rules.knobs import Plant, Track
from core.game.types import STEP_3_CARD, Elektro, Fuel, PlantNumber, Resource
from core.lists import series
from core.text import _

NO_FUEL: Final = "none"
"""Class and colour of what burns nothing."""
_SHAPES: Final = {
    Resource.COAL.value: "M-7.5 2.5L-5.5-4.5 0-7.5 6-4.5 7.5 2 3.5 7-4.5 6.5Z",
    Resource.OIL.value: "M0-8C3.5-3 6 0 6 3A6 5.6 0 0 1-6 3C-6 0-3.5-3 0-8Z",
    Resource.GARBAGE.value: "M-7-6H-2.5V-8H2.5V-6H7V-3.5H-7ZM-5.8-2.2H5.8L4.6 7.5H-4.6Z",
    Resource.URANIUM.value: (
        "M2 0A2 2 0 1 1-2 0 2 2 0 1 1 2 0Z"
        "M3.4 0H8A8 8 0 0 0 4-6.93L1.7-2.94A3.4 3.4 0 0 1 3.4 0Z"
        "M-1.7-2.94L-4-6.93A8 8 0 0 0-8 0H-3.4A3.4 3.4 0 0 1-1.7-2.94Z"
        "M-1.7 2.94L-4 6.93A8 8 0 0 0 4 6.93L1.7 2.94A3.4 3.4 0 0 1-1.7 2.94Z"
    ),
    NO_FUEL: (
        "M3.8 0A3.8 3.8 0 1 1-3.8 0 3.8 3.8 0 1 1 3.8 0Z"
        "M-1-8H1V-5H-1ZM-1 5H1V8H-1ZM-8-1H-5V1H-8ZM5-1H8V1H5Z"
        "M4.3-5.7L5.7-4.3 4-2.9 2.9-4ZM-4.3-5.7L-5.7-4.3-4-2.9-2.9-4Z"
        "M4.3 5.7L5.7 4.3 4 2.9 2.9 4ZM-4.3 5.7L-5.7 4.3-4 2.9-2.9 4Z"
    ),
}
_CUTS: Final = {
    Resource.COAL.value: "M-7-.5L-1 1 1.5-5.5M-1 1L1 6.5M-1 1L7-.5",
    Resource.OIL.value: "M-3.2 2.6A3.4 3.4 0 0 0-.4 5.6",
    Resource.GARBAGE.value: "M-2.2 .5L-1.7 5M2.2 .5L1.7 5",
}
"""Lines left white inside, so that the shape reads without its colour."""


@lru_cache(maxsize=1024)
def icon(fuel: str, at: Point, scale: float = 1.0) -> str:
    """Return the picture of a fuel, by the value of its `Resource` or `NO_FUEL`."""
    parts = [svg.tag("path", d=_SHAPES[fuel], class_=fuel)]
    if fuel in _CUTS:
        parts.append(svg.tag("path", d=_CUTS[fuel], class_="cut"))
    grown = "" if scale == 1 else f" scale({scale:.2f})"
    return svg.tag(
        "g", *parts, transform=f"translate({svg.number(at[0])} {svg.number(at[1])}){grown}"
    )


def fuel_icon(fuel: str) -> str:
    """Return the picture alone, to stand before its word; hidden from readers of the screen."""
    return svg.tag(
        "svg",
        icon(fuel, (0, 0)),
        xmlns="http://www.w3.org/2000/svg",
        class_="icon",
        aria_hidden="true",
        viewBox="-9 -9 18 18",
        width=20,
        height=20,
    )


_CARD: Final = Box(1, 1, 123, 79)
_MIDDLE: Final = 62.0
_NEED: Final = 34.0
_BAND: Final = 34.0
_PRICES: Final = 30.0
_COLUMN: Final = 58.0
_SLOT: Final = 16.0
_RUNG: Final = 22.0
_HEAD: Final = 44.0


def plant_card(plant: Plant) -> str:
    """Draw a plant: number on the colour of its fuel, what it burns, the cities it powers."""
    fuels = [fuel.value for fuel in plant.fuels] or [NO_FUEL]
    wide = _CARD.width / len(fuels)
    bands = (
        svg.rect(Box(_CARD.left + i * wide, 1, _CARD.left + (i + 1) * wide, _BAND), fuel)
        for i, fuel in enumerate(fuels)
    )
    return _card(
        _("Plant {number}: {use}").format(number=plant.number, use=plant_use(plant)),
        *bands,
        svg.rect(_CARD, "rim", 2),
        svg.text(str(plant.number), (_MIDDLE, 26.5), "number"),
        *_need(plant, fuels),
        *_gives(plant),
    )


def _gives(plant: Plant) -> Iterator[str]:
    """Yield the cities it powers; of a mine how often the price of uranium it is paid."""
    if plant.mine:
        yield svg.text(f"× {plant.cities}", (98, 64), "cities")
        return
    yield svg.tag("path", d="M68 57H80M75 52L80 57 75 62", class_="arrow")
    yield svg.tag("path", d="M86 66V57L93 50 100 57V66Z", class_="roof")
    yield svg.text(str(plant.cities), (110, 64), "cities")


def step_3_card() -> str:
    """Return the Step 3 card: three houses, no plant."""
    houses = (
        svg.tag("path", d="M-9 12V-1L0-10 9-1V12Z", class_="roof", transform=f"translate({x} 56)")
        for x in (34, 62, 90)
    )
    band = svg.rect(Box(_CARD.left, 1, _CARD.right, _BAND), "band")
    rim = svg.rect(_CARD, "rim", 2)
    return _card(_("Step 3"), band, rim, svg.text("3", (_MIDDLE, 26.5), "number"), *houses)


def card(number: PlantNumber, plants: Mapping[PlantNumber, Plant]) -> str:
    """Return the card of that number, be it a plant or the Step 3 card."""
    return step_3_card() if number == STEP_3_CARD else plant_card(plants[number])


def ladder(tracks: Mapping[Resource, Track], market: Fuel, coming: Fuel = Fuel()) -> str:
    """Draw the fuel market (R4): a column per fuel, a rung per price, the next token framed.

    `coming`: tokens that the next refill will bring, drawn dashed.
    """
    prices = sorted({price for track in tracks.values() for price in track.prices})
    rung = {price: _HEAD + (i + 0.5) * _RUNG for i, price in enumerate(prices)}
    box = Box(0, 0, _PRICES + _COLUMN * len(tracks), _HEAD + _RUNG * len(prices) + 4)
    words = series(f"{fuel_name(r)} {market[r]}" for r in tracks)
    return _drawing(
        "ladder",
        _("Fuel market: {fuels}").format(fuels=words),
        box,
        *_rungs(rung, box.right),
        *(
            part
            for i, (fuel, track) in enumerate(tracks.items())
            for part in _column(
                fuel, track, (market[fuel], coming[fuel]), rung, _PRICES + (i + 0.5) * _COLUMN
            )
        ),
    )


def _card(title: str, *parts: str) -> str:
    face = svg.rect(_CARD, "face", 2)
    return _drawing("card", title, Box(0, 0, 124, 80), face, *parts)


def _drawing(class_: str, title: str, box: Box, *parts: str) -> str:
    words = svg.tag("title", svg.escape(title))
    return svg.sheet(box, words, *parts, class_=class_, role="img", aria_label=title)


def _need(plant: Plant, fuels: list[str]) -> Iterator[str]:
    """Yield one picture per token; of a hybrid each is half the one, half the other fuel."""
    if not plant.burns:
        yield icon(NO_FUEL, (_NEED, 57), 1.25)
        return
    start = _NEED - 9.5 * (plant.burns - 1)
    for i in range(plant.burns):
        x = start + 19 * i
        if plant.hybrid:
            yield icon(fuels[0], (x - 2.5, 48.5), 0.8)
            yield icon(fuels[1], (x + 2.5, 66.5), 0.8)
        else:
            yield icon(fuels[0], (x, 57), 1.05)
    if plant.hybrid:
        yield svg.tag(
            "path", d=f"M{start - 9:.0f} 57.5H{start + 19 * plant.burns - 10:.0f}", class_="or"
        )


def _rungs(rung: Mapping[Elektro, float], right: float) -> Iterator[str]:
    for price, y in rung.items():
        yield svg.text(str(price), (_PRICES / 2, y + 4.5), "rate")
        yield svg.tag(
            "path", d=svg.path(((4, y - _RUNG / 2), (right - 4, y - _RUNG / 2))), class_="rung"
        )


def _column(
    fuel: Resource,
    track: Track,
    counts: tuple[int, int],
    rung: Mapping[Elektro, float],
    middle: float,
) -> Iterator[str]:
    on_market, coming = counts
    empty = len(track.prices) - on_market
    yield icon(fuel.value, (middle - 10, 13))
    yield svg.text(str(on_market), (middle + 10, 17.5), "left")
    yield svg.text(fuel_name(fuel), (middle, 36), "fuel")
    for i, price in enumerate(track.prices):
        place = i - track.prices.index(price) - (track.prices.count(price) - 1) / 2
        at = (middle + place * _SLOT, rung[price])
        if i >= empty:
            yield icon(fuel.value, at, 0.72)
        yield svg.rect(Box.around(at, _SLOT - 2, 17), _slot_class(i, empty, coming), 1)


def _slot_class(i: int, empty: int, coming: int) -> str:
    if i == empty:
        return "next"
    return "coming" if empty - coming <= i < empty else "slot"
