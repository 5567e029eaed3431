"""The replay: each position of a game has an address and is a plain page (M50-M53)."""

import re
import zlib
from dataclasses import dataclass, replace
from typing import Any, Final

from flask import (
    Blueprint,
    Response,
    flash,
    make_response,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from flask.typing import ResponseReturnValue
from sqlmodel import Session
from werkzeug.exceptions import NotFound

from core.game.events import Rewound, RoundBegan
from core.game.observe import PlayerView, observe
from core.game.state import GameState
from core.game.types import CityId, Fuel, PlantNumber, Resource, Seat
from core.mail.kinds import MailKind
from core.mail.outbox import owe
from core.statuses import GAME_OVER, GameStatus
from core.table.record.seats import seats
from core.table.record.timeline import Timeline, timeline
from core.table.views.table_view import table_view
from core.text import _
from tasks import enqueue
from webapp import web
from webapp.access import Access, look
from webapp.errors import NotYours
from webapp.forms import whole
from webapp.identity import limiter, signed_in
from webapp.language import locale, zone
from webapp.play import game_page, report
from webapp.records.route import Route, find_route, scale
from webapp.web import build


@dataclass(frozen=True, slots=True)
class Changes:
    """Two positions compared; moves that were taken back show like all others.

    `seats`: by seat, which of ``elektro cities plants fuel`` is another. `market`: plants that
    have come. `fuels`: by the name of a market, kinds of fuel of which it has more or less.
    """

    cities: frozenset[CityId]
    seats: dict[Seat, frozenset[str]]
    market: frozenset[PlantNumber]
    fuels: frozenset[tuple[str, str]]


def changes(before: PlayerView, after: PlayerView) -> Changes:
    """As one reader may see both."""
    pairs = list(zip(before.players, after.players, strict=True))
    parts = ("elektro", "cities", "plants", "fuel")
    old, new = before.market, after.market
    return Changes(
        cities=frozenset[CityId]().union(*(set(a.cities) ^ set(b.cities) for a, b in pairs)),
        seats={
            a.seat: frozenset(part for part in parts if getattr(a, part) != getattr(b, part))
            for a, b in pairs
        },
        market=frozenset({*new.actual, *new.future} - {*old.actual, *old.future}),
        fuels=frozenset(
            (name, fuel.value)
            for name, was, now in zip(
                after.ruleset.market_names, _stocks(before), _stocks(after), strict=True
            )
            for fuel in Resource
            if was[fuel] != now[fuel]
        ),
    )


def _stocks(view: PlayerView) -> tuple[Fuel, ...]:
    return (view.fuel_market, *view.local.markets)


pages = Blueprint("replay", __name__, url_prefix="/games/<int:game_id>")

_ROUND: Final = re.compile(r"\D{1,12}(\d{1,3})")
_FOR_EVER: Final = 31_536_000
"""Seconds for which a browser may keep a position of a finished game by its marked address."""
_ROUNDS_TOLD: Final = 2


@dataclass(frozen=True, slots=True)
class Watching:
    """A reader in the replay: as which seat, None for a spectator, and the timeline that they see.

    `chosen`: they asked for a seat, so that secrets of the time stay secret.
    """

    access: Access
    timeline: Timeline
    seat: int | None
    chosen: bool
    route: Route
    names: tuple[str, ...]


@pages.get("/replay")
def player(game_id: int) -> ResponseReturnValue:
    """Redirect to the beginning of the replay."""
    return redirect(url_for("replay.at", game_id=game_id, n=1, seat=request.args.get("seat")), 303)


@pages.get("/at")
def slide(game_id: int) -> ResponseReturnValue:
    """Where the slider was let go, or what was written: ``212``, ``round 5``."""
    wanted, seat = request.args.get("n", "1").strip(), request.args.get("seat") or None
    n = whole(wanted, digits=8)
    if match := _ROUND.fullmatch(wanted):
        with web.reading() as s:
            n = _watching(s, game_id).route.round_at(int(match[1])) or 1
    return redirect(url_for("replay.at", game_id=game_id, n=1 if n is None else n, seat=seat), 303)


@pages.get("/at/<int:n>")
def at(game_id: int, n: int) -> ResponseReturnValue:
    """Show the position after event `n` as the reader may see it: no secret of that moment."""
    with web.reading() as s:
        watching = _watching(s, game_id)
        if not 1 <= n <= len(watching.timeline.entries):
            raise NotFound
        answer = _kept(watching, n)
        if answer.status_code != 304:
            answer.set_data(render_template("replay/at.html", **_shown(s, watching, n)))
    return answer


@pages.route("/at/<int:n>/mail", methods=["GET", "POST"])
@signed_in
@limiter.limit("20 per hour", methods=["POST"])
def mail(game_id: int, n: int) -> ResponseReturnValue:
    """Asks, and owes the reader a mail of this position."""
    with web.writing() as s:
        watching = _watching(s, game_id)
        access = watching.access
        if not 1 <= n <= len(watching.timeline.entries):
            raise NotFound
        if access.user is None or access.seat is None:
            raise NotYours(
                _("Positions are mailed to the players of the game. Others keep its address.")
            )
        if request.method == "GET":
            return render_template("replay/mail.html", game=access.game, n=n)
        now = web.now()
        owe(
            s,
            MailKind.STATUS,
            key=f"position:{game_id}:{n}:{access.user.id}:{now:%Y%m%d%H%M}",
            now=now,
            user=access.user,
            game_id=game_id,
            seat=access.seat,
            context={"upto": n},
        )
    enqueue.deliver()
    flash(_("The position after event {n} is on its way to you.").format(n=n), "good")
    return redirect(url_for("game.show", game_id=game_id), 303)


def _watching(session: Session, game_id: int) -> Watching:
    """How the reader watches; while the game runs nobody sees another's seat."""
    access = look(session, game_id)
    game = access.game
    if not game.seq:
        raise NotFound
    wanted = request.args.get("seat", "")
    over = game.status != GameStatus.RUNNING
    seat, chosen = access.seat, False
    if wanted == "none":
        seat, chosen = None, True
    elif (number := whole(wanted)) is not None and number < game.players:
        seat, chosen = number, True
        if not over and seat != access.seat:
            raise NotYours(_("While the game runs you can watch from your own seat only."))
    shown = timeline(session, game)
    names = tuple(row.name for row in seats(session, game_id))
    turning = over or not shown.states[0].ruleset.hidden_money
    return Watching(access, shown, seat, chosen, find_route(shown, names, turning), names)


def _shown(session: Session, watching: Watching, n: int) -> dict[str, Any]:
    game, route, access = watching.access.game, watching.route, watching.access
    happened = watching.timeline.entries[n - 1].at
    table = table_view(session, game.id, watching.seat, now=web.now(), upto=n, then=watching.chosen)
    start = _told_from(watching.timeline, n)
    recent = table if start is None else replace(table, log=table.log[start.seq :])
    since = route.since(n)
    news = [entry for entry in recent.log if entry.seq > since]
    place = None if watching.seat is None else Seat(watching.seat)
    revealed = game.status in GAME_OVER and not watching.chosen
    before = watching.timeline.states[max(since, 1) - 1]
    changed = changes(observe(before, place, revealed=revealed), table.view)
    scene = game_page.past(table, [entry.event for entry in news], changed.cities)
    told = report.merged(recent, game_page.whose(table), start)
    marks, running = route.marks(watching.names), game.status == GameStatus.RUNNING
    return {
        **game_page.shown(table, scene, told),
        "n": n,
        "route": route,
        "stops": route.stops(n),
        "marks": marks,
        "scale": scale(route.ticks, marks, game.seq),
        "changes": changed,
        "changed": report.events(recent, after=since) or report.events(recent, after=since - 1),
        "happened": happened,
        "access": access,
        "may_try": access.user is not None and not (running and access.row is None),
        "may_mail": access.user is not None and access.seat is not None,
        "mark": _mark(watching),
        "seat_asked": request.args.get("seat") if watching.chosen else None,
        "seats": [s for s in table.seats if not running or s.seat == access.seat],
    }


def _told_from(shown: Timeline, n: int) -> GameState | None:
    """Where the log of a page begins: the round before this one, and no move goes back beyond."""
    rounds = [e.seq for e in shown.entries[:n] if isinstance(e.event, RoundBegan)]
    if len(rounds) <= _ROUNDS_TOLD:
        return None
    start = rounds[-_ROUNDS_TOLD] - 1
    for entry in reversed(shown.entries[:n]):
        if entry.seq <= start:
            break
        if isinstance(entry.event, Rewound):
            start = min(start, entry.event.to)
    return shown.states[start - 1] if start else None


def _mark(watching: Watching) -> str:
    """Mark all that pages of a finished game depend on for one reader; "" while it runs."""
    game, user = watching.access.game, watching.access.user
    if game.status == GameStatus.RUNNING:
        return ""
    reader = (user.id, user.name, user.undeliverable_at) if user else ()
    facts = (build(), game.digest or game.seed, game.status, game.title, game.edition,
             watching.names, len(watching.timeline.entries), reader, locale(), zone())  # fmt: skip
    return f"{zlib.crc32(repr(facts).encode()):08x}"


def _kept(watching: Watching, n: int) -> Response:
    """Return an empty answer that says how long it is good; 304 if the browser has the page.

    An address with the present mark is another one once anything changes: good for ever. Others
    are asked for again each time. What has a message for the reader is shown once.
    """
    answer, access, mark = make_response(""), watching.access, _mark(watching)
    if not mark or "_flashes" in session:
        return answer
    answer.set_etag(f"{zlib.crc32(f'{mark} {n} {locale()} {request.full_path}'.encode()):08x}")
    answer.vary.update(("Cookie", "Accept-Language"))
    cache = answer.cache_control
    if request.args.get("v") == mark:
        cache.max_age, cache.immutable = _FOR_EVER, True
    else:
        cache.no_cache = True
    if access.game.private or access.user:
        cache.private = True
    else:
        cache.public = True
    answer.make_conditional(request)  # changes it in place
    return answer
