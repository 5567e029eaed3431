"""``kraftpost doctor``: what works, what does not, and how to mend it."""

import dataclasses
import json
import smtplib
import socket
import ssl
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, cast

import click
import redis
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from redis.backoff import NoBackoff
from redis.retry import Retry
from sqlalchemy import Engine, text
from sqlalchemy.exc import SQLAlchemyError

import core.store
from core.settings import MailServer, Settings
from core.store import space
from core.store.session import make_engine, read
from core.store.tables import Heartbeat
from core.table.views import health
from webapp.cli.common import healthy, json_option, running, with_settings
from webapp.cli.memory import proportional

MIGRATIONS: Final = Path(core.store.__file__).with_name("migrations")
TIMEOUT: Final = 5  # seconds to wait for another server
SILENT: Final = timedelta(seconds=90)  # a program that has not been heard for so long is down


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at; ``mend`` says what to do where it is not well."""

    name: str
    ok: bool
    told: str
    mend: str = ""


@click.command()
@json_option
@with_settings
def doctor(settings: Settings, as_json: bool) -> None:
    """Look at database, site, worker, clock, mails, games, Redis; say how to mend what is wrong.

    Exit code 0 if all is well, 1 if something is not.
    """
    findings = list(examine(settings))
    if as_json:
        click.echo(json.dumps([dataclasses.asdict(one) for one in findings], indent=2))
    else:
        for one in findings:
            click.echo(f"{'ok  ' if one.ok else 'FAIL'}  {one.name:<10} {one.told}")
            if not one.ok:
                click.echo(f"      {'':<10} → {one.mend}")
    raise SystemExit(0 if all(one.ok for one in findings) else 1)


def examine(settings: Settings) -> Iterator[Finding]:
    """Yield a finding for each part; without a database those that ask it are left out."""
    engine = make_engine(settings.database_url)
    try:
        with_tables = []
        for check in (_database, _migrations):
            with_tables.append(check(settings, engine))
            yield with_tables[-1]
            if not with_tables[-1].ok:
                break
        if all(one.ok for one in with_tables):
            yield from _from_tables(engine)
    finally:
        engine.dispose()
    yield _disk(settings)
    yield from _memory(settings)
    yield _site(settings)
    yield _redis(settings)
    yield _mail_out(settings.mail_server)
    yield _inbound(settings)


def _from_tables(engine: Engine) -> Iterator[Finding]:
    yield _heard(engine, "worker", "kraftpost up, or: celery --app tasks.app worker")
    yield _heard(engine, "beat", "kraftpost up, or: celery --app tasks.app beat")
    yield from _health(engine)


def _database(settings: Settings, engine: Engine) -> Finding:
    where = engine.url.render_as_string(hide_password=True)
    if settings.database_url.startswith("sqlite") and not Path(engine.url.database or "").exists():
        return Finding(
            "database", False, f"{where} does not exist",
            "Start the service here (kraftpost up), or name the right place with --data DIR.",
        )  # fmt: skip
    try:
        with engine.connect() as connection:
            connection.execute(text("SELECT 1"))
    except SQLAlchemyError as error:
        return Finding(
            "database", False, f"{where}: {_first_line(error)}",
            "See that the server runs and that DATABASE_URL names it, its user and password.",
        )  # fmt: skip
    return Finding("database", True, where)


def _migrations(_settings: Settings, engine: Engine) -> Finding:
    wanted = ScriptDirectory(str(MIGRATIONS)).get_current_head()
    with engine.connect() as connection:
        found = MigrationContext.configure(connection).get_current_revision()
    return Finding(
        "tables", found == wanted, f"at {found or 'nothing'}, this version needs {wanted}",
        "Bring them up to date: kraftpost release",
    )  # fmt: skip


def _heard(engine: Engine, name: str, start: str) -> Finding:
    with read(engine) as session:
        beat = session.get(Heartbeat, name)
    if beat is None:
        return Finding(name, False, "never heard of", f"Start it: {start}")
    silence = datetime.now(UTC) - beat.at
    told = f"heard {silence.total_seconds():.0f} s ago"
    return Finding(name, silence < SILENT, told, f"Start it: {start}; see its log for why it ended")


def _health(engine: Engine) -> Iterator[Finding]:
    with read(engine) as session:
        found = health.examine(session, datetime.now(UTC))
    return (Finding(one.name, not one.ill, one.told, one.mend) for one in found)


def _disk(settings: Settings) -> Finding:
    room = space.free(settings.data)
    return Finding(
        "disk", room >= space.SCARCE, f"{room >> 20} MB are free at {settings.data}",
        "Make room: old logs and mails kept as files first; what is full loses moves.",
    )  # fmt: skip


def _memory(settings: Settings) -> Iterator[Finding]:
    """Tell what `kraftpost up` takes, where it runs and the system says it."""
    pid = running(settings.data).get("pid")
    used = proportional(pid) if isinstance(pid, int) else None
    if used is not None:
        yield Finding("memory", True, f"kraftpost up takes {used} MB in all its processes")


def _site(settings: Settings) -> Finding:
    ok = healthy(settings.web_listen)
    told = f"{settings.web_listen} {'answers' if ok else 'does not answer as it should'}"
    return Finding("site", ok, told, "Start it (kraftpost up, or gunicorn), or see its log.")


def _redis(settings: Settings) -> Finding:
    client = redis.Redis.from_url(
        settings.redis_url,
        socket_timeout=TIMEOUT,
        socket_connect_timeout=TIMEOUT,
        retry=Retry(NoBackoff(), 0),
    )
    try:
        with client:
            version = cast(dict[str, str], client.info("server"))["redis_version"]
    except redis.RedisError as error:
        return Finding(
            "redis", False, _first_line(error),
            "Start the service (kraftpost up brings one), or set REDIS_URL to a server that runs.",
        )  # fmt: skip
    return Finding("redis", True, f"speaks version {version}")


def _mail_out(server: MailServer) -> Finding:
    try:
        told = _try_directory(server.directory) if server.directory else _try_smtp(server)
    except (OSError, smtplib.SMTPException) as error:
        mend = "Check MAIL_URL: host, port, user, password, ?starttls=1."
        if server.directory:
            mend = "MAIL_URL names a directory that cannot be written: change it or its owner."
        return Finding("mail out", False, _first_line(error), mend)
    return Finding("mail out", True, told)


def _try_directory(directory: Path) -> str:
    directory.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=directory):
        return f"kept as files in {directory}; nobody gets any"


def _try_smtp(server: MailServer) -> str:
    """Go as far as a login, without sending anything."""
    context = ssl.create_default_context()
    connection = (
        smtplib.SMTP_SSL(server.host, server.port, timeout=TIMEOUT, context=context)
        if server.tls == "implicit"
        else smtplib.SMTP(server.host, server.port, timeout=TIMEOUT)
    )
    with connection:
        if server.tls == "starttls":
            connection.starttls(context=context)
        if server.user:
            connection.login(server.user, server.password)
        connection.noop()
    return f"{server.host}:{server.port} lets us in"


def _inbound(settings: Settings) -> Finding:
    host, port = settings.inbound_address
    try:
        with socket.create_connection((host, port), timeout=TIMEOUT) as connection:
            connection.settimeout(TIMEOUT)
            greeting = connection.recv(200).decode("ascii", "replace").strip()
    except OSError as error:
        return Finding(
            "mail in", False, f"{host}:{port}: {_first_line(error)}",
            "Start it: kraftpost up, or: kraftpost inbound. INBOUND_LISTEN names its address.",
        )  # fmt: skip
    return Finding(
        "mail in", greeting.startswith("220"), f"{host}:{port} answers {greeting!r}",
        "Another program has this port: set INBOUND_LISTEN to a free one.",
    )  # fmt: skip


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
