"""docs/rules-coverage.md tells the truth: each number has its tests, each test its number."""

import re

from core.game.rules.load import KNOBS
from tools.make_docs import RULES

PAGE = RULES.path.read_text("utf-8")
SECTIONS = {1: 3, 2: 1, 3: 7, 4: 6, 5: 3, 6: 3, 7: 13, 8: 3, 9: 9, 10: 6, 11: 2, 12: 3, 13: 6,
            14: 3, 15: 1, 16: 2, 17: 5}  # fmt: skip
"""How many numbered rules each section has."""
SPECIAL = sorted({int(n) for n in re.findall(r"^\| S(\d\d) \|", PAGE, re.MULTILINE)})
"""Numbers of the cases of single maps that are proved so far."""
NO_RULES = {"auction", "region_choice", "coal", "oil", "uranium", "garbage", "houses_per_player",
            "house_costs", "payment", "starting_elektro"}  # fmt: skip
"""Knobs that are no point of difference between the texts."""


def numbers() -> list[str]:
    rules = [f"R{section}.{n}" for section, count in SECTIONS.items() for n in range(1, count + 1)]
    points = [f"B{n}" for n in range(1, 43)]
    texts = [f"T{n:02}" for n in range(1, 48)]
    corners = [f"C{n:02}{more}" for n in range(1, 74) for more in _parts(n)]
    return [*rules, *points, *texts, *corners, *(f"S{n:02}" for n in SPECIAL)]


def _parts(n: int) -> tuple[str, ...]:
    return {1: ("", "b", "c"), 4: ("", "b")}.get(n, ("",))


def test_the_page_is_as_make_docs_writes_it() -> None:
    assert RULES.written() == PAGE, "run `make docs`"


def test_every_number_is_on_the_page_once() -> None:
    assert [row["number"] for row in RULES.row.finditer(PAGE)] == numbers()


def test_every_number_has_tests_and_every_numbered_test_a_number_that_is_there() -> None:
    assert RULES.proofs().keys() == set(numbers())


def test_points_have_tests_of_their_own() -> None:
    proofs = RULES.proofs()
    for number in numbers():
        if number[0] in "BTCS":
            assert any(f"_{number}_" in name for _file, name in proofs[number]), number


def test_every_option_is_on_the_page() -> None:
    named = set(re.findall(r"`(\w+)(?:\.\w+)?`", PAGE))
    assert set(KNOBS) - named - NO_RULES == set()
    assert "`garbage.start_from`" in PAGE


def test_open_points_are_all_there() -> None:
    chapter = PAGE.partition("## Open points")[2]
    assert re.findall(r"^(\d)\. ", chapter, re.MULTILINE) == ["1", "2", "3", "4", "5"]
