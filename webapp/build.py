"""Which build of Kraftpost this is: what a browser keeps of an older one is not to be shown."""

import zlib
from functools import cache
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).parents[1]
_ROOMS: Final = ("core", "webapp", "templates")


@cache
def build() -> str:
    """A mark that changes with any file of the code, the pages or the game's data."""
    mark = 0
    files = (path for room in _ROOMS for path in (_ROOT / room).rglob("*") if path.is_file())
    for path in sorted(path for path in files if path.suffix != ".pyc"):
        mark = zlib.crc32(path.read_bytes(), zlib.crc32(path.name.encode(), mark))
    return f"{mark:08x}"
