"""The vendored typeface and how wide its words are."""

from functools import cache
from pathlib import Path
from typing import Final

from PIL import ImageFont

FOLDER: Final = Path(__file__).parent / "fonts"
REGULAR: Final = FOLDER / "DejaVuSansCondensed.ttf"
BOLD: Final = FOLDER / "DejaVuSansCondensed-Bold.ttf"
FAMILY: Final = "DejaVu Sans"
_MEASURED_AT: Final = 100


@cache
def width(text: str, size: float, bold: bool = False) -> float:
    """How wide a word is drawn at a type size, in the unit of that size."""
    face = _face(BOLD if bold else REGULAR)
    return face.getlength(text) * size / _MEASURED_AT


@cache
def _face(path: Path) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(path), _MEASURED_AT)
