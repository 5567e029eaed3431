"""Where names and costs are written, so that none covers another."""

from collections.abc import Sequence
from typing import Final

from core.drawing import style
from core.drawing.geometry import Box, Point, Way, along_way, distance_to_way

NAME_SIZE: Final = 12.5
COST_SIZE: Final = 12.0
PLATE: Final = (54.0, 19.0)
"""The three house places of a city, side by side."""
NAME_HEIGHT: Final = 14.0
TAG_HEIGHT: Final = 15.0
SIDES: Final = ("n", "s", "ne", "nw", "se", "sw", "e", "w")
_BIAS: Final = {
    "n": 0.0,
    "s": 1.0,
    "ne": 2.0,
    "nw": 2.0,
    "se": 3.0,
    "sw": 3.0,
    "e": 25.0,
    "w": 25.0,
}
_CROWDED: Final = 11.0
"""A cost nearer than this to a foreign line may be taken for that line's."""
_SWEEPS: Final = 4
_PARTS: Final = tuple(0.5 + sign * k / 40 for k in range(18) for sign in (1, -1))


def plate(place: Point) -> Box:
    """Return the box of the house places of a city."""
    return Box.around(place, *PLATE)


def name_box(name: str, place: Point, side: str) -> Box:
    """Return where a name is written, by the compass side of the house places."""
    wide, tall = style.width(name, NAME_SIZE, bold=True) + 2, NAME_HEIGHT
    x, y = place
    if side in ("e", "w"):
        middle = x + (PLATE[0] / 2 + wide / 2 + 2) * (1 if side == "e" else -1)
        return Box.around((middle, y), wide, tall)
    shift = max(0.0, wide - PLATE[0]) / 2
    x += {"e": shift, "w": -shift}.get(side[1:], 0.0)
    y += (PLATE[1] + tall) / 2 * (-1 if side[0] == "n" else 1)
    return Box.around((x, y), wide, tall)


def choose_side(
    name: str, place: Point, own: Sequence[Way], others: Sequence[Box], sheet: Box
) -> str:
    """Choose the side on which a name covers no city and crosses fewest lines, inside the sheet."""

    def cost(side: str) -> float:
        box = name_box(name, place, side)
        covered = sum(box.grown(2).overlap(other) for other in others)
        outside = box.joined(sheet).width - sheet.width + box.joined(sheet).height - sheet.height
        return _BIAS[side] + covered + 2 * outside + sum(box.chord(way) for way in own)

    return min(SIDES, key=cost)


def tag_box(cost: int, middle: Point) -> Box:
    """Return the little box of a connection cost."""
    return Box.around(middle, style.width(str(cost), COST_SIZE) + 7, TAG_HEIGHT)


def place_tags(lines: Sequence[Way], costs: Sequence[int], fixed: Sequence[Box]) -> list[Box]:
    """Return a box for the cost of each line, on the line and clear of `fixed` boxes.

    Boxes keep clear of each other, too. Lines with the least choice go first, then all look
    again; a tag keeps off lines that are not its own.
    """
    choices = [_candidates(i, lines, costs[i], fixed) for i in range(len(lines))]
    reach = [Box.holding(way).grown(30) for way in lines]
    chosen: dict[int, Box] = {}
    for _ in range(_SWEEPS):
        for i in sorted(range(len(lines)), key=lambda i: (len(choices[i]), i)):
            taken = [b.grown(2) for k, b in chosen.items() if k != i and b.meets(reach[i])]
            chosen[i] = _best(choices[i], taken)
    return [chosen[i] for i in range(len(lines))]


def _best(choice: Sequence[tuple[float, Box]], taken: Sequence[Box]) -> Box:
    def weight(candidate: tuple[float, Box]) -> float:
        return candidate[0] + 50 * sum(candidate[1].overlap(other) for other in taken)

    return min(choice, key=weight)[1]


def _candidates(
    i: int, lines: Sequence[Way], cost: int, fixed: Sequence[Box]
) -> list[tuple[float, Box]]:
    """Return boxes along line `i` with what speaks against each.

    Only free ones if there are any.
    """
    near = [box for box in fixed if box.grown(12).chord(lines[i]) > 0]
    reach = Box.holding(lines[i]).grown(_CROWDED)
    beside = [way for k, way in enumerate(lines) if k != i and Box.holding(way).meets(reach)]
    rated = []
    for part in _PARTS:
        box = tag_box(cost, along_way(lines[i], part))
        covered = 50 * sum(box.grown(1).overlap(other) for other in near)
        crowd = sum(max(0.0, _CROWDED - distance_to_way(box.middle, way)) for way in beside)
        rated.append((covered + 4 * crowd + 40 * abs(part - 0.5), box, covered))
    free = [(weight, box) for weight, box, covered in rated if not covered]
    return free or [(weight, box) for weight, box, _ in rated]
