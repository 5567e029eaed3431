"""Plant cards, fuels and the fuel market, readable without words."""

import re
from collections import Counter
from xml.etree import ElementTree as ET

import pytest

from core.drawing import style
from core.drawing.cards import NO_FUEL, card, fuel_icon, ladder, plant_card
from core.game.rules.load import load
from core.game.types import STEP_3_CARD, Fuel, PlantNumber, Resource

RULES = load("usa")


def classes(svg: str) -> Counter[str]:
    return Counter(e.get("class") for e in ET.fromstring(svg).iter() if e.get("class"))


def texts(svg: str) -> list[str | None]:
    return [e.text for e in ET.fromstring(svg).iter() if e.tag.endswith("text")]


@pytest.mark.parametrize("number", sorted(RULES.plant))
def test_a_card_shows_number_need_and_cities(number: PlantNumber) -> None:
    plant = RULES.plant[number]
    drawn = plant_card(plant)
    assert texts(drawn) == [str(number), str(plant.cities)]
    bands = pictures = Counter()
    bands = Counter(e.get("class") for e in ET.fromstring(drawn).iter() if e.tag.endswith("rect"))
    pictures = Counter(
        e.get("class") for e in ET.fromstring(drawn).iter() if e.tag.endswith("path")
    )
    for fuel in plant.fuels or (None,):
        name = fuel.value if fuel else NO_FUEL
        assert bands[name] == 1
        assert pictures[name] == (plant.burns or 1)
    assert f"Plant {number}: " in (ET.fromstring(drawn).get("aria-label") or "")


def test_the_step_3_card() -> None:
    drawn = card(STEP_3_CARD, RULES.plant)
    assert texts(drawn) == ["3"]
    assert classes(drawn)["roof"] == 3
    assert card(PlantNumber(20), RULES.plant) == plant_card(RULES.plant[PlantNumber(20)])


def test_the_market_shows_what_is_left_what_is_next_and_what_comes() -> None:
    market, coming = Fuel(17, 9, 6, 2), Fuel(5, 3, 2, 1)
    found = classes(ladder(RULES.tracks, market, coming))
    for fuel in Resource:
        assert found[fuel.value] == market[fuel] + 1  # and once at the head of its column
    assert found["next"] == 4
    assert found["coming"] == coming.total
    assert found["next"] + found["coming"] + found["slot"] == 24 * 3 + 12


@pytest.mark.parametrize(
    ("market", "ahead", "coming"),
    [(Fuel(), 0, 0), (Fuel(24, 24, 24, 12), 4, 0), (Fuel(coal=22), 1, 2)],
)
def test_a_market_that_is_empty_or_full(market: Fuel, ahead: int, coming: int) -> None:
    found = classes(ladder(RULES.tracks, market, Fuel(coal=5) if coming else Fuel()))
    assert (found["next"], found["coming"]) == (ahead, coming)


def test_the_market_in_words() -> None:
    drawn = ET.fromstring(ladder(RULES.tracks, Fuel(17, 9, 6, 2)))
    assert drawn.get("aria-label") == "Fuel market: coal 17, oil 9, garbage 6, uranium 2"


def test_a_fuel_has_its_own_shape() -> None:
    shapes = {re.findall(r' d="([^"]+)"', fuel_icon(f))[0] for f in (*Resource, NO_FUEL)}
    assert len(shapes) == 5


def test_every_class_of_a_card_has_a_rule() -> None:
    drawn = ladder(RULES.tracks, Fuel(1, 1, 1, 1), Fuel(1, 1, 1, 1)) + card(
        STEP_3_CARD, RULES.plant
    )
    drawn += "".join(plant_card(plant) for plant in RULES.plants)
    used = {word for words in re.findall(r'class="([^"]+)"', drawn) for word in words.split()}
    assert used <= set(re.findall(r"\.([a-z][a-z0-9-]*)", style.RULES))
