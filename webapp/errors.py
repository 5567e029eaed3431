"""Pages for what went wrong. Each says what happened and what to do next."""

from typing import Final

from flask import Flask, render_template, request
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException

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
