"""What the commands share: ``--data``, ``--json``, the settings and how to fail."""

import contextlib
import errno
import fcntl
import functools
import http.client
import json
import os
import re
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NoReturn, cast

import click
from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from core.game.errors import LogError
from core.game.log.jsonl import GameLog
from core.game.log.jsonl import read as read_log
from core.settings import Settings, SettingsError, load
from core.store.session import make_engine
from core.table.record.errors import TableError

TRIES: Final = 100
NOTE: Final = "up.json"


class PlaceTaken(Exception):
    """The port or the data directory is not to be had; the message says what to do."""


def free_port(host: str, wanted: int, what: str, say: Callable[[str], None]) -> int:
    """Return ``wanted`` if nobody listens there, else the next free port, told by ``say``.

    0 lets the system choose.

    Raises:
        PlaceTaken: none of the next hundred ports is free, or this host or port is forbidden.
    """
    for port in range(wanted, min(wanted + TRIES, 65536)):
        if (bound := _try(host, port)) is not None:
            if wanted not in (0, bound):
                say(f"Port {wanted} is taken by another program: {what} listens on {bound}.")
            return bound
    raise PlaceTaken(f"No port from {wanted} on is free on {host} for {what}: name another.")


def _try(host: str, port: int) -> int | None:
    """Bind the port for a moment; None if somebody else has it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                return None
            raise PlaceTaken(f"Cannot listen on {host}:{port}: {error.strerror}.") from error
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def held(data: Path) -> Iterator[Callable[[dict[str, object]], None]]:
    """Hold the data directory for this process; yields a way to note what runs in it.

    The hold ends with the process however that ends, so a stale file does no harm.

    Raises:
        PlaceTaken: another process holds it; the message says where that one is to be found.
    """
    data.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (data / NOTE).open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise PlaceTaken(_who_runs(data)) from None
        file.truncate(0)

        def note(facts: dict[str, object]) -> None:
            file.truncate(0)
            file.write(json.dumps(facts))
            file.flush()

        yield note
        file.truncate(0)


def running(data: Path) -> dict[str, Any]:
    """Return what ``kraftpost up`` noted in this data directory; empty if none runs."""
    try:
        facts = json.loads((data / NOTE).read_text())
        os.kill(facts["pid"], 0)
    except (FileNotFoundError, ValueError, ProcessLookupError):
        return {}
    except PermissionError:
        pass  # it is another user's, and it runs
    return cast(dict[str, Any], facts)


def _who_runs(data: Path) -> str:
    facts = running(data)
    where = f" at {facts['site']} (process {facts['pid']})" if facts else ""
    return (
        f"Kraftpost is already running with the data directory {data}{where}. "
        "Stop that one, or start this one with another --data DIR."
    )


def accepts(host: str, port: int) -> bool:
    """Whether somebody takes connections there."""
    with contextlib.suppress(OSError), socket.create_connection((host, port), timeout=1):
        return True
    return False


def healthy(listen: str) -> bool:
    """Whether a site answers its health check at this ``HOST:PORT``."""
    host, _, port = listen.rpartition(":")
    connection = http.client.HTTPConnection(host.strip("[]"), int(port), timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


USAGE_ERROR = 2
log_argument = click.argument("file", type=click.File("rb"))
_NO_TABLES: Final = re.compile(r"no such table|unable to open|relation .* does not exist")

json_option = click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")


def data_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--data DIR``, which says the same as KRAFTPOST_DATA and wins over it."""

    @click.option(
        "--data",
        type=click.Path(file_okay=False, path_type=Path),
        help="Directory of everything kept here; else KRAFTPOST_DATA, else ./var.",
    )
    @functools.wraps(command)
    def with_data(*args: Any, data: Path | None, **kwargs: Any) -> Any:
        if data is not None:
            os.environ["KRAFTPOST_DATA"] = str(data.resolve())
        return command(*args, **kwargs)

    return with_data


def with_settings(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--data DIR`` and hand the settings to the command as its first argument.

    Where ``kraftpost up`` runs on the same data, its addresses count unless the environment says
    otherwise: it may have had to take other ports. Settings that cannot be used are told line by
    line, with exit code 2.
    """

    @data_option
    @functools.wraps(command)
    def with_both(*args: Any, **kwargs: Any) -> Any:
        return command(_as_running(settings_or_exit()), *args, **kwargs)

    return with_both


def _as_running(settings: Settings) -> Settings:
    facts = running(settings.data)
    noted = {
        "web_listen": ("WEB_LISTEN", "web"),
        "inbound_listen": ("INBOUND_LISTEN", "smtp"),
        "public_url": ("PUBLIC_URL", "site"),
    }
    changes = {
        field: facts[fact]
        for field, (variable, fact) in noted.items()
        if fact in facts and not os.environ.get(variable)
    }
    return settings.model_copy(update=changes)


def settings_or_exit() -> Settings:
    """Read the settings, or tell what is wrong with them and exit with code 2."""
    try:
        return load()
    except SettingsError as refusal:
        fail("\n".join(refusal.problems), USAGE_ERROR)


@contextlib.contextmanager
def database(settings: Settings) -> Iterator[Engine]:
    """Yield the database; what the table refuses ends the command with the reason.

    So does a database that has no tables yet: the reason says what to run.
    """
    engine = make_engine(settings.database_url)
    try:
        yield engine
    except TableError as error:
        fail(str(error))
    except DBAPIError as error:
        if not _NO_TABLES.search(str(error.orig)):
            raise
        fail(
            "The database has no tables yet: run `kraftpost release` once, or `kraftpost up`, "
            "with the same settings."
        )
    finally:
        engine.dispose()


def named(file: Any) -> str:
    """Return what a file that was given as an argument is called; standard input is ``-``."""
    name = getattr(file, "name", "-")
    return Path(name).name if isinstance(name, str) else "-"


@contextlib.contextmanager
def reading(file: Any) -> Iterator[GameLog]:
    """Yield the log in a file; what is wrong with it ends the command with the reason."""
    try:
        yield read_log(file.read())
    except (LogError, TableError) as error:
        fail(f"{named(file)}: {error}")


def fail(message: str, code: int = 1) -> NoReturn:
    """Tell what went wrong on standard error and exit."""
    click.echo(message, err=True)
    raise SystemExit(code)
