"""Plant cards and the fuel market as SVG, readable without words."""

from collections.abc import Iterator, Mapping
from typing import Final

from core.drawing import style, svg
from core.drawing.geometry import Box
from core.drawing.icons import NO_FUEL, icon
from core.drawing.scene import Look
from core.game.narrate.wording import fuel_name, plant_use
from core.game.rules.model import FuelTrack, Plant
from core.game.types import STEP_3_CARD, Elektro, Fuel, PlantNumber, Resource
from core.text import _

_CARD: Final = Box(1, 1, 123, 79)
_MIDDLE: Final = 62.0
_NEED: Final = 34.0
_BAND: Final = 34.0
_SLOT: Final = 15.0
_ROW: Final = 24.0
_HEAD: Final = 24.0
_WORD: Final = 100.0


def plant_card(plant: Plant, look: Look = "page") -> str:
    """A plant: number on the colour of its fuel, what it burns, an arrow, the cities it powers."""
    fuels = [fuel.value for fuel in plant.fuels] or [NO_FUEL]
    wide = (_CARD.right - _CARD.left) / len(fuels)
    bands = (
        svg.rect(Box(_CARD.left + i * wide, 1, _CARD.left + (i + 1) * wide, _BAND), fuel)
        for i, fuel in enumerate(fuels)
    )
    return _card(
        look,
        _("Plant {number}: {use}").format(number=plant.number, use=plant_use(plant)),
        *bands,
        svg.rect(_CARD, "rim", 2),
        svg.text(str(plant.number), (_MIDDLE, 26.5), "number"),
        *_need(plant, fuels),
        svg.tag("path", d="M68 57H80M75 52L80 57 75 62", class_="arrow"),
        svg.tag("path", d="M86 66V57L93 50 100 57V66Z", class_="roof"),
        svg.text(str(plant.cities), (110, 64), "cities"),
    )


def step_3_card(look: Look = "page") -> str:
    """The Step 3 card: three houses, no plant."""
    houses = (
        svg.tag("path", d="M-9 12V-1L0-10 9-1V12Z", class_="roof", transform=f"translate({x} 56)")
        for x in (34, 62, 90)
    )
    band = svg.rect(Box(_CARD.left, 1, _CARD.right, _BAND), "band")
    rim = svg.rect(_CARD, "rim", 2)
    return _card(look, _("Step 3"), band, rim, svg.text("3", (_MIDDLE, 26.5), "number"), *houses)


def card(number: PlantNumber, plants: Mapping[PlantNumber, Plant], look: Look = "page") -> str:
    """The card of that number, be it a plant or the Step 3 card."""
    return step_3_card(look) if number == STEP_3_CARD else plant_card(plants[number], look)


def ladder(
    tracks: Mapping[Resource, FuelTrack],
    market: Fuel,
    coming: Fuel = Fuel(),
    look: Look = "page",
) -> str:
    """The fuel market (R4): a row per fuel, a column per price, the next token to go framed.

    `coming`: tokens that the next refill will bring, drawn dashed.
    """
    prices = sorted({price for track in tracks.values() for price in track.prices})
    columns = _columns(tracks, prices)
    right = max(end for _, end in columns.values()) + 4
    bottom = _HEAD + _ROW * len(tracks) + 4
    words = ", ".join(f"{fuel_name(r)} {market[r]}" for r in tracks)
    return _drawing(
        "ladder",
        look,
        _("Fuel market: {fuels}").format(fuels=words),
        Box(0, 0, right, bottom),
        *_head(columns, bottom),
        *(
            part
            for i, (fuel, track) in enumerate(tracks.items())
            for part in _row(fuel, track, (market[fuel], coming[fuel]), columns, _HEAD + i * _ROW)
        ),
    )


def _card(look: Look, title: str, *parts: str) -> str:
    face = svg.rect(_CARD, "face", 2)
    return _drawing("card", look, title, Box(0, 0, 124, 80), face, *parts)


def _drawing(class_: str, look: Look, title: str, box: Box, *parts: str) -> str:
    own = () if look == "page" else (svg.tag("style", style.alone(look)), svg.rect(box, "back"))
    return svg.tag(
        "svg",
        svg.tag("title", svg.escape(title)),
        *own,
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        class_=class_,
        role="img",
        aria_label=title,
        viewBox=f"0 0 {svg.number(box.right)} {svg.number(box.bottom)}",
        width=box.right,
        height=box.bottom,
        font_family="DejaVu Sans",
        font_stretch="condensed",
    )


def _need(plant: Plant, fuels: list[str]) -> Iterator[str]:
    """One picture per token; of a hybrid each is half the one, half the other fuel."""
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


_Columns = dict[Elektro, tuple[float, float]]


def _columns(tracks: Mapping[Resource, FuelTrack], prices: list[Elektro]) -> _Columns:
    """Left and right of each price, as wide as the fuel with the most slots there."""
    columns: _Columns = {}
    x = _WORD
    for price in prices:
        slots = max(track.prices.count(price) for track in tracks.values())
        wide = max(slots * _SLOT, 19.0) + 5
        columns[price] = (x, x + wide)
        x += wide
    return columns


def _head(columns: _Columns, bottom: float) -> Iterator[str]:
    for price, (left, right) in columns.items():
        yield svg.text(str(price), ((left + right) / 2, 16), "rate")
        yield svg.tag("path", d=svg.path(((left, 4), (left, bottom - 4))), class_="rung")


def _row(
    fuel: Resource, track: FuelTrack, counts: tuple[int, int], columns: _Columns, top: float
) -> Iterator[str]:
    on_market, coming = counts
    middle, empty = top + _ROW / 2, len(track.prices) - on_market
    yield icon(fuel.value, (11, middle))
    yield svg.text(fuel_name(fuel), (24, middle + 4.5), "fuel")
    yield svg.text(str(on_market), (_WORD - 14, middle + 4.5), "left")
    for i, price in enumerate(track.prices):
        left, right = columns[price]
        many, place = track.prices.count(price), i - track.prices.index(price)
        x = (left + right - many * _SLOT) / 2 + (place + 0.5) * _SLOT
        slot = Box.around((x, middle), _SLOT - 2, 18)
        if i >= empty:
            yield icon(fuel.value, (x, middle), 0.72)
        yield svg.rect(slot, _slot_class(i, empty, coming), 1)


def _slot_class(i: int, empty: int, coming: int) -> str:
    if i == empty:
        return "next"
    return "coming" if empty - coming <= i < empty else "slot"
