"""How plots look; part of the style of all drawings."""

from typing import Final

from core.drawing import palette

RULES: Final = (
    """
.plot .back{fill:var(--sheet)}
.plot .rung{stroke:var(--line);stroke-width:1}
.plot text{fill:var(--ink);font-size:12px}
.plot .value{text-anchor:end}
.plot .round,.plot .letter{text-anchor:middle}
.plot .letter{font-size:11px;font-weight:bold}
.plot .under{fill:none;stroke:var(--house-edge);stroke-width:4;stroke-linejoin:round}
.plot .course{fill:none;stroke-width:2.4;stroke-linejoin:round;stroke-linecap:butt}
.plot .end,.plot .point{stroke:var(--house-edge);stroke-width:1}
"""
    + "".join(
        f".plot .course.{name}{{stroke:{colour}}}"
        f".plot .end.{name},.plot .point.{name}{{fill:{colour}}}"
        f".plot .letter.{name}{{fill:{palette.LETTERS[name]}}}\n"
        for name, colour in palette.PLAYERS.items()
    )
    + "".join(
        f".plot .course.{fuel}{{stroke:var(--{fuel});fill:none}}"
        f".plot .letter.{fuel}{{fill:var(--on-fuel)}}\n"
        for fuel in ("coal", "oil", "garbage", "uranium")
    )
)
