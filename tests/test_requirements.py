"""docs/requirements.md tells the truth: every requirement has its tests, and they their row."""

from tools.make_docs import REQUIREMENTS

NUMBERS = [f"M{n}" for n in range(1, 79)]


def test_the_page_is_as_make_docs_writes_it() -> None:
    assert REQUIREMENTS.path.read_text("utf-8") == REQUIREMENTS.written(), "run `make docs`"


def test_every_requirement_is_on_the_page_once() -> None:
    rows = REQUIREMENTS.row.finditer(REQUIREMENTS.path.read_text("utf-8"))
    assert [row["number"] for row in rows] == NUMBERS


def test_every_requirement_has_a_test_and_every_numbered_test_a_requirement() -> None:
    assert REQUIREMENTS.proofs().keys() == set(NUMBERS)
