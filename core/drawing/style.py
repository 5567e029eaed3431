"""How the drawings look: one set of rules, for pages with variables, for mails with values."""

import re
from typing import Final

from core.drawing import palette, plotstyle
from core.drawing.palette import Theme

_FACE: Final = (
    'font-family:"DejaVu Sans Condensed","DejaVu Sans","Arial Narrow",Arial,sans-serif;'
    "font-stretch:condensed"
)
RULES: Final = (
    """
.map{background:var(--sheet)}
.map text,.card text,.ladder text{fill:var(--ink);text-anchor:middle}
.ladder .back{fill:var(--sheet)}
.map .back{fill:var(--sheet)}
.map .land{fill:var(--land)}
.map .coast{fill:none;stroke:var(--coast);stroke-width:1.2;stroke-linejoin:round}
.map .border{fill:none;stroke:var(--edge);stroke-width:1.4;stroke-dasharray:6 4}
.map .hatch{stroke:var(--coast);stroke-width:1.1}
.map .wire{fill:none;stroke:var(--wire);stroke-width:1.7;stroke-linejoin:round}
.map .wire.away{stroke:var(--coast);stroke-width:1;stroke-dasharray:2 4}
.map .wire.path{stroke:var(--signal);stroke-width:4.5}
.map .tag{fill:var(--sheet);stroke:var(--wire);stroke-width:0.9}
.map .tag.path{stroke:var(--signal);stroke-width:2}
.map .cost{font-size:12px}
.map .name{font-size:12.5px;font-weight:bold}
.map .halo{fill:none;stroke:var(--sheet);stroke-width:3.2;stroke-linejoin:round;stroke-opacity:0.85}
.map .name.away{fill:var(--soft);font-weight:normal}
.map .dot{fill:var(--soft)}
.map .place{fill:var(--sheet);stroke:var(--ink);stroke-width:1.1}
.map .shut{stroke:var(--edge);stroke-width:1}
.map .closed{fill:var(--land);stroke:var(--ink);stroke-width:1.1}
.map .ring{fill:none;stroke:var(--signal);stroke-width:3}
.map .aim{fill:none;stroke:var(--signal);stroke-width:2.2}
.map .price{fill:var(--signal)}
.map .total{fill:var(--on-signal);font-size:12.5px;font-weight:bold}
.map .hit{fill:transparent}
.map .target{cursor:pointer}
.house{stroke:var(--house-edge);stroke-width:1.1;stroke-linejoin:round}
.house.planned{fill-opacity:0.3;stroke-width:1.5;stroke-dasharray:3 2}
.map .letter{font-size:12px;font-weight:bold}
.card .face{fill:var(--sheet);stroke:var(--ink);stroke-width:1.4}
.card .number{font-size:24px;font-weight:bold;fill:var(--on-fuel)}
.card .cities{font-size:20px;font-weight:bold}
.card .rim{fill:none;stroke:var(--ink);stroke-width:1.4}
.card .band{fill:var(--signal)}
.card .or{fill:none;stroke:var(--edge);stroke-width:1}
.card .back{fill:var(--sheet)}
.card .arrow{fill:none;stroke:var(--ink);stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.card .roof{fill:var(--ink)}
.icon .cut,.card .cut,.ladder .cut{
fill:none;stroke:var(--sheet);stroke-width:1.3;stroke-linecap:round}
.ladder .slot{fill:none;stroke:var(--edge);stroke-width:1}
.ladder .next{fill:none;stroke:var(--signal);stroke-width:2}
.ladder .coming{fill:none;stroke:var(--ink);stroke-width:1.2;stroke-dasharray:2 2}
.ladder .rung{stroke:var(--line);stroke-width:1}
.ladder .rate,.ladder .fuel,.ladder .left{font-size:12.5px}
.ladder .left{font-weight:bold}
"""
    + "".join(
        f".map .r{i}{{fill:var(--r{i});stroke:var(--r{i})}}\n" for i in range(palette.REGION_TINTS)
    )
    + "".join(
        f".house.{name}{{fill:{colour}}}.map .letter.{name}{{fill:{palette.LETTERS[name]}}}\n"
        f".map .letter.planned.{name}{{fill:var(--ink)}}\n"
        for name, colour in palette.PLAYERS.items()
    )
    + "".join(
        f".{fuel}{{fill:var(--{fuel})}}\n" for fuel in ("coal", "oil", "garbage", "uranium", "none")
    )
    + plotstyle.RULES
)


def page() -> str:
    """The style sheet of all drawings in a page, light and dark by the reader's wish."""
    return (
        f":root{{{_variables('light')}}}\n"
        f"@media (prefers-color-scheme:dark){{:root{{{_variables('dark')}}}}}\n"
        f".map,.card,.ladder,.plot{{{_FACE};max-width:100%;height:auto}}\n{RULES}"
    )


def alone(theme: Theme) -> str:
    """The same rules with their colours filled in, for a picture without a page around it."""
    colours = palette.THEMES[theme]
    return re.sub(r"var\(--([a-z0-9-]+)\)", lambda m: colours[m.group(1)], RULES)


def houses(theme: Theme) -> str:
    """Only what houses need: an eighth of the time of all rules."""
    lines = alone(theme).splitlines()
    wanted = (".map text", ".house", ".letter")
    return "\n".join(line for line in lines if any(word in line for word in wanted))


def _variables(theme: Theme) -> str:
    own = (
        (name, value) for name, value in palette.THEMES[theme].items() if name not in palette.SHARED
    )
    return "".join(f"--{name}:{value};" for name, value in own)
