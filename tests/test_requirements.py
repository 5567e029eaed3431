"""docs/requirements.md tells the truth: every requirement has its tests, and they their row."""

import ast
import re
from pathlib import Path

TESTS = Path(__file__).parent
PAGE = (TESTS.parent / "docs" / "requirements.md").read_text("utf-8")
REQUIREMENTS = range(1, 79)
ROW = re.compile(r"^\| M(\d+) \| ([^|]+) \| (.*) \|$", re.MULTILINE)
TEST = re.compile(r"`([\w/]+\.py)::(test_\w+)`")
TAG = re.compile(r"_m(\d+)(?=_|$)")
UNPROVED: set[int] = set()
"""What is not there yet, so that nothing can prove it."""

Test = tuple[str, str]


def listed() -> dict[int, set[Test]]:
    return {int(number): set(TEST.findall(rest)) for number, _what, rest in ROW.findall(PAGE)}


def written() -> set[Test]:
    """Every test function that there is."""
    return {
        (path.relative_to(TESTS).as_posix(), node.name)
        for path in TESTS.rglob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def test_every_requirement_is_on_the_page_once() -> None:
    assert [int(number) for number, *_ in ROW.findall(PAGE)] == list(REQUIREMENTS)


def test_every_requirement_has_a_test_under_its_name() -> None:
    for number, tests in listed().items():
        named = [name for _path, name in tests if str(number) in TAG.findall(name)]
        assert bool(named) != (number in UNPROVED), f"M{number}"


def test_every_test_on_the_page_exists() -> None:
    tests = written()
    for number, proofs in listed().items():
        assert proofs <= tests, (f"M{number}", proofs - tests)


def test_every_test_named_by_a_requirement_is_on_the_page() -> None:
    rows = listed()
    for test in written():
        for number in map(int, TAG.findall(test[1])):
            assert test in rows[number], (f"M{number}", test)
