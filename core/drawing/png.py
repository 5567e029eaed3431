"""Pictures for mails, links and films: PNG from SVG, the same on every machine."""

import re
from collections.abc import Sequence
from io import BytesIO
from typing import Final

import resvg_py
from PIL import Image

from core.drawing import font

MOST_BYTES: Final = 100_000
"""A board that is mailed stays below this."""
_SHADES: Final = (160, 96, 48, 16)
"""Colours for soft edges, beside the exact ones of the drawing."""


def png(picture: str, width: int = 800) -> bytes:
    """Rasterise a self-contained SVG to `width` pixels, with as many colours as the size allows.

    Only the vendored typeface is used; words in a script it lacks come out as boxes.
    """
    image = raster(picture, width).convert("RGB")
    exact = _named(picture)
    packed = b""
    for shades in _SHADES:
        packed = _packed(image, exact, shades)
        if len(packed) <= MOST_BYTES:
            break
    return packed


def raster(picture: str, width: int) -> Image.Image:
    """A self-contained SVG in pixels, `width` across; clear where nothing is drawn (RGBA)."""
    drawn = resvg_py.svg_to_bytes(
        svg_string=picture,
        width=width,
        font_files=[str(font.REGULAR), str(font.BOLD)],
        skip_system_fonts=True,
    )
    return Image.open(BytesIO(bytes(drawn))).convert("RGBA")


def _named(picture: str) -> list[str]:
    """The colours that the drawing names: they must come out as they are, however rare."""
    return sorted(set(re.findall(r"#[0-9a-f]{6}", picture)))


def _packed(image: Image.Image, exact: Sequence[str], shades: int) -> bytes:
    """PNG with a palette of the `exact` colours and that many more for soft edges."""
    soft = image.quantize(shades, method=Image.Quantize.MEDIANCUT).getpalette() or []
    table = Image.new("P", (1, 1))
    table.putpalette([int(c[i : i + 2], 16) for c in exact for i in (1, 3, 5)] + soft[: 3 * shades])
    out = BytesIO()
    image.quantize(palette=table, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()
