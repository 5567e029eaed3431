"""The tasks: each a few lines around a function of core, safe to run twice or at once."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final

import structlog
from celery import Task
from celery.exceptions import SoftTimeLimitExceeded
from sqlalchemy.exc import OperationalError

from core.channels.http_caller import Caller
from core.game.errors import LogError
from core.mail import outbox, transport
from core.mail.message import Mailbox
from core.store import fences
from core.store.session import put, read, write
from core.store.tables import Heartbeat
from core.table.acts import deletion, vacation
from core.table.drive import adjudicate as judge
from core.table.drive import due_work, inbox, retention
from core.table.notify import digests, mails, moved_deadlines, sending, wall_clock
from core.table.people import guests, ratings
from core.table.play import stuck
from core.table.record import gamelog
from core.table.views import health, pictures, reminders, webhook_calls
from core.table.views.render import renderer
from tasks import app, enqueue
from tasks.app import TICK_SECONDS, TooSlow, at_most, celery

ENGINE_SECONDS: Final = 10
"""Processor time that one adjudication may take; then its game is flagged (M78)."""

log = structlog.get_logger()


@celery.task(name="adjudicate", bind=True)
def adjudicate(self: Task[Any, Any], game_id: int, careful: bool = False) -> None:
    """Bring a game up to date; ring for what follows.

    Attempts are counted where there is reason to distrust the game: its task comes a second time,
    or the tick had to ask for it.
    """
    engine = app.engine()
    if not _clock_is_right():
        return  # the tick asks again
    if careful or _comes_again(self):
        with write(engine) as session:
            if not stuck.begin_game(session, game_id, _now()):
                return
    try:
        with write(engine) as session:
            gamelog.lock(session, game_id)  # to wait for others is not the game's fault
            with at_most(ENGINE_SECONDS):
                again = judge.adjudicate(session, game_id, _now())
            owed = mails.has_owed(session)
    except TooSlow:
        with write(engine) as session:
            stuck.stop_game(session, game_id, f"adjudication took over {ENGINE_SECONDS} s", _now())
        return
    except LogError as error:
        with write(engine) as session:
            stuck.failed(session, game_id, error, _now())
        return
    if again:
        enqueue.adjudicate(game_id)
    if owed:
        enqueue.deliver()


@celery.task(name="process_mail")
def process_mail(inbound_id: int) -> None:
    """Act on a mail that came in."""
    engine = app.engine()
    if not _clock_is_right():
        return
    with write(engine) as session:
        if not stuck.begin_mail(session, inbound_id, _now()):
            inbox.tell_failed(session, inbound_id, _now(), _mailbox())
            return
    with write(engine) as session:
        game_id = inbox.process(session, inbound_id, _now(), _mailbox())
    if game_id is not None:
        enqueue.adjudicate(game_id)
    enqueue.deliver()


@celery.task(name="deliver", soft_time_limit=50, time_limit=55)  # a mail server may be slow
def deliver() -> None:
    """Send mails that are due, for some seconds; then others have their turn first."""
    engine = app.engine()
    if not _clock_is_right():
        return
    with transport.sender(app.settings().mail_server) as sender:
        sent = outbox.deliver(engine, renderer(_mailbox()), sender, _now, sending.may)
    with write(engine) as session:
        put(session, Heartbeat(name="deliver", at=_now()))
        alarmed = health.watch(session, app.settings().admin_mail, _now())
        rest = outbox.backlog(session, _now()).due
    log.info("delivered", mails=sent, rest=rest)
    if alarmed or (sent and rest):
        enqueue.deliver()


@celery.task(name="call_hooks")
def call_hooks() -> None:
    """Call the webhooks that are owed a call, for some seconds."""
    arrived = webhook_calls.deliver(app.engine(), _caller(), _mailbox().links, _now)
    log.info("called", hooks=arrived)


@celery.task(name="draw")
def draw() -> None:
    """Make pictures that are owed, for some seconds; then others have their turn first."""
    if pictures.work(app.engine(), _now):
        enqueue.draw()


@celery.task(name="tick")
def tick() -> None:
    """Find due work in the database and ring for it; what is not taken soon is rung for again.

    Each part has a fence of its own: one that fails is told of, and the others are done.
    """
    engine = app.engine()
    with write(engine) as session:
        put(session, Heartbeat(name="worker", at=_now()))
    with write(engine) as session:
        if not wall_clock.watch(session, datetime.now(UTC), wall_clock.boot()):
            log.error("clock_leapt", mend="kraftpost clock accept, once it is right")
            return
    with _fence("outage"), write(engine) as session:
        moved_deadlines.beat(session, _now())  # before anything is due: it may give time back
    parts = (_tend, _ring, _remember, _draw_again, _announce, _rate, _bid_farewell, _throw_away)
    for part in parts:
        with _fence(part.__name__.strip("_")):
            part()
    with write(engine) as session:
        # last: a tick that fails on its way has not swept
        put(session, Heartbeat(name="sweep", at=_now()))


def _tend() -> None:
    """Do what is due at tables though nobody does anything there."""
    with read(app.engine()) as session:
        left_over = due_work.neglected(session, _now())
    for game_id in left_over:
        with _fence("table", game_id), write(app.engine()) as session:
            due_work.tend(session, game_id, _now())


def _ring() -> None:
    """Ring for moves, deadlines, mails and calls that are due."""
    with read(app.engine()) as session:
        due = due_work.due(session, _now())
        hooks = webhook_calls.due(session, _now())
    for inbound_id in due.mails_in:  # first: a mail may hold the answer to a turn that is overdue
        enqueue.again("process_mail", TICK_SECONDS, inbound_id)
    for game_id in due.games:
        enqueue.again("adjudicate", TICK_SECONDS, game_id, careful=True)
    if due.mails_out:
        enqueue.again("deliver", TICK_SECONDS)
    if hooks:
        enqueue.again("call_hooks", TICK_SECONDS)


def _remember() -> None:
    """Owe the reminders and digests that have come due."""
    with _fence("reminders"), write(app.engine()) as session:
        if reminders.owe(session, _now()):
            enqueue.again("deliver", TICK_SECONDS)
    with read(app.engine()) as session:
        users = digests.due(session, _now())
    for user_id in users:
        with _fence("digest"), write(app.engine()) as session:
            digests.owe(session, user_id, _now())
    if users:
        enqueue.again("deliver", TICK_SECONDS)


def _draw_again() -> None:
    """Owe the cards that are missing or old, and ring for pictures that are owed."""
    with read(app.engine()) as session:
        cards = pictures.without_card(session, _now())
        drawing = bool(cards) or pictures.due(session, _now())
    if cards:
        with write(app.engine()) as session:
            pictures.owe_cards(session, _now())
    if drawing:
        enqueue.again("draw", TICK_SECONDS)


def _announce() -> None:
    with write(app.engine()) as session:
        vacation.announce(session, _now())


def _throw_away() -> None:
    with write(app.engine()) as session:
        retention.throw_away(session, _now(), app.settings().keep_mail_days)


def _rate() -> None:
    with read(app.engine()) as session:
        unrated = ratings.is_due(session)
    if unrated:
        with write(app.engine()) as session:
            ratings.rate(session, _now())


def _bid_farewell() -> None:
    """Delete guests whose week is over, with the games that nobody else plays in."""
    with read(app.engine()) as session:
        gone = guests.over(session, _now())
    for user_id in gone:
        with _fence("guest"), write(app.engine()) as session:
            deletion.delete_account(session, user_id, _now())


@contextmanager
def _fence(work: str, game_id: int | None = None) -> Iterator[None]:
    """Let a part of the sweep fail alone; a game that cannot be read is stopped.

    A database that is away, and a time limit, concern all parts.
    """
    try:
        yield
    except (OperationalError, SoftTimeLimitExceeded):
        raise
    except Exception as error:
        with write(app.engine()) as session:
            fences.note(session, work, error, _now(), game=game_id)
            if game_id is not None:
                stuck.failed(session, game_id, error, _now())


def _clock_is_right() -> bool:
    """Ask whether the wall clock goes on as it did; nothing is judged by one that has leapt."""
    with read(app.engine()) as session:
        return wall_clock.believed(session, datetime.now(UTC), wall_clock.boot())


@cache
def _caller() -> Caller:
    return Caller()


@cache
def _mailbox() -> Mailbox:
    return Mailbox.of(app.settings())


def _now() -> datetime:
    return datetime.now(UTC)


def _comes_again(task: Task[Any, Any]) -> bool:
    return bool((task.request.delivery_info or {}).get("redelivered"))
