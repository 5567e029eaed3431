"""The reader's language and time zone: for the words of the core, of the pages, and for times."""

import re
from collections.abc import Iterable
from contextlib import ExitStack
from datetime import UTC, date, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from babel import Locale, UnknownLocaleError
from babel.core import get_global
from flask import Flask, Response, g, request, url_for
from markupsafe import Markup

from core import text
from core import when as times
from core.store.tables import User
from webapp import web
from webapp.identity import current_user

COOKIE: Final = "kraftpost_language"
"""What somebody without an account has chosen."""
ASKED: Final = "lang"
"""Names in an address the language that is chosen with it."""


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
    app.context_processor(_switch)
    app.after_request(_remember)


def languages() -> list[str]:
    """Return the languages with a catalogue, English first."""
    return _languages(text.CATALOGUES)


@cache
def _languages(folder: Path) -> list[str]:
    found = sorted(path.parent.parent.name for path in folder.glob("*/LC_MESSAGES/*.mo"))
    return [text.SOURCE, *(name for name in found if name != text.SOURCE)]


def own_name(name: str) -> str:
    """Return what a language calls itself: ``Deutsch``."""
    told = Locale.parse(name).get_display_name(name) or name
    return told[:1].upper() + told[1:]


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


def follow(owner: User | None) -> None:
    """Speak the language of whom a mail's link or a token belongs to.

    Not to who is signed in, or has chosen a language in this browser.
    """
    if owner is not None and current_user() in (None, owner) and not _chosen():
        _say(owner.locale)


def _speak() -> None:
    user = current_user()
    _say(_asked() or (user.locale if user else _chosen() or nearest(request.accept_languages)))


def _say(wished: str) -> None:
    _fall_silent(None)
    g.locale = wished
    g.silence = ExitStack()
    g.silence.enter_context(text.speaking(g.locale))


def _asked() -> str:
    """Return the language that the address asks for (``?lang=th``)."""
    return _known(request.args.get(ASKED, ""))


def _chosen() -> str:
    """Return the language that somebody has chosen in this browser."""
    return _asked() or _known(request.cookies.get(COOKIE, ""))


def _known(name: str) -> str:
    return name if name in languages() else ""


def nearest(wished: Iterable[tuple[str, float]]) -> str:
    """Return the language with a catalogue that is nearest to what a browser wishes, best first.

    ``zh-TW`` is written as ``zh_Hant`` is, ``de-AT`` as ``de``; English if none is near.
    """
    ours = {_written(name): name for name in languages()}
    for tag, _quality in wished:
        if found := ours.get(_written(tag)):
            return found
    return text.SOURCE


@cache
def _written(tag: str) -> tuple[str, str]:
    """Return language and script of a tag, the likely script where it says none."""
    try:
        found = Locale.parse(tag.replace("-", "_"))
        script = found.script
        if script is None:
            likely = get_global("likely_subtags").get(found.language, "")
            script = Locale.parse(likely).script if likely else None
    except (UnknownLocaleError, ValueError):
        return tag, ""
    return found.language, script or ""


def _remember(response: Response) -> Response:
    """Keep what a stranger has chosen; tell in which language the answer is, and by what."""
    if _asked() and current_user() is None:
        secure = web.settings().public_url.startswith("https://")
        life = timedelta(days=365)
        response.set_cookie(COOKIE, _asked(), life, secure=secure, httponly=True, samesite="Lax")
    if response.mimetype in ("text/html", "application/problem+json"):
        response.content_language.add(locale().replace("_", "-"))
        response.vary.update(("Cookie", "Accept-Language"))
    return response


def _switch() -> dict[str, Any]:
    """Return what every page needs to tell its language, and to lead to others."""
    names = [(name, name.replace("_", "-"), own_name(name)) for name in languages()]
    return {
        "lang": locale().replace("_", "-"),
        "tongues": names,
        "in_language": _address,
        "alternates": _PUBLIC.search(request.path) is not None,
    }


_PUBLIC: Final = re.compile(r"^/($|rules|help|gallery|statistics)")
"""Pages that are the same for everybody, but for the language."""


def _address(name: str) -> str:
    """Return the address of this page in a language; the first page's, after a form."""
    here = request.path if request.method == "GET" else url_for("lobby.index")
    args = {**request.args.to_dict(flat=False), ASKED: [name]}
    return f"{here}?{urlencode(args if request.method == 'GET' else {ASKED: name}, doseq=True)}"


def _fall_silent(_error: BaseException | None) -> None:
    silence = g.pop("silence", None)
    if silence is not None:
        silence.close()
