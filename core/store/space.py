"""Is there room on the disk for what people send?"""

import shutil
from pathlib import Path
from typing import Final

FULL: Final = 32 << 20
"""With less room than so many bytes nothing more is promised to be kept."""
SCARCE: Final = 512 << 20
"""With less than this the operator is told."""


def free(data: Path) -> int:
    """Return the bytes that are free where the data lie, or will lie."""
    while not data.exists():
        data = data.parent
    return shutil.disk_usage(data).free


def is_full(data: Path) -> bool:
    """Return True if nothing more can be kept."""
    return free(data) < FULL
