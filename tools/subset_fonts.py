# /// script
# requires-python = ">=3.11"
# dependencies = ["fonttools>=4.50"]
# ///
"""Cut the typefaces of further scripts down to what pictures need: `make fonts ARGS=FOLDER`.

FOLDER holds the files of Noto Sans as Debian's packages fonts-noto-core and fonts-noto-cjk install
them (/usr/share/fonts). A file is named after its script as in ISO 15924, and holds the signs of
one character set, so that names in that script can be drawn as well as our own words.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from fontTools import subset
from fontTools.ttLib import TTFont

FONTS: Final = Path(__file__).parents[1] / "core" / "drawing" / "fonts"
MADE: Final = (
    ("Thai", "NotoSansThai-Regular.ttf", 0, "tis_620", 0xFF),
    ("Hans", "NotoSansCJK-Regular.ttc", 2, "gb2312", 0xD7),
    ("Hant", "NotoSansCJK-Regular.ttc", 3, "big5", 0xC6),
)
"""Script, source and face in it, the character set, and the last lead byte of what is frequent."""


def signs(charset: str, last: int) -> Iterator[int]:
    """Yield the code points of a character set outside Latin-1: DejaVu has those."""
    for point in range(0x100, 0x10000):
        code = chr(point).encode(charset, "ignore")
        if code and code[0] <= last:
            yield point


def cut(source: Path, face: int, points: Iterator[int], to: Path) -> None:
    """Write the subset of one face."""
    options = subset.Options(
        layout_features=["ccmp", "mark", "mkmk"], name_IDs=[0, 1, 2, 4, 6, 13, 14], hinting=False
    )
    options.drop_tables += ["VORG", "vhea", "vmtx", "BASE", "STAT"]
    font = TTFont(source, fontNumber=face)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=[0x20, 0x2026, 0x2014, *points])
    cutter.subset(font)
    font.save(to)


def main() -> None:
    """Write all of them."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/fonts")
    for script, name, face, charset, last in MADE:
        (source,) = folder.rglob(name)
        to = FONTS / f"NotoSans-{script}{source.suffix.replace('ttc', 'otf')}"
        cut(source, face, signs(charset, last), to)
        print(f"{to.name}: {to.stat().st_size // 1024} kB")


if __name__ == "__main__":
    main()
