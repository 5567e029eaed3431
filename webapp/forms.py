"""Forms that a person posts: each is a pydantic model, which `read` returns or refuses.

How a field is read stands at the field; the table refuses what does not fit a game.
"""

from collections.abc import Callable, Collection
from datetime import date, datetime
from typing import Annotated, Any, Final, TypeVar, get_origin

from flask import request
from pydantic import BaseModel, BeforeValidator, ConfigDict

from core.text import _
from core.validation import parse, says
from webapp.errors import refusal

LONGEST: Final = 4000
"""Characters of a text field; longer ones are cut, the table cuts further."""
MOST: Final = 100
"""Values of a field that may be given more than once."""
UNREADABLE: Final = -1
"""A number or time of day that cannot be read; the table refuses it, and says what fits."""


class Form(BaseModel):
    """The fields of a form. One that is missing or empty has its default; others are ignored."""

    model_config = ConfigDict(frozen=True)


Posted = TypeVar("Posted", bound=Form)


def read(form: type[Posted], again: Callable[[Posted, str], str] | None = None) -> Posted:
    """Return the form that was posted.

    Raises:
        Refused: a field is wrong. It says which and why: on the page that `again` makes of what
            was typed and the reason, if there is one.
    """
    found, wrong = parse(form, posted(form))
    if wrong:
        raise refusal(wrong, None if again is None else lambda reason: again(found, reason))
    return found


def posted(model: type[BaseModel], boxes: Collection[str] = ()) -> dict[str, Any]:
    """Return the fields of a model as they were sent; `boxes` are False unless they are ticked."""
    given: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        key = field.alias or name
        values = request.form.getlist(key)[:MOST]
        if get_origin(field.annotation) is tuple:
            given[key] = values
        elif name in boxes:
            given[key] = ticked(*values[:1])
        elif values and values[0]:
            given[key] = values[0]
    return given


def ticked(value: str | bool = "") -> bool:
    """Tell whether a box is ticked, or a choice of yes and no is yes."""
    return value not in ("", "no", False)


def minute(text: str) -> int:
    """Return the minute of the day of ``08:30``; UNREADABLE for what is no time."""
    try:
        at = datetime.strptime(text.strip()[:5], "%H:%M")  # noqa: DTZ007 (a time of day)
    except ValueError:
        return UNREADABLE
    return at.hour * 60 + at.minute


def time_of_day(minute: int | None, otherwise: str) -> str:
    """Return a minute of the day as a form's field takes it: ``08:30``."""
    return otherwise if minute is None else f"{minute // 60:02}:{minute % 60:02}"


def whole(text: str, digits: int = 9) -> int | None:
    """Return the number that a text is; None for all that is no whole number of so many digits."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= digits else None


def _number(text: str) -> int:
    found = whole(text.strip(), digits=6)
    return UNREADABLE if found is None else found


Text = Annotated[str, BeforeValidator(lambda text: text[:LONGEST].replace("\x00", ""))]
"""A text, without what no database keeps."""
Number = Annotated[int, BeforeValidator(_number)]
"""A whole number of at most six digits, or UNREADABLE."""
Minute = Annotated[int, BeforeValidator(minute)]
"""A minute of the day, from ``08:30``, or UNREADABLE."""
Day = Annotated[
    date | None,
    BeforeValidator(lambda text: text and date.fromisoformat(text.strip())),
    says("day-unknown", lambda: _("This is no day; write it as in 2027-03-31.")),
]
"""A day, or None."""
Ticked = Annotated[bool, BeforeValidator(ticked)]
"""A box, or a choice of yes and no; a box that is not ticked is not sent."""
