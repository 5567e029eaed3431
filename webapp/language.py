"""The reader's language and time zone: for the words of the core, of the pages, and for times."""

from contextlib import ExitStack
from datetime import UTC, date, datetime, timedelta

from flask import Flask, g, request
from markupsafe import Markup

from core import text
from core import when as times
from webapp import web
from webapp.identity import current_user


def init_app(app: Flask) -> None:
    """Speak the reader's language in every request, and give the templates their time filters."""
    app.before_request(_speak)
    app.teardown_request(_fall_silent)
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]
        text._, text.ngettext, newstyle=False, pgettext=text.pgettext
    )
    app.jinja_env.filters.update(
        when=when,
        ago=relative,
        until=until,
        due=due,
        length_of=length_of,
        brief=brief,
        exact=exact,
        day=day,
        clock=clock,
        decimal=decimal,
    )
    app.context_processor(lambda: {"lang": locale().replace("_", "-")})


def languages() -> list[str]:
    """Return the languages with a catalogue, English first."""
    found = sorted(path.parent.parent.name for path in text.CATALOGUES.glob("*/LC_MESSAGES/*.mo"))
    return [text.SOURCE, *(name for name in found if name != text.SOURCE)]


def locale() -> str:
    """Return the language of this request."""
    return str(g.get("locale", text.SOURCE))


def zone() -> str:
    """Return the IANA zone of the reader; UTC for strangers."""
    user = current_user()
    return user.zone if user else "UTC"


def exact(at: datetime) -> str:
    """Return a time in the reader's zone, with the zone's short name."""
    return times.exact(at, zone(), locale())


def relative(at: datetime) -> str:
    """Return how far away a time is: ``in 21 hours``, ``3 hours ago``."""
    return times.relative(at, web.now(), locale())


def until(at: datetime) -> str:
    """Return how long until a deadline, never negative: ``in 21 hours``, ``now``."""
    return times.until(at, web.now(), locale())


def brief(at: datetime) -> str:
    """Return how long ago, as short as can be, for a column: ``59m``, ``1h``.

    Never wider than that.
    """
    return times.brief(web.now() - at, locale())


def local_date(at: datetime) -> date:
    """Return the reader's day on which something happened."""
    return at.astimezone(times.zone(zone())).date()


def day(at: datetime) -> str:
    """Return a day in the reader's zone, in words."""
    return times.day(local_date(at), locale())


def clock(at: datetime) -> str:
    """Write hours and minutes in the reader's zone."""
    return times.clock(at, zone(), locale())


def decimal(number: float, places: int = 1) -> str:
    """Write a number with so many places after its point or comma."""
    return times.decimal(number, places, locale())


def when(at: datetime) -> Markup:
    """Return a time as an element: exact, and how far away."""
    stamp = at.astimezone(UTC).isoformat(timespec="seconds")
    return Markup('<time datetime="{}">{} ({})</time>').format(stamp, exact(at), relative(at))


def due(at: datetime) -> Markup:
    """Return a deadline as an element, like `when`, but never negative (M35)."""
    stamp = at.astimezone(UTC).isoformat(timespec="seconds")
    return Markup('<time datetime="{}">{} ({})</time>').format(stamp, exact(at), until(at))


def length_of(seconds: int) -> str:
    """Return a length of time: ``2 days``."""
    return times.span(timedelta(seconds=seconds), locale())


def _speak() -> None:
    user = current_user()
    wished = user.locale if user else request.accept_languages.best_match(languages())
    g.locale = wished or text.SOURCE
    g.silence = ExitStack()
    g.silence.enter_context(text.speaking(g.locale))


def _fall_silent(_error: BaseException | None) -> None:
    silence = g.pop("silence", None)
    if silence is not None:
        silence.close()
