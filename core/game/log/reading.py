"""One line from an unknown hand, read as a JSON object that can be kept and written again."""

import json
from collections.abc import Iterable
from math import isfinite
from typing import Any, Final, NoReturn

from core.game.errors import LogError

MAX_LINE: Final = 200_000
"""Characters of a line; the longest is that of the ruleset, some 15,000."""
_MAX_DIGITS: Final = 15


def read_object(line: str) -> dict[str, Any]:
    """The object on a line.

    Raises:
        LogError: the line is too long or no JSON object; a key stands in it twice, a number is
            too large or none (NaN), a character is one that no database keeps.
    """
    if len(line) > MAX_LINE:
        raise LogError(f"longer than {MAX_LINE} characters")
    try:
        body = json.loads(
            line,
            parse_int=_whole,
            parse_float=_decimal,
            parse_constant=_no_number,
            object_pairs_hook=_once,
        )
        if "\\u" in line:  # only an escape brings in what the file's own encoding cannot hold
            _demand_text(body)
    except (ValueError, RecursionError) as error:
        raise LogError(f"not JSON ({error})") from error
    if not isinstance(body, dict):
        raise LogError("not a JSON object")
    return body


def _whole(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        raise ValueError(f"a number has more than {_MAX_DIGITS} digits")
    return int(digits)


def _decimal(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError("a number is too large")
    return number


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def _once(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"{key!r} is there twice")
        found[key] = value
    return found


def _demand_text(body: object) -> None:
    """UTF-8 has no half characters, and PostgreSQL keeps no NUL."""
    text = json.dumps(body, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError("half a character stands alone") from error
    if "\\u0000" in text:
        raise ValueError("a text holds the character NUL")
