"""Three families of colour that never mix: players, fuels, regions; and the colours of the page.

The page has its colours in its own style sheet; they stand here again for pictures that travel
alone, in mails and on paper.
"""

from collections.abc import Mapping
from typing import Final, Literal

Theme = Literal["light", "dark", "print"]

PLAYERS: Final = {
    "navy": "#0c5080",
    "yellow": "#ffe400",
    "teal": "#2ec49e",
    "red": "#dd2300",
    "pink": "#ff5ee6",
    "ink": "#212121",
}
"""House colours, told apart by everybody: CIEDE2000 of at least 23.6 for four kinds of vision."""
LETTERS: Final = {
    "navy": "#ffffff",
    "yellow": "#1d1d1d",
    "teal": "#1d1d1d",
    "red": "#ffffff",
    "pink": "#1d1d1d",
    "ink": "#ffffff",
}
"""The letter on each of them."""
REGION_TINTS: Final = 8
_LIGHT: Final = {
    "paper": "#f4efe2",
    "sheet": "#fffdf7",
    "ink": "#1d2733",
    "soft": "#565d66",
    "line": "#d2cab8",
    "edge": "#8b8576",
    "signal": "#a5330b",
    "on-signal": "#ffffff",
    "land": "#efeadc",
    "coast": "#a49c86",
    "wire": "#4a535d",
    "house-edge": "#1d2733",
    "r0": "#e4ecd6",
    "r1": "#f0e0d0",
    "r2": "#f5efc8",
    "r3": "#f4dcda",
    "r4": "#d8e9ea",
    "r5": "#e6dff0",
    "r6": "#dbe3f3",
    "r7": "#e6e6e0",
    "coal": "#6e5038",
    "oil": "#544c6e",
    "garbage": "#6b661c",
    "uranium": "#2f6b44",
    "none": "#4d6470",
    "on-fuel": "#ffffff",
}
_DARK: Final = {
    "paper": "#14181d",
    "sheet": "#1c2229",
    "ink": "#ece7da",
    "soft": "#aeaa9d",
    "line": "#39424c",
    "edge": "#79818b",
    "signal": "#ff9a70",
    "on-signal": "#1c1009",
    "land": "#242a30",
    "coast": "#6d7680",
    "wire": "#b5b3a8",
    "house-edge": "#ece7da",
    "r0": "#2c3a2c",
    "r1": "#413426",
    "r2": "#403d22",
    "r3": "#462d31",
    "r4": "#213d43",
    "r5": "#3a3050",
    "r6": "#283458",
    "r7": "#3b3e46",
    "coal": "#cda98a",
    "oil": "#b9b0d8",
    "garbage": "#cbc56f",
    "uranium": "#8acca4",
    "none": "#a9c0cc",
    "on-fuel": "#14181d",
}
_PRINT: Final = _LIGHT | {
    "paper": "#ffffff",
    "sheet": "#ffffff",
    "ink": "#000000",
    "wire": "#222222",
}

THEMES: Final[Mapping[Theme, Mapping[str, str]]] = {
    "light": _LIGHT,
    "dark": _DARK,
    "print": _PRINT,
}
SHARED: Final = {"paper", "sheet", "ink", "soft", "line", "edge", "signal", "on-signal"}
"""Names that the style sheet of the page defines, too, and there wins."""


def contrast(one: str, two: str) -> float:
    """Contrast of two colours (#rrggbb) after WCAG 2.2, from 1 to 21."""
    low, high = sorted((_luminance(one), _luminance(two)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
