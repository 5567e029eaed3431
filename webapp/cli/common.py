"""What the commands share: ``--data``, ``--json``, the settings and how to fail."""

import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import click

from core.settings import Settings, SettingsError, load

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

    Settings that cannot be used are told line by line, with exit code 2.
    """

    @data_option
    @functools.wraps(command)
    def with_both(*args: Any, **kwargs: Any) -> Any:
        return command(settings_or_exit(), *args, **kwargs)

    return with_both


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
