"""Boards put together from a base and stamps are the whole drawing's picture."""

from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from random import Random

import pytest
from PIL import Image, ImageChops

from core.drawing import composed, raster
from core.drawing.board import board
from core.drawing.scene import Mark, Scene
from core.drawing.style import PLAYERS
from core.game.rules import catalog
from core.game.rules.load import load
from core.game.types import Elektro, Seat

MOST = 85_000
MARKS = {
    Seat(n): Mark(Seat(n), "ABCDEF"[n], colour, f"Player {n}") for n, colour in enumerate(PLAYERS)
}
MAPS = [info.key for info in catalog.maps()]
FAR, FEW = 32, 0.01
"""What counts as another colour, of 255, and how many pixels may have one: edges of letters."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(composed, "_folder", tmp_path / "boards")
    yield tmp_path / "boards"
    composed._composed.cache_clear()


def scene(name: str, step: int = 2) -> Scene:
    """A board with all that can be on one: houses beyond the Step, too, plans, prices, rings."""
    game_map, chance = load(name).map, Random(name)
    regions = frozenset(region.id for region in game_map.regions[:5])
    places = {city.id: city.size for city in game_map.cities if city.region in regions}
    cities, seats = list(places), list(MARKS)
    houses = {
        city: tuple(chance.sample(seats, chance.randrange(min(3, size + 1))))
        for city, size in places.items()
    }
    houses |= {city: (seat,) for city, seat in zip(cities, seats, strict=False)}
    roomy = max(places, key=lambda city: places[city])
    houses[roomy] = tuple(seats[: places[roomy]])
    return Scene(
        game_map,
        regions,
        MARKS,
        houses,
        step,
        planned={city: Seat(2) for city in cities[4:6]},
        targets={city: Elektro(chance.randrange(5, 120)) for city in cities[6::5]},
        ringed=frozenset(cities[2:4]),
        look="light",
    )


def image(body: bytes) -> Image.Image:
    return Image.open(BytesIO(body)).convert("RGB")


def share_off(one: Image.Image, other: Image.Image) -> float:
    """How many of the pixels differ by more than `FAR` in a colour."""
    red, green, blue = ImageChops.difference(one, other).split()
    most = ImageChops.lighter(red, ImageChops.lighter(green, blue)).histogram()
    return sum(most[FAR + 1 :]) / sum(most)


@pytest.mark.parametrize("name", MAPS)
def test_it_is_the_picture_of_the_whole_drawing(name: str) -> None:
    shown = scene(name)
    body = composed.picture(shown, MOST)
    whole = raster.raster(board(shown), 800).convert("RGB")
    assert share_off(image(body), whole) <= FEW
    assert len(body) <= MOST
    colours = {f"#{r:02x}{g:02x}{b:02x}" for _, (r, g, b) in image(body).getcolors(1 << 20) or ()}
    assert set(PLAYERS.values()) <= colours


@pytest.mark.parametrize("step", [1, 3])
def test_places_are_those_of_the_step(step: int) -> None:
    shown = scene("germany", step=step)
    whole = raster.raster(board(shown), 800).convert("RGB")
    assert share_off(image(composed.picture(shown, MOST)), whole) <= FEW
    other = image(composed.picture(replace(shown, step=4 - step), MOST))
    assert share_off(other, whole) > FEW / 4


@pytest.mark.parametrize("kind", ["houses", "planned", "targets", "ringed"])
def test_each_kind_of_stamp_lies_where_it_is_drawn(kind: str) -> None:
    """Not within the tolerance of a whole board: most of what a kind changes is changed."""
    shown = scene("france")
    none = replace(shown, houses={}, planned={}, targets={}, ringed=frozenset())
    only = replace(none, **{kind: getattr(shown, kind)})
    plain, whole = (raster.raster(board(one), 800).convert("RGB") for one in (none, only))
    assert share_off(image(composed.picture(only, MOST)), whole) < share_off(plain, whole) / 3


def test_another_house_is_another_picture() -> None:
    shown = scene("germany")
    city = next(city for city, seats in shown.houses.items() if not seats)
    more = replace(shown, houses={**shown.houses, city: (Seat(0),)})
    assert composed.picture(shown, MOST) != composed.picture(more, MOST)


def test_a_kept_base_serves_the_next_process(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = scene("italy")
    composed.base.cache_clear()
    drawn = composed.picture(shown, MOST)
    _forget()
    monkeypatch.setattr(composed, "_drawn", lambda *_: pytest.fail("drawn again"))
    assert composed.picture(shown, MOST) == drawn
    assert len(list(folder.iterdir())) == 1


def test_a_spoiled_file_is_drawn_again(folder: Path) -> None:
    shown = scene("italy")
    composed.base.cache_clear()
    drawn = composed.picture(shown, MOST)
    (file,) = folder.iterdir()
    for spoiled in (b"", b"no picture", file.read_bytes()[:-400]):
        file.write_bytes(spoiled)
        _forget()
        assert composed.picture(shown, MOST) == drawn


def test_where_nothing_can_be_written_it_is_drawn_all_the_same(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = scene("italy")
    composed.base.cache_clear()
    folder.write_text("a file where the folder should be")
    assert image(composed.picture(shown, MOST)).width == 800


def test_old_bases_make_room(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(composed, "_KEPT_FILES", 2)
    for step in (1, 2, 3):
        composed.base.cache_clear()
        composed.picture(scene("italy", step=step), MOST)
    assert len(list(folder.iterdir())) == 2


def test_a_board_that_must_be_small_is_narrower() -> None:
    assert image(composed.picture(scene("germany"), 30_000)).width < 800


def _forget() -> None:
    composed.base.cache_clear()
    composed._composed.cache_clear()
