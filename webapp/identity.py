"""Who is asking: the user whose session secret this browser's cookie carries, and how often.

Requests are counted in Redis, or in this process while Redis is away.
"""

from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import ParamSpec, cast

from flask import Flask, Response, g, redirect, request, url_for
from flask.typing import ResponseReturnValue
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address
from redis.backoff import NoBackoff
from redis.retry import Retry
from werkzeug.wrappers import Response as BaseResponse

from core.store.tables import User
from core.table.people import accounts
from core.table.people.guests import is_guest
from webapp import kept, web

COOKIE = "kraftpost"
SEEN_AGAIN = timedelta(hours=1)
"""After so long a request is a new sign of life."""

P = ParamSpec("P")


def init_app(app: Flask) -> None:
    """Give every template its `user`; let a broken Redis cost one short time-out, then nothing."""
    app.context_processor(lambda: {"user": current_user(), "guest": is_guest(current_user())})
    app.after_request(_note_sign_of_life)
    app.config.setdefault("RATELIMIT_STORAGE_URI", web.settings(app).limiter_url)
    app.config.setdefault(
        "RATELIMIT_STORAGE_OPTIONS",
        {"socket_timeout": 0.4, "socket_connect_timeout": 0.4, "retry": Retry(NoBackoff(), 0)},
    )
    app.config["RATELIMIT_IN_MEMORY_FALLBACK_ENABLED"] = True
    # Of requests that find Redis dead at once, one falls back; the others must not fail for it.
    app.config["RATELIMIT_SWALLOW_ERRORS"] = True
    app.config["RATELIMIT_KEY_PREFIX"] = "kraftpost"
    limiter.init_app(app)
    limiter.request_filter(lambda: request.endpoint in ("static", "ops.health", "ops.metrics"))


def current_user() -> User | None:
    """Return the signed-in user, looked up once a request; None for a stranger."""
    if "user" not in g:
        secret = request.cookies.get(COOKIE)
        g.user = None
        if secret:
            g.user = _signed_in(secret)
    return cast(User | None, g.user)


def _signed_in(secret: str) -> User | None:
    with web.reading() as s:
        found = accounts.session_user(s, secret, web.now())
    if found is None:
        return None
    user, seen = found
    g.long_unseen = web.now() - seen >= SEEN_AGAIN
    return user


def _note_sign_of_life(response: Response) -> Response:
    """Write down that they were here, once an hour: after the request, whose scopes are closed."""
    if g.get("long_unseen"):
        with web.writing() as s:
            accounts.seen(s, request.cookies[COOKIE], web.now())
    return response


def _counted_as() -> str:
    user = current_user()
    return f"user:{user.id}" if user else get_remote_address()


limiter = Limiter(_counted_as, default_limits=["900 per minute"], headers_enabled=False)


def is_signed_in() -> bool:
    """Tell whether the request is a user's, or a guest's."""
    return current_user() is not None


def me() -> User:
    """Return the signed-in user, in views behind `signed_in`."""
    user = current_user()
    if user is None:
        raise LookupError("nobody is signed in")
    return user


def signed_in(view: Callable[P, ResponseReturnValue]) -> Callable[P, ResponseReturnValue]:
    """Let only signed-in users in; others sign in first and come back to a page they wanted.

    A form that they sent is not done: it is kept, and they come back to where it was filled in.
    """

    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> ResponseReturnValue:
        if current_user() is not None:
            return view(*args, **kwargs)
        return sign_in_first()

    return guarded


def sign_in_first() -> BaseResponse:
    """Lead to the page that asks for an address, and from there back; keep a form that was sent."""
    if request.method in ("GET", "HEAD"):
        wanted = request.full_path.rstrip("?")
    else:
        late = kept.keep()
        wanted = late.page if late else ""
    return redirect(url_for("auth.sign_in", next=wanted or None), 303)


def remember(response: Response, secret: str) -> None:
    """Keep a session secret in this browser, out of reach of scripts and other sites."""
    response.set_cookie(
        COOKIE,
        secret,
        max_age=int(accounts.SESSION_LIFE.total_seconds()),
        secure=web.settings().public_url.startswith("https://"),
        httponly=True,
        samesite="Lax",
    )


def forget(response: Response) -> None:
    """Drop the session secret from this browser."""
    response.delete_cookie(COOKIE)
