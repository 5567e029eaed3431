"""Plain text that lines up, and in which only commands are indented by four spaces."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.mail.words import WIDTH, answers, bullets, clip, columns, fill, width
from core.questions.question import Command

TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=60)


@pytest.mark.parametrize(
    ("text", "places"), [("Anna", 4), ("王小明", 6), ("München", 7), ("e\u0301", 1), ("", 0)]
)
def test_width_is_what_it_looks_like(text: str, places: int) -> None:
    assert width(text) == places


@given(TEXTS, st.integers(1, 40))
def test_clip_never_takes_more_room(text: str, places: int) -> None:
    clipped = clip(text, places)
    assert width(clipped) <= places
    assert clipped == text or clipped.endswith("…")


def test_columns_line_up_whatever_the_script() -> None:
    rows = columns([("Anna", 1, "x"), ("王小明", 22, "y")], "<><")
    assert rows == "Anna     1  x\n王小明  22  y"


@given(st.lists(TEXTS, max_size=5))
@example(["    pass", "look:    pass"])
def test_no_paragraph_begins_like_a_command(texts: list[str]) -> None:
    for written in (bullets(texts), *(fill(text, "  ", "  ") for text in texts)):
        assert not any(line.startswith(" " * 4) for line in written.splitlines())


def test_a_paragraph_is_no_wider_than_a_page_but_for_an_address() -> None:
    address = "https://play.example.org/" + "x" * 90
    lines = fill(f"{'word ' * 40}{address} end").splitlines()
    assert address in lines
    assert all(len(line) <= WIDTH for line in lines if line != address)


def test_answers_stand_alone_with_their_price_behind() -> None:
    long = "build " + ", ".join(["Frankfurt (Oder)"] * 4)
    offered = [Command("pass", "no plant"), Command("bid 15", "3 left"), Command(long, "x")]
    assert answers(offered).splitlines() == [
        "    pass   # no plant",
        "    bid 15 # 3 left",
        f"    {long} # x",
    ]
