"""How much memory programs take: what several share counts once, each having its part (PSS)."""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

PROC = Path("/proc")


def proportional(pid: int) -> int | None:
    """Return the megabytes of a process and of all that it has started; None if none can tell."""
    children: dict[int, list[int]] = {}
    for process, parent in _parents():
        children.setdefault(parent, []).append(process)
    family = [pid]
    for one in family:  # it grows meanwhile
        family += children.get(one, ())
    found = [size for size in map(_kilobytes, family) if size is not None]
    return sum(found) // 1024 if found else None


def _parents() -> Iterator[tuple[int, int]]:
    for status in PROC.glob("[0-9]*/stat"):
        with suppress(OSError):  # it has just ended
            yield int(status.parent.name), int(status.read_text().rpartition(")")[2].split()[1])


def _kilobytes(pid: int) -> int | None:
    with suppress(OSError):
        told = (PROC / str(pid) / "smaps_rollup").read_text()
        if found := re.search(r"^Pss:\s+(\d+) kB", told, re.MULTILINE):
            return int(found[1])
    return None
