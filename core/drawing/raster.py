"""Pictures for mails, links and films: PNG from SVG, the same on every machine."""

import re
from functools import partial
from io import BytesIO
from itertools import chain
from math import ceil
from typing import Final

import resvg_py
from PIL import Image, ImageChops

from core.drawing import style

MOST_BYTES: Final = 100_000
"""A board that is mailed stays below this."""
_SHADES: Final = (160, 96, 48, 16)
"""Colours for soft edges, beside the exact ones of the drawing."""


def png(picture: str, width: int = 800) -> bytes:
    """Rasterise a self-contained SVG to `width` pixels, with as many colours as the size allows.

    Only the vendored typefaces are used; a sign that they lack comes out as a box.
    """
    image = raster(picture, width).convert("RGB")
    packed = b""
    for shades in _SHADES:
        out = BytesIO()
        table = palette(image, picture, shades)
        image.quantize(palette=table, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
        packed = out.getvalue()
        if len(packed) <= MOST_BYTES:
            break
    return packed


def raster(picture: str, width: int) -> Image.Image:
    """Return a self-contained SVG in pixels, `width` across.

    Clear where nothing is drawn (RGBA). A unit of its sheet has the same size in both directions,
    from its left and upper edge on: resvg rounds sizes that are no whole numbers, so it gets some.
    """
    drawn = resvg_py.svg_to_bytes(
        svg_string=_SHEET.sub(partial(_in_whole_pixels, width), picture, count=1),
        width=width,
        font_files=list(map(str, style.typefaces(picture))),
        skip_system_fonts=True,
    )
    return Image.open(BytesIO(bytes(drawn))).convert("RGBA")


_SHEET: Final = re.compile(r' viewBox="(\S+) (\S+) (\S+) (\S+)" width="[^"]*" height="[^"]*"')


def _in_whole_pixels(width: int, sheet: re.Match[str]) -> str:
    left, top, wide, tall = map(float, sheet.groups())
    height = ceil(tall * width / wide)
    box = f"{left:.4f} {top:.4f} {wide:.4f} {height * wide / width:.4f}"
    return f' viewBox="{box}" width="{width}" height="{height}"'


def palette(image: Image.Image, picture: str, shades: int) -> Image.Image:
    """Return the palette of a picture: what its drawing names, and `shades` more for soft edges.

    The named colours come out as they are, however rare.
    """
    named = sorted(set(re.findall(r"#[0-9a-f]{6}", picture)))
    colours = [tuple(bytes.fromhex(colour[1:])) for colour in named]
    taken = {_cell(colour) for colour in colours}
    found = image.quantize(shades, method=Image.Quantize.MEDIANCUT).getpalette() or []
    soft = list(zip(found[::3], found[1::3], found[2::3], strict=True))[:shades]
    colours += [colour for colour in soft if _cell(colour) not in taken]
    table = Image.new("P", (1, 1))
    table.putpalette(list(chain.from_iterable(colours)))
    return table


def _cell(colour: tuple[int, ...]) -> tuple[int, ...]:
    """Return the cell of 4 × 4 × 4 colours that Pillow gives the same place in a palette."""
    return tuple(part >> 2 for part in colour)


_ANIMATED: Final = 0x02
_WITH_ALPHA: Final = 0x10
_EFFORT: Final = 2
"""Pillow's `method`: more costs twice the time and saves nothing on drawings."""


def frame(picture: Image.Image, before: Image.Image | None, milliseconds: int) -> bytes:
    """Return one frame: `picture`, RGB, drawn over the one `before` it; shown for so long."""
    box, part = _changed(picture, before)
    still = BytesIO()
    part.save(still, "WEBP", lossless=True, method=_EFFORT)
    place = _number(box[0] // 2, 3) + _number(box[1] // 2, 3)
    size = _number(part.width - 1, 3) + _number(part.height - 1, 3)
    flags = b"\0"  # blended over what is there, and left there
    return _chunk(
        b"ANMF", place + size + _number(milliseconds, 3) + flags + _bits(still.getvalue())
    )


def animation(size: tuple[int, int], frames: bytes) -> bytes:
    """Return the whole file from its frames; it runs for ever."""
    edges = _number(size[0] - 1, 3) + _number(size[1] - 1, 3)
    head = _chunk(b"VP8X", _number(_ANIMATED | _WITH_ALPHA, 4) + edges)
    forever = _chunk(b"ANIM", b"\xff\xff\xff\xff" + _number(0, 2))
    return _chunk(b"RIFF", b"WEBP" + head + forever + frames)


def _changed(
    picture: Image.Image, before: Image.Image | None
) -> tuple[tuple[int, int, int, int], Image.Image]:
    """Return where a picture differs, from even numbers on, and that part, the rest open."""
    if before is None:
        return (0, 0, *picture.size), picture
    red, green, blue = ImageChops.difference(picture, before).split()
    most = ImageChops.lighter(red, ImageChops.lighter(green, blue))
    mask = most.point([0] + [255] * 255)
    left, top, right, bottom = mask.getbbox() or (0, 0, 2, 2)
    box = (left & ~1, top & ~1, right, bottom)
    part = Image.new("RGBA", (box[2] - box[0], box[3] - box[1]))
    part.paste(picture.crop(box), mask=mask.crop(box))
    return box, part


def _bits(still: bytes) -> bytes:
    """Return the compressed picture out of a file that holds a single one, with its head."""
    at = 12
    while still[at : at + 4] != b"VP8L":
        at += 8 + (int.from_bytes(still[at + 4 : at + 8], "little") + 1 & ~1)
    length = int.from_bytes(still[at + 4 : at + 8], "little")
    return still[at : at + 8 + (length + 1 & ~1)]


def _chunk(name: bytes, body: bytes) -> bytes:
    return name + _number(len(body), 4) + body + b"\0" * (len(body) % 2)


def _number(value: int, octets: int) -> bytes:
    return value.to_bytes(octets, "little")
