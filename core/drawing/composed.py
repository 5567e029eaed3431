"""Boards as PNG, put together from what was drawn before: one base and many small stamps.

What stays as it is (land, names, connections, costs, the places of a Step) is rasterised once for
a map, its regions, a look, a width and a Step, and kept on disk where a folder was named; houses,
prices and rings are stamped on. That takes a thirtieth of the time of the whole drawing, and
differs from it in soft edges alone.
"""

import hashlib
import os
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from io import BytesIO
from itertools import cycle
from math import floor
from pathlib import Path
from typing import Final

from PIL import Image

from core.drawing import raster, style, svg
from core.drawing.board import Stamp, board, stamps
from core.drawing.geometry import Box
from core.drawing.layout import layout
from core.drawing.scene import Mark, Scene
from core.game.types import Elektro, Seat
from core.text import SOURCE, speaking

WIDTHS: Final = (800, 640, 480)
"""Pixels; the first that keeps a full board small enough."""
SHADES: Final = (160, 96, 48, 24)
"""Colours for soft edges, beside those that the drawing names."""
_EFFORT: Final = 6
"""Of zlib: trying every filter costs six times as much and saves 6 % of the bytes."""
_FINENESS: Final = 4
"""Stamps lie on quarters of a pixel."""
_KEPT_FILES: Final = 400


@dataclass(frozen=True, slots=True)
class Ground:
    """A board on which nobody has built: as it is drawn, and the scene that is drawn."""

    drawing: str
    scene: Scene = field(compare=False)


_folder: Path | None = None


def keep_in(folder: Path) -> None:
    """Keep bases in this folder, for other processes and for later."""
    global _folder  # noqa: PLW0603 – one a process, named when it starts
    _folder = folder


def picture(scene: Scene, most: int) -> bytes:
    """Return a board as PNG, the widest of `WIDTHS` that stays below `most` bytes when it is full.

    Args:
        scene: what to draw; its look carries its own colours.
        most: bytes that a board may have with two houses in every city.
    """
    plain = replace(scene, marks={}, houses={}, planned={}, targets={}, ringed=frozenset())
    with speaking(SOURCE) if scene.drafted is None else nullcontext():  # regions are named
        ground = Ground(board(plain), plain)
    return _composed(ground, tuple(stamps(scene)), most)


@lru_cache(maxsize=32)  # all seats of a table get the same one
def _composed(ground: Ground, put: tuple[Stamp, ...], most: int) -> bytes:
    return _packed(stamped(base(ground, most), ground, put))


def stamped(image: Image.Image, ground: Ground, put: Sequence[Stamp]) -> Image.Image:
    """Return a copy of a base (`image`, with a palette) with stamps on it."""
    image, left, top, scale = image.copy(), *_frame(image, ground)
    for stamp in put:
        x, y = (stamp.at[0] - left) * scale, (stamp.at[1] - top) * scale
        reach_x, reach_y = (floor(half * scale) + 2 for half in stamp.reach)
        corner = (floor(x) - reach_x, floor(y) - reach_y)
        shift = tuple(round((n - floor(n)) * _FINENESS) / _FINENESS for n in (x, y))
        mark = _stamp(stamp.drawn, scale, (reach_x, reach_y), shift)
        box = (*corner, corner[0] + mark.width, corner[1] + mark.height)
        under = image.crop(box).convert("RGBA")
        under.alpha_composite(mark)
        image.paste(_indexed(under.convert("RGB"), image), box)
    return image


def _frame(image: Image.Image, ground: Ground) -> tuple[float, float, float]:
    """Return where a picture begins on the sheet, left and top, and pixels for a unit of it."""
    sheet = layout(ground.scene.board).sheet
    return sheet.left, sheet.top, image.width / sheet.width


@lru_cache(maxsize=4096)
def _stamp(
    drawn: str, scale: float, reach: tuple[int, int], shift: tuple[float, float]
) -> Image.Image:
    """Return a stamp in pixels, clear around what it shows; its middle is `reach` and `shift`."""
    width, height = 2 * reach[0] + 1, 2 * reach[1] + 1
    x, y = (half + part for half, part in zip(reach, shift, strict=True))
    moved = svg.tag("g", drawn, transform=f"translate({x:.4f} {y:.4f}) scale({scale:.5f})")
    style_ = svg.tag("style", style.alone())
    return raster.raster(svg.sheet(Box(0, 0, width, height), style_, moved, class_="map"), width)


@lru_cache(maxsize=64)
def base(ground: Ground, most: int) -> Image.Image:
    """Return a board without houses, with the palette of all that may come on it."""
    digest = hashlib.sha256(f"{most} {WIDTHS} {SHADES} {ground.drawing}".encode()).hexdigest()
    kept = _folder / f"{digest}.png" if _folder else None
    if kept is not None:
        with suppress(OSError, SyntaxError), Image.open(kept) as found:  # SyntaxError: spoiled
            found.load()
            return found
    made = _drawn(ground, most)
    if kept is not None:
        with suppress(OSError):  # a full disk costs time, not the picture
            _keep(kept, _packed(made))
    return made


def _drawn(ground: Ground, most: int) -> Image.Image:
    """Return a drawing in pixels, as wide and with as many shades as a full board allows."""
    full = tuple(stamps(_full(ground)))
    for width in WIDTHS:
        plain = raster.raster(ground.drawing, width).convert("RGB")
        sample = _sample(plain, ground, full)
        for shades in SHADES:
            made = _indexed(plain, raster.palette(sample, ground.drawing, shades))
            if len(_packed(stamped(made, ground, full))) <= most:
                return made
    return made


def _full(ground: Ground) -> Scene:
    """Return the board with two houses in every city, of all colours, prices and rings."""
    marks = {Seat(n): Mark(Seat(n), "ABCDEF"[n], c, "") for n, c in enumerate(style.PLAYERS)}
    turns, plain = cycle(marks), ground.scene
    cities = [city.id for city in plain.board.cities if city.region in plain.regions]
    return replace(
        plain,
        marks=marks,
        houses={city: (next(turns), next(turns)) for city in cities},
        targets={city: Elektro(17) for city in cities[::4]},
        ringed=frozenset(cities[::9]),
    )


def _sample(plain: Image.Image, ground: Ground, put: Sequence[Stamp]) -> Image.Image:
    """Return the picture with stamps in all their shades, from which a palette is taken."""
    image, left, top, scale = plain.copy(), *_frame(plain, ground)
    for stamp in put:
        reach = tuple(floor(half * scale) + 2 for half in stamp.reach)
        mark = _stamp(stamp.drawn, scale, reach, (0.25, 0.5))
        at = (floor((stamp.at[0] - left) * scale), floor((stamp.at[1] - top) * scale))
        image.paste(mark, (at[0] - reach[0], at[1] - reach[1]), mark)
    return image


def _indexed(image: Image.Image, palette: Image.Image) -> Image.Image:
    return image.quantize(palette=palette, dither=Image.Dither.NONE)


def _packed(image: Image.Image) -> bytes:
    out = BytesIO()
    image.save(out, "PNG", compress_level=_EFFORT)
    return out.getvalue()


def _keep(file: Path, body: bytes) -> None:
    """Write a file whole or not at all; the oldest make room."""
    file.parent.mkdir(exist_ok=True)
    aside = file.with_name(f".{file.name}.{os.getpid()}")
    aside.write_bytes(body)
    aside.replace(file)
    files = sorted(file.parent.glob("*.png"), key=lambda one: one.stat().st_mtime)
    for old in files[:-_KEPT_FILES]:
        old.unlink(missing_ok=True)
