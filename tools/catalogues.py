"""Compile the catalogues, as `make setup` and the builds of wheel and sdist do.

    python tools/catalogues.py

Each core/locale/LANGUAGE/LC_MESSAGES/messages.po gets its messages.mo beside it.
"""

import sys
from pathlib import Path
from typing import Any, Final

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LOCALE: Final = Path("core/locale")


def compile_stale(root: Path) -> list[Path]:
    """Compile what is newer than its outcome, or has none; return the outcomes."""
    made = []
    for source in sorted((root / LOCALE).glob("*/LC_MESSAGES/*.po")):
        target = source.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime > source.stat().st_mtime:
            continue
        with source.open("rb") as read:
            catalogue = read_po(read, locale=source.parent.parent.name)
        partial = target.with_suffix(".part")
        with partial.open("wb") as out:
            write_mo(out, catalogue)
        partial.replace(target)  # at once: tests of another process may read it
        made.append(target)
    return made


class Catalogues(BuildHookInterface[Any]):
    """Hatchling's hook: every build has all catalogues."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile before files are collected."""
        compile_stale(Path(self.root))


if __name__ == "__main__":
    compile_stale(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1])
