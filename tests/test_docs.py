"""The docs name files that are there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROOFS = "requirements.md"
"""Names tests by their place below tests; tests/test_requirements.py looks at it."""
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *(page for page in sorted((ROOT / "docs").glob("*.md")) if page.name != PROOFS),
]
FILE = re.compile(
    r"(?<![\w/.])((?:core|tasks|webapp|templates|tests|docs|tools)/[\w./*<>-]*[\w/*])"
)
"""A path from the root; ``<kind>`` stands for any name."""


def missing(text: str) -> list[str]:
    named = {re.sub(r"<\w+>", "*", name) for name in FILE.findall(text)}
    return sorted(n for n in named if not any((*ROOT.glob(n), *ROOT.glob(f"{n}.py"))))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_that_a_page_names_exists(page: Path) -> None:
    assert missing(page.read_text("utf-8")) == []


def test_a_file_that_does_not_exist_is_found() -> None:
    assert missing("See `core/game/engine.py`, core/game/engin.py and tests/no_*.py.") == [
        "core/game/engin.py",
        "tests/no_*.py",
    ]
