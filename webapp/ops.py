"""For those who run the service: its health, numbers about it, and the drawings' style sheet."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from flask import Blueprint, Flask, Response, jsonify, request
from flask.typing import ResponseReturnValue
from sqlalchemy import text
from sqlmodel import Session, col, func, select
from werkzeug.exceptions import NotFound

from core.drawing import style
from core.mail import outbox
from core.store import space
from core.store.tables import Game, Heartbeat, Turn, User
from core.table.views import webhook_calls
from core.table.views.health import examine
from webapp import web
from webapp.identity import limiter

pages = Blueprint("ops", __name__)

CLOSED = (
    "/sign-in", "/profile", "/turn/", "/seat/", "/feeds/", "/back/", "/invitation/",
    "/come/", "/no-thanks/",
    "/unsubscribe/", "/address/", "/reached/", "/api/", "/import", "/games/*/at/",
)  # fmt: skip
"""Addresses that hold secrets, or thousands of pages of one game."""


@pages.get("/healthz")
@limiter.exempt
def health() -> ResponseReturnValue:
    """Answer 200 when the database does, and there is room; tell when programs were last heard of.

    503 where the disk is full: nothing that is sent could be kept (S7).
    """
    if space.is_full(web.settings().data):
        return jsonify(status="disk full"), 503
    with web.reading() as s:
        s.connection().execute(text("SELECT 1"))
        return jsonify(status="ok", heartbeat_age_seconds=_heartbeats(s))


@pages.get("/metrics")
@limiter.exempt
def metrics() -> ResponseReturnValue:
    """Return numbers for Prometheus: requests of all web processes, and what the database says.

    Only for a program on this machine that asks directly, not by way of a proxy.
    """
    if not web.from_here():
        raise NotFound
    from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
    from prometheus_client.core import GaugeMetricFamily
    from prometheus_client.multiprocess import MultiProcessCollector

    # A Gauge would be kept in a file, and told once more by the collector of all processes.
    families = []
    with web.reading() as s:
        for name, words, label, values in _numbers(s):
            families.append(GaugeMetricFamily(name, words, labels=[label] if label else []))
            for key, value in values.items():
                families[-1].add_metric([key] if label else [], value)
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    body = generate_latest(registry) + generate_latest(_Told(families))
    return Response(body, content_type=CONTENT_TYPE_LATEST)


@pages.get("/robots.txt")
@limiter.exempt
def robots() -> ResponseReturnValue:
    """Tell programs that look at the whole web what is of no use to them."""
    closed = "".join(f"Disallow: {path}\n" for path in CLOSED)
    return Response(f"User-agent: *\n{closed}", mimetype="text/plain")


@pages.get("/drawings.css")
@limiter.exempt
def drawings() -> ResponseReturnValue:
    """Return the colours and lines of boards and cards, light and dark."""
    kept = {"Cache-Control": "public, max-age=3600"}
    return Response(style.page(), mimetype="text/css", headers=kept)


def init_app(app: Flask) -> None:
    """Count requests, together with the other web processes of this installation."""
    # the library looks at the environment once, when it is first imported
    default = web.settings(app).data / "metrics"
    folder = Path(os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", str(default)))
    folder.mkdir(parents=True, exist_ok=True)
    _forget_the_dead(folder)
    from prometheus_client import REGISTRY, CollectorRegistry, Counter

    registry = CollectorRegistry() if app.testing else REGISTRY
    count = Counter("kraftpost_requests", "Requests by kind of page", ["page", "status"],
                    registry=registry)  # fmt: skip

    @app.after_request
    def _count(response: Response) -> Response:
        count.labels(request.endpoint or "unknown", str(response.status_code)).inc()
        return response


class _Told(NamedTuple):
    """Numbers that are told once, in the form of a registry."""

    families: list[Any]

    def collect(self) -> list[Any]:
        return self.families


def _forget_the_dead(folder: Path) -> None:
    """Remove the counts of web processes that have ended; each has a file with its number."""
    for file in folder.glob("*_*.db"):
        try:
            os.kill(int(file.stem.rpartition("_")[2]), 0)
        except ProcessLookupError:
            file.unlink(missing_ok=True)
        except (PermissionError, ValueError):
            continue


def _heartbeats(session: Session) -> dict[str, int]:
    now = web.now()
    rows = session.exec(select(Heartbeat).order_by(col(Heartbeat.name)))
    return {row.name: int((now - row.at).total_seconds()) for row in rows}


_Number = tuple[str, str, str, dict[str, float]]


def _numbers(session: Session) -> Iterator[_Number]:
    """Name, meaning, label if any, values."""
    now, owed = web.now(), outbox.backlog(session, web.now())
    by_status = select(Game.status, func.count()).group_by(Game.status)
    due = select(func.min(col(Turn.deadline))).where(col(Turn.closed_at).is_(None))
    earliest = session.exec(due).one()
    late = max(0.0, (now - earliest).total_seconds()) if earliest else 0.0
    waits = (now - owed.oldest).total_seconds() if owed.oldest else 0.0
    yield "kraftpost_outbox_due", "Mails that are due", "", {"": owed.due}
    yield "kraftpost_outbox_failed", "Mails given up", "", {"": owed.failed}
    yield "kraftpost_undeliverable_users", "Users to whom mail comes back", "", {
        "": session.exec(select(func.count(col(User.undeliverable_at)))).one()
    }  # fmt: skip
    yield "kraftpost_outbox_oldest_seconds", "Age of the oldest mail that is due", "", {"": waits}
    yield "kraftpost_turn_overdue_seconds", "How late the oldest deadline is", "", {"": late}
    yield "kraftpost_tables", "Tables by status", "status", {
        status: float(n) for status, n in session.exec(by_status)
    }  # fmt: skip
    yield "kraftpost_hook_calls_due", "Calls of webhooks that are due", "", {
        "": webhook_calls.due(session, now)
    }  # fmt: skip
    yield "kraftpost_trouble", "What the doctor finds ill, 0 while all is well", "check", {
        one.name: float(one.ill) for one in examine(session, now)
    }  # fmt: skip
    yield "kraftpost_heartbeat_age_seconds", "Since a program was last heard of", "program", {
        name: float(age) for name, age in _heartbeats(session).items()
    }  # fmt: skip
