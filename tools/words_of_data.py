"""Find what the data files say to players, for the catalogues: names, descriptions, texts.

pybabel calls `extract` for each of them (core/locale/babel.cfg).
"""

import tomllib
from collections.abc import Iterator
from typing import IO, Any, Final

_ROW: Final = ("says", "remark")

Found = tuple[int, str | None, str, list[str]]


def extract(file: IO[bytes], _keywords: Any, _tags: Any, options: Any) -> Iterator[Found]:
    """Yield line, function (none), message and comments of a map's or a variant's words.

    City names are no words: they stay as on the board.
    """
    text = file.read().decode()
    data = tomllib.loads(text)
    yield from _said(text, [data.get("name", "")], "the name of a map or of a set of rules")
    yield from _said(text, [data.get("description", "")], "")
    yield from _said(text, data.get("regions", {}).values(), "a region of " + data.get("name", ""))
    rules = data.get("rules", {})
    markets = [rules.get("main_market", ""), *(m["name"] for m in rules.get("other_markets", ()))]
    yield from _said(text, markets, "a market of fuel")
    rows = data.get("sentences", [])
    yield from _said(text, (row[key] for row in rows for key in _ROW if key in row), "")


def _said(text: str, words: Any, about: str) -> Iterator[Found]:
    for message in map(str.strip, words):
        if message:
            line = text.partition(message[:20])[0].count("\n") + 1
            yield line, None, message, [about] if about else []
