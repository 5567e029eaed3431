"""The tasks: each a few lines around a function of core, safe to run twice or at once."""

from datetime import UTC, datetime
from functools import cache
from typing import Any, Final

import structlog
from celery import Task

from core.channels.http_caller import Caller
from core.mail import outbox, transport
from core.mail.message import Mailbox
from core.store.session import put, read, write
from core.store.tables import Heartbeat
from core.table.acts import vacation
from core.table.drive import adjudicate as judge
from core.table.drive import due_work, inbox
from core.table.notify import digests, mails, moved_deadlines, sending
from core.table.people import ratings
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
    if again:
        enqueue.adjudicate(game_id)
    if owed:
        enqueue.deliver()


@celery.task(name="process_mail")
def process_mail(inbound_id: int) -> None:
    """Act on a mail that came in."""
    engine = app.engine()
    with write(engine) as session:
        if not stuck.begin_mail(session, inbound_id, _now()):
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
    """Find due work in the database and ring for it; what is not taken soon is rung for again."""
    with write(app.engine()) as session:
        put(session, Heartbeat(name="worker", at=_now()))
        moved_deadlines.beat(session, _now())  # before anything is due: it may give time back
    with read(app.engine()) as session:
        left_over = due_work.neglected(session, _now())
    for game_id in left_over:
        with write(app.engine()) as session:
            due_work.tend(session, game_id, _now())
    with read(app.engine()) as session:
        due = due_work.due(session, _now())
        hooks = webhook_calls.due(session, _now())
    for inbound_id in due.mails_in:  # first: a mail may hold the answer to a turn that is overdue
        enqueue.again("process_mail", TICK_SECONDS, inbound_id)
    for game_id in due.games:
        enqueue.again("adjudicate", TICK_SECONDS, game_id, careful=True)
    if _remember() or due.mails_out:
        enqueue.again("deliver", TICK_SECONDS)
    if hooks:
        enqueue.again("call_hooks", TICK_SECONDS)
    _draw_again()
    with write(app.engine()) as session:
        vacation.announce(session, _now())
    with read(app.engine()) as session:
        unrated = ratings.is_due(session)
    if unrated:
        with write(app.engine()) as session:
            ratings.rate(session, _now())
    with write(app.engine()) as session:
        # last: a tick that fails on its way has not swept
        put(session, Heartbeat(name="sweep", at=_now()))


def _remember() -> bool:
    """Owe the reminders and digests that have come due; True if there are any."""
    with write(app.engine()) as session:
        owed = reminders.owe(session, _now()) > 0
    with read(app.engine()) as session:
        users = digests.due(session, _now())
    for user_id in users:
        with write(app.engine()) as session:
            owed |= digests.owe(session, user_id, _now())
    return owed


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
