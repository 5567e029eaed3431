"""Fields of a form that was sent, and what the table says to it."""

from collections.abc import Iterator
from contextlib import contextmanager

from flask import request

from core.table.record.errors import TableError
from webapp.errors import Refused

LONGEST = 4000
"""Characters of a short field; longer ones are cut, the table cuts further."""


def text_of(name: str) -> str:
    """A text field, empty if it is missing."""
    return request.form.get(name, "")[:LONGEST].replace("\x00", "")


def number_of(name: str, otherwise: int = 0) -> int:
    """A field that holds a whole number of at most six digits."""
    text = text_of(name).strip()
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 6 else otherwise


def every(name: str) -> list[str]:
    """All values of a field that may be given more than once."""
    return [value[:LONGEST] for value in request.form.getlist(name)[:100]]


@contextmanager
def refusals() -> Iterator[None]:
    """What the table refuses becomes a page that says why (422)."""
    try:
        yield
    except TableError as error:
        raise Refused(str(error)) from error
