"""Draw the boards of all maps on one sheet: docs/maps/boards.png.

make map-sheet
"""

from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from core.drawing import style
from core.drawing.board import board
from core.drawing.raster import raster
from core.drawing.scene import Scene
from core.game.rules import catalog
from core.game.rules.load import load

SHEET: Final = Path(__file__).parents[1] / "docs" / "maps" / "boards.png"
_COLUMNS: Final = 6
_WIDE: Final = 400
_TALL: Final = 480
_TITLE: Final = 34
_COLOURS: Final = 96
_PAPER: Final = "#fffdf7"
"""As the boards have it."""


def main() -> None:
    """Write the sheet, by the names of the maps."""
    maps = catalog.maps()
    rows = -(-len(maps) // _COLUMNS)
    sheet = Image.new("RGB", (_COLUMNS * _WIDE, rows * (_TALL + _TITLE)), _PAPER)
    pen, font = ImageDraw.Draw(sheet), ImageFont.truetype(str(style.BOLD), 20)
    for n, info in enumerate(maps):
        left, top = n % _COLUMNS * _WIDE, n // _COLUMNS * (_TALL + _TITLE)
        pen.text((left + 10, top + 6), info.name, "black", font)
        picture = _drawn(info.key)
        middle = left + (_WIDE - picture.width) // 2
        sheet.paste(picture, (middle, top + _TITLE), picture)
    SHEET.parent.mkdir(exist_ok=True)
    sheet.quantize(_COLOURS, dither=Image.Dither.NONE).save(SHEET, optimize=True)
    print(f"{SHEET}: {SHEET.stat().st_size // 1000} kB")


def _drawn(key: str) -> Image.Image:
    """Return a board with all its regions, as large as its place on the sheet."""
    whole = load(key).map
    scene = Scene(whole, frozenset(region.id for region in whole.regions), {}, look="light")
    picture = raster(board(scene), 2 * _WIDE)
    picture.thumbnail((_WIDE - 12, _TALL - 8), Image.Resampling.LANCZOS)
    return picture


if __name__ == "__main__":
    main()
