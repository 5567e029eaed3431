"""``kraftpost backup`` and ``kraftpost restore``: all that cannot be made again, in one file.

That is the database and the secret that signs links and reply addresses. Redis holds no truth,
pictures are drawn again. Each database is copied by its own tools while it is in use.
"""

import io
import json
import os
import shutil
import sqlite3
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import click
from sqlalchemy import make_url

from core.settings import Settings, load
from core.store.migrations import migrate
from webapp.cli.common import PlaceTaken, fail, held, json_option, with_settings

DATABASE, SECRET, ABOUT = "database", "secret.key", "about.json"
NAME: Final = "kraftpost-{:%Y%m%d-%H%M%S}.tar.gz"
FORMAT: Final = 1


class BackupError(Exception):
    """The copy cannot be made or brought back; the message says why and what to do."""


@click.command()
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--keep", type=click.IntRange(1), help="Throw older ones away, but for so many.")
@json_option
@with_settings
def backup(settings: Settings, file: Path | None, keep: int | None, as_json: bool) -> None:
    """Copy the database and the secret into one file, while everything runs.

    Without FILE it is DATA/backups/kraftpost-DATE-TIME.tar.gz. It holds everybody's address and the
    secret: keep it where nobody else reads it, and not only on this machine.
    """
    folder = settings.data / "backups"
    target = file or folder / NAME.format(datetime.now(UTC))
    try:
        about = _pack(settings, target)
    except (BackupError, OSError) as reason:
        fail(str(reason))
    if keep:
        for old in sorted(target.parent.glob("kraftpost-*.tar.gz"))[:-keep]:
            old.unlink()
    size = target.stat().st_size
    facts = {"file": str(target), "bytes": size, **about}
    click.echo(json.dumps(facts) if as_json else f"{target} ({size / 1e6:.1f} MB)")


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--replace", is_flag=True, help="Put it in the place of a database that holds games.")
@with_settings
def restore(settings: Settings, file: Path, replace: bool) -> None:
    """Bring a backup back; nothing else may run meanwhile.

    A backup of an older version is brought up to the tables of this one. What is replaced in a
    database file stays beside it as `.before`.
    """
    try:
        with held(settings.data):
            about = _unpack(settings, file, replace=replace)
            migrate(settings.database_url)
    except (BackupError, PlaceTaken, OSError, tarfile.TarError) as reason:
        fail(f"Nothing was brought back: {reason}")
    click.echo(f"Back as it was at {about['made']}. Start the service, and ask kraftpost doctor.")


def _pack(settings: Settings, target: Path) -> dict[str, Any]:
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    url = make_url(settings.database_url)
    about = {
        "format": FORMAT,
        "version": version("kraftpost"),
        "database": url.get_backend_name(),
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    with _beside(target) as folder:
        _dump(settings.database_url, folder / DATABASE)
        packed = folder / "packed"
        with tarfile.open(packed, "x:gz") as tar:
            _add(tar, ABOUT, json.dumps(about).encode())
            _add(tar, SECRET, settings.secret_key.encode())
            tar.add(folder / DATABASE, DATABASE)
        packed.chmod(0o600)
        packed.replace(target)
    return about


def _unpack(settings: Settings, file: Path, *, replace: bool) -> dict[str, Any]:
    """Put database and secret in place, each whole or not at all; return what the file tells."""
    with tarfile.open(file) as tar, _beside(settings.data / DATABASE) as folder:
        about: dict[str, Any] = json.loads(_member(tar, ABOUT).read())
        if about.get("format") != FORMAT:
            raise BackupError(f"{file} was made by Kraftpost {about.get('version')}: use that one.")
        url = make_url(settings.database_url)
        if about["database"] != url.get_backend_name():
            raise BackupError(
                f"it is a copy of {about['database']}, and DATABASE_URL names another kind."
            )
        with (folder / DATABASE).open("wb") as copy:
            shutil.copyfileobj(_member(tar, DATABASE), copy)
        secret = _member(tar, SECRET).read().decode()
        _load(settings.database_url, folder / DATABASE, replace=replace)
    if not os.environ.get("SECRET_KEY"):
        kept = settings.data / SECRET
        kept.unlink(missing_ok=True)
        kept.touch(mode=0o600)
        kept.write_text(secret)
    elif load().secret_key != secret:
        click.echo("SECRET_KEY is another than in the backup: its links and replies end.", err=True)
    return about


def _add(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    told = tarfile.TarInfo(name)
    told.size = len(content)
    tar.addfile(told, io.BytesIO(content))


def _member(tar: tarfile.TarFile, name: str) -> io.BufferedReader:
    """Open one file of a backup by its name; nothing is ever written where the file says."""
    try:
        found = tar.extractfile(name)
    except KeyError:
        found = None
    if found is None:
        raise BackupError(f"this is no backup of ours: it holds no “{name}”.")
    return found  # type: ignore[return-value]


@contextmanager
def _beside(target: Path) -> Iterator[Path]:
    """Give a folder on the same disk, so that what is ready can be moved into place at once."""
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".backup-") as folder:
        yield Path(folder)


def _dump(database_url: str, copy: Path) -> None:
    url = make_url(database_url)
    if url.get_backend_name() == "sqlite":
        if not Path(str(url.database)).exists():
            raise BackupError(f"There is no database yet: {url.database} is missing.")
        source, into = sqlite3.connect(str(url.database)), sqlite3.connect(copy)
        with closing(source), closing(into):
            source.backup(into)
        return
    _tool("pg_dump", database_url, "--format=custom", "--file", str(copy))


def _load(database_url: str, copy: Path, *, replace: bool) -> None:
    url = make_url(database_url)
    if url.get_backend_name() != "sqlite":
        options = ("--clean", "--if-exists") if replace else ()
        _tool("pg_restore", database_url, "--no-owner", "--single-transaction", *options, str(copy))
        return
    with closing(sqlite3.connect(copy)) as dumped:
        if dumped.execute("PRAGMA integrity_check").fetchone() != ("ok",):
            raise BackupError("the database in it is damaged.")
    place = Path(str(url.database))
    if place.exists():
        if not replace:
            raise BackupError(f"{place} is there already. To replace it, say --replace.")
        with closing(sqlite3.connect(place)) as old:  # what stands in its journal belongs to it
            old.execute("PRAGMA journal_mode=DELETE")
        place.replace(place.with_name(f"{place.name}.before"))
    place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    copy.chmod(0o600)
    copy.replace(place)


def _tool(name: str, database_url: str, *arguments: str) -> None:
    """Run a tool of PostgreSQL's own on the database; the password goes by the environment."""
    places = [os.environ.get("PATH", ""), *map(str, Path("/usr/lib/postgresql").glob("*/bin"))]
    program = shutil.which(name, path=os.pathsep.join(places))
    if program is None:
        raise BackupError(f"{name} is not here: install PostgreSQL's client programs.")
    url = make_url(database_url).set(drivername="postgresql")
    environ = {**os.environ, "PGPASSWORD": url.password or ""}
    plain = url.set(password=None).render_as_string(hide_password=False)
    done = subprocess.run(  # noqa: S603 (our own words)
        [program, "--dbname", plain, *arguments],
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise BackupError(f"{name}: {done.stderr.strip() or done.stdout.strip()}")
