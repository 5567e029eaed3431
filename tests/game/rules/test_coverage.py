"""docs/rules-coverage.md tells the truth: each number has its tests, each test its number."""

import ast
import re
from pathlib import Path

from core.game.rules.load import KNOBS

FOLDER = Path(__file__).parent
PAGE = (Path(__file__).parents[3] / "docs" / "rules-coverage.md").read_text("utf-8")
RULES = {1: 3, 2: 1, 3: 7, 4: 6, 5: 3, 6: 3, 7: 13, 8: 3, 9: 9, 10: 6, 11: 2, 12: 3, 13: 6, 14: 3,
         15: 1, 16: 2, 17: 5}  # fmt: skip
"""How many numbered rules each section has."""
ROW = re.compile(r"^\| ([RBTC]\d+(?:\.\d+)?[bc]?) \| (.+) \|$", re.MULTILINE)
TEST = re.compile(r"`(test_\w+\.py)::(test_\w+)`")
TAG = re.compile(r"_(R\d+(?:_\d+)|[BTC]\d+[bc]?)(?=_|$)")
NO_RULES = {"auction", "region_choice", "coal", "oil", "uranium", "garbage", "houses_per_player",
            "house_costs", "payment", "starting_elektro"}  # fmt: skip
"""Knobs that are no point of difference between the texts."""


def numbers() -> list[str]:
    rules = [f"R{section}.{n}" for section, count in RULES.items() for n in range(1, count + 1)]
    points = [f"B{n}" for n in range(1, 37)]
    texts = [f"T{n:02}" for n in range(1, 48)]
    corners = [f"C{n:02}{more}" for n in range(1, 63) for more in _parts(n)]
    return [*rules, *points, *texts, *corners]


def _parts(n: int) -> tuple[str, ...]:
    return {1: ("", "b", "c"), 4: ("", "b")}.get(n, ("",))


def listed() -> dict[str, set[tuple[str, str]]]:
    return {number: set(TEST.findall(rest)) for number, rest in ROW.findall(PAGE)}


def written() -> set[tuple[str, str]]:
    """Every test function of this folder."""
    trees = {p.name: ast.parse(p.read_text("utf-8")) for p in FOLDER.glob("test_*.py")}
    return {
        (name, node.name)
        for name, tree in trees.items()
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def test_every_number_is_on_the_page_once() -> None:
    assert [number for number, _ in ROW.findall(PAGE)] == numbers()


def test_every_number_has_tests_that_exist() -> None:
    tests = written()
    for number, proofs in listed().items():
        assert proofs, number
        assert proofs <= tests, (number, proofs - tests)


def test_every_test_with_a_number_is_listed_under_it() -> None:
    rows = listed()
    for test in written():
        for tag in TAG.findall(test[1]):
            number = tag.replace("_", ".")
            assert test in rows[number], (number, test)


def test_points_have_tests_of_their_own() -> None:
    for number in numbers():
        if number[0] in "BTC":
            own = [name for _, name in listed()[number] if f"_{number}_" in name]
            assert own, number


def test_every_option_is_on_the_page() -> None:
    named = set(re.findall(r"`(\w+)(?:\.\w+)?`", PAGE))
    assert set(KNOBS) - named - NO_RULES == set()
    assert "`garbage.start_from`" in PAGE


def test_open_points_are_all_there() -> None:
    chapter = PAGE.partition("## Open points")[2]
    assert re.findall(r"^(\d)\. ", chapter, re.MULTILINE) == ["1", "2", "3", "4", "5"]
