"""Names in other scripts are drawn in pictures; where no typeface has a sign, the letter stands."""

import pytest
from PIL import ImageChops

from core.drawing import posters, raster, style, svg
from core.drawing.geometry import Box
from core.drawing.posters import Row
from core.drawing.scene import Mark

NAMES = ("小明", "龍門", "น้ำ", "ที่นั่ง", "Яна", "Zoë")


def drawn(text: str):
    words = svg.text(text, (100, 40), "name")
    return raster.raster(svg.sheet(Box(0, 0, 200, 60), words), 200)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_drawn_in_its_script(name: str):
    """As many boxes as signs are what comes out where no typeface has them."""
    assert style.drawable(name) == name
    boxes = "한" * len(name)
    assert ImageChops.difference(drawn(name), drawn(boxes)).getbbox()


def test_a_name_that_nobody_can_draw_is_the_letter_of_its_seat():
    def row(name: str) -> str:
        made = posters._row(Row(Mark(0, "A", "navy", name), "3 cities"), (0, 0), 400, 1)
        return "".join(made)

    assert "한솔" not in row("한솔")
    assert ">A</text>" in row("한솔").rpartition("</g>")[2]
    assert ">小明</text>" in row("小明")


def test_what_can_be_drawn_of_a_title_stays():
    assert style.drawable("Spiel 한 小明 น้ำ") == "Spiel  小明 น้ำ"


def test_thai_marks_above_and_below_take_no_room():
    assert style.width("น้ำ", 20) < 2.2 * style.width("น", 20)
    assert style.width("小明", 20) == 2 * style.width("小", 20) == 40


def test_plain_pictures_load_no_further_typeface():
    assert style.typefaces("Яна, Zoë and 3 → 4") == (style.REGULAR, style.BOLD)


def test_a_long_title_breaks_between_han_signs():
    lines = posters._wrapped("電力公司" * 10, 400, 40)
    assert len(lines) == 2
    assert all(style.width(line, 40) <= 400 for line in lines)
    assert posters._wrapped("a long title of a table", 120, 20)[0] == "a long title of"
