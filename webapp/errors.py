"""Pages for what went wrong. Each says what happened and what to do next."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

import structlog
from flask import Flask, make_response, render_template, request
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException

from core.game.errors import LogError
from core.store.session import Busy
from core.table.record.errors import TableError
from core.text import _
from webapp import kept

log = structlog.get_logger()


class Refused(HTTPException):
    """A request that the table refuses; `description` says why in the reader's words."""

    code = 422


class NotYours(HTTPException):
    """Known who you are, and it is not for you."""

    code = 403


class TooLong(Exception):
    """A page took longer than any may (webapp.patience)."""


def init_app(app: Flask) -> None:
    """Show our own pages for every error; log them without their addresses, which hold secrets."""
    app.log_exception = _log  # type: ignore[method-assign,assignment]
    app.register_error_handler(TooLong, _too_long)
    app.register_error_handler(HTTPException, _show)
    app.register_error_handler(CSRFError, _old_form)
    app.register_error_handler(LogError, _unreadable)
    app.register_error_handler(Busy, _busy)


def _words() -> dict[int, tuple[str, str]]:
    """Return the heading and the advice of each error page, by status."""
    return {
        400: (
            _("That form did not arrive well"),
            _(
                "Open the page again, check what you filled in, and send it once more. "
                "Nothing was changed."
            ),
        ),
        403: (
            _("Not for you"),
            _(
                "This belongs to somebody else, or to people at the table only. "
                "If it should be yours, sign in with the address you were invited with."
            ),
        ),
        404: (
            _("No such address"),
            _(
                "Nothing is kept here: the address may be mistyped, or the table is private "
                "and you are not signed in as one of its players."
            ),
        ),
        405: (
            _("That cannot be done this way"),
            _("This address only takes a form that was sent. Open the page and use its button."),
        ),
        409: (
            _("The game has moved on"),
            _("Nothing was changed. Open the table to see what has happened since."),
        ),
        413: (
            _("That is too much at once"),
            _("What you sent is larger than any form here needs. Shorten it and send it again."),
        ),
        422: (
            _("That was refused"),
            _("Nothing was changed. Go back, change what is named above, and send it again."),
        ),
        429: (
            _("Too many letters at once"),
            _(
                "You have asked more often than the post can carry. Wait a few minutes, "
                "then try again; nothing is lost."
            ),
        ),
        503: (
            _("This game stands still"),
            _(
                "Its log cannot be read by the program that runs here, and whoever runs the site "
                "is told. Nothing is lost: no turn is missed meanwhile, and your other games go "
                "on. Look again in a while."
            ),
        ),
        500: (
            _("Something broke on our side"),
            _(
                "It was not your doing, and your game is safe: a move is either done completely "
                "or not at all. Open the table again in a minute; if it happens again, tell "
                "whoever runs this site the time of day."
            ),
        ),
    }


def _page(code: int, reason: str, back: str | None) -> str:
    heading, advice = _words()[code]
    return render_template(
        "error.html",
        heading=heading,
        advice=advice,
        reason=reason,
        foreign=code in (403, 404),
        back=back,
    )


def _show(error: HTTPException) -> ResponseReturnValue:
    if error.response is not None or (error.code or 500) < 400:
        return error
    code = error.code if error.code in _words() else 500
    reason = str(error.description) if isinstance(error, Refused | NotYours) else ""
    back = request.referrer if (request.referrer or "").startswith(request.host_url) else None
    kept = ("retry-after", "allow")
    headers = [(name, value) for name, value in error.get_headers() if name.lower() in kept]
    return _page(code, reason, back), code, headers


def _log(error: object) -> None:
    """Log what broke by the name of the page: a mail's link in its address is a secret (S3)."""
    page = request.endpoint or "no page"
    logging.getLogger("webapp").error("Exception on %s", page, exc_info=cast(Any, error))


def _too_long(_error: TooLong) -> ResponseReturnValue:
    log.error("page_too_long", page=request.endpoint)
    heading = _("That took too long")
    advice = _("Nothing was changed. Try it again in a minute.")
    page = render_template(
        "error.html", heading=heading, advice=advice, reason="", foreign=False, back=None
    )
    return page, 503, {"Retry-After": "60"}


def _unreadable(error: LogError) -> ResponseReturnValue:
    log.error("game_unreadable", reason=str(error))
    return _page(503, "", None), 503, {"Retry-After": "600"}


def _busy(_error: Busy) -> ResponseReturnValue:
    """Answer while the database is held by others: what was written is kept (S12)."""
    log.error("database_busy", page=request.endpoint)
    reason = _("The site is very busy just now; nothing was done. Try it again in a minute.")
    late, headers = kept.keep(), {"Retry-After": "10"}
    if late is not None:
        return render_template("late.html", late=late, reason=reason), 503, headers
    page = render_template(
        "error.html", heading=_("That took too long"), advice=reason, reason="", foreign=False,
        back=None,
    )  # fmt: skip
    return page, 503, headers


def _old_form(_error: CSRFError) -> ResponseReturnValue:
    late = kept.keep()
    reason = _("The form was too old, or your browser keeps no cookies for this site.")
    if late is None:
        return _page(400, reason, None), 400
    return render_template("late.html", late=late, reason=reason), 400


def refusal(reason: str, again: Callable[[str], str] | None = None) -> Refused:
    """Return the refusal (422) to raise: on the page that `again` makes of it, or on its own."""
    return Refused(response=make_response(again(reason), 422)) if again else Refused(reason)


@contextmanager
def refusals(again: Callable[[str], str] | None = None) -> Iterator[None]:
    """Make a page (422) of what the table refuses, with the reason: as `refusal` does."""
    try:
        yield
    except TableError as error:
        raise refusal(str(error), again) from error
