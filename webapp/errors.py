"""Pages for what went wrong. Each says what happened and what to do next."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from flask import Flask, render_template, request
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException

from core.table.record.errors import TableError
from core.text import _

PAGES: Final = (400, 403, 404, 405, 409, 413, 422, 429, 500)


class Refused(HTTPException):
    """A request that the table refuses; `description` says why in the reader's words."""

    code = 422


class NotYours(HTTPException):
    """Known who you are, and it is not for you."""

    code = 403


def init_app(app: Flask) -> None:
    """Show our own pages for every error."""
    app.register_error_handler(HTTPException, _page)
    app.register_error_handler(CSRFError, _old_form)


def _page(error: HTTPException) -> ResponseReturnValue:
    if error.response is not None or (error.code or 500) < 400:
        return error
    code = error.code if error.code in PAGES else 500
    own_words = isinstance(error, Refused | NotYours)
    return (
        render_template(
            f"errors/{code}.html",
            reason=error.description if own_words else "",
            back=request.referrer if _ours(request.referrer) else None,
        ),
        code,
        _headers(error),
    )


def _headers(error: HTTPException) -> list[tuple[str, str]]:
    kept = ("retry-after", "allow")
    return [(name, value) for name, value in error.get_headers() if name.lower() in kept]


def _ours(address: str | None) -> bool:
    return bool(address) and str(address).startswith(request.host_url)


def _old_form(_error: CSRFError) -> ResponseReturnValue:
    reason = _("The form was too old, or your browser keeps no cookies for this site.")
    return render_template("errors/400.html", reason=reason, back=None), 400


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
