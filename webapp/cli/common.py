"""What the commands share: ``--data``, ``--json``, the settings and how to fail."""

import functools
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import click

from core.settings import Settings, SettingsError, load
from webapp.cli.place import running

USAGE_ERROR = 2

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
    return replace(settings, **changes)


def settings_or_exit() -> Settings:
    """Read the settings, or tell what is wrong with them and exit with code 2."""
    try:
        return load()
    except SettingsError as refusal:
        fail("\n".join(refusal.problems), USAGE_ERROR)


def fail(message: str, code: int = 1) -> NoReturn:
    """Tell what went wrong on standard error and exit."""
    click.echo(message, err=True)
    raise SystemExit(code)
