"""Measure this machine: ``make bench``, or ``python -m tests.bench game`` for one part.

Every other module of this folder is a part: its `lines()` yields what it has measured, medians.
"""

import sys
from importlib import import_module
from pathlib import Path

PARTS = sorted(p.stem for p in Path(__file__).parent.glob("*.py") if not p.stem.startswith("_"))


def main(wanted: list[str]) -> None:
    for part in wanted or PARTS:
        if part not in PARTS:
            sys.exit(f"There is no part {part!r}; there are {', '.join(PARTS)}.")
        for line in import_module(f"tests.bench.{part}").lines():
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()


main(sys.argv[1:])
