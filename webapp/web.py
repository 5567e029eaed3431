"""What views need (settings, a database scope, the time), and the headers of every answer."""

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache, cached_property
from ipaddress import ip_address
from pathlib import Path
from typing import Final, cast
from urllib.parse import urlsplit

import flask
from flask import Flask, Response, current_app, request
from sqlalchemy import Engine
from sqlmodel import Session
from werkzeug.datastructures import ImmutableMultiDict, MultiDict
from werkzeug.routing import IntegerConverter, UnicodeConverter, ValidationError

from core.channels.http_caller import Caller
from core.places import TEMPLATES
from core.settings import Settings
from core.store import session
from core.text import clean


class Request(flask.Request):
    """A request whose texts are clean, whatever page reads them: query and form (S4, S13)."""

    @cached_property
    def args(self) -> MultiDict[str, str]:
        """What stands behind the question mark, without what nobody can read."""
        return _cleaned(super().args)

    @cached_property
    def form(self) -> MultiDict[str, str]:  # type: ignore[override]
        """What was posted, without what nobody can read."""
        return _cleaned(super().form)


def _cleaned(given: MultiDict[str, str]) -> MultiDict[str, str]:
    pairs = given.items(multi=True)
    return ImmutableMultiDict((clean(name), clean(value)) for name, value in pairs)


class Words(UnicodeConverter):
    """A text in an address; one that holds what nobody can read is no address (404)."""

    def to_python(self, value: str) -> str:
        if clean(value) != value:
            raise ValidationError
        return value


BUSY_SECONDS: Final = 3.5
"""A page waits no longer for the database; with all else it answers within five seconds (S12)."""


class Services:
    """The outside world of one application; the engine is made when first used (after a fork)."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    @cached_property
    def engine(self) -> Engine:
        """The database."""
        return session.make_engine(self.settings.database_url, patience=BUSY_SECONDS)

    @cached_property
    def caller(self) -> Caller:
        """Calls webhooks."""
        return Caller()


class Number(IntegerConverter):
    """A number in an address; one that no database column holds is no address at all (404).

    The expression alone refuses it: a limit would be looked at only after the method of the
    request, and answer 405 where the address takes another one.
    """

    regex = r"\d{1,9}"


POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "font-src 'self'",
        "frame-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
"""Nothing from elsewhere, nothing framed."""
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


def init_app(app: Flask, settings: Settings) -> None:
    """Give the application its services, a bound to the numbers in addresses, and the headers."""
    app.extensions["kraftpost"] = Services(settings)
    app.request_class = Request
    app.url_map.converters |= {"int": Number, "default": Words, "string": Words}
    app.after_request(_harden)


def _harden(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if settings().public_url.startswith("https://"):
        response.headers["Strict-Transport-Security"] = "max-age=31536000"
    if request.endpoint != "static":
        # pages show what one seat may see: no proxy or shared computer may keep them
        response.headers.setdefault("Cache-Control", "no-store")
    return response


def from_here() -> bool:
    """Tell whether the request is from this machine; what a proxy beside it hands on is not."""
    direct = "X-Forwarded-For" not in request.headers and "Forwarded" not in request.headers
    return direct and ip_address(request.remote_addr or "0.0.0.0").is_loopback  # noqa: S104


def services(app: Flask | None = None) -> Services:
    """Return the services of an application, of the current one by default."""
    return cast(Services, (app or current_app).extensions["kraftpost"])


def settings(app: Flask | None = None) -> Settings:
    """Return the settings of an application."""
    return services(app).settings


@contextmanager
def reading() -> Iterator[Session]:
    """Yield one consistent look at the database."""
    with session.read(services().engine) as s:
        yield s


@contextmanager
def writing() -> Iterator[Session]:
    """Yield one transaction, committed at the end."""
    with session.write(services().engine) as s:
        yield s


def kept(
    body: bytes, kind: str, *, private: bool = True, updated: datetime | None = None
) -> Response:
    """Return an answer that its reader may keep, and asks again whether it is still so."""
    response = Response(body, content_type=kind)
    response.headers["Cache-Control"] = f"{'private' if private else 'public'}, no-cache"
    # A time to the second cannot tell what happened within it, so it is given once that is past.
    if updated is not None and (now() - updated).total_seconds() > 2:
        response.last_modified = updated
    response.add_etag()
    response.make_conditional(request)  # changes it in place
    return response


def inside(address: str | None) -> str:
    """Return a path of this site, or nothing: a link must not lead on to another host."""
    if not address or not address.startswith("/"):
        return ""
    # browsers read a backslash as a slash and skip what cannot be printed
    if "\\" in address or not address.isprintable() or urlsplit(address).netloc:
        return ""
    return address


def now() -> datetime:
    """Return the present instant; the one clock of the pages."""
    return datetime.now(UTC)


_WEBAPP: Final = Path(__file__).parent
_ROOMS: Final = (_WEBAPP.parent / "core", _WEBAPP, TEMPLATES)


@cache
def build() -> str:
    """Return a mark that changes with any file of the code, the pages or the game's data."""
    mark = 0
    files = (path for room in _ROOMS for path in room.rglob("*") if path.is_file())
    for path in sorted(path for path in files if path.suffix != ".pyc"):
        mark = zlib.crc32(path.read_bytes(), zlib.crc32(path.name.encode(), mark))
    return f"{mark:08x}"
