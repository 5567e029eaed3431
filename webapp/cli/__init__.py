"""The ``kraftpost`` command: one module per command or group, imported when it is wanted."""

import os
import sys
from importlib import import_module
from keyword import iskeyword
from typing import Any, Final

import click
import structlog

COMMANDS: Final = {
    "backup": "webapp.cli.backup",
    "check-map": "webapp.instruments.check_map",
    "clock": "webapp.cli.games",
    "conform": "webapp.instruments.conform.command",
    "corpus": "webapp.cli.games",
    "demo": "webapp.cli.table",
    "doctor": "webapp.cli.doctor",
    "export": "webapp.cli.games",
    "game": "webapp.cli.games",
    "import": "webapp.cli.games",
    "inbound": "webapp.cli.inbound",
    "judge": "webapp.cli.replay",
    "mail-in": "webapp.cli.inbound",
    "pace": "webapp.instruments.pace.command",
    "people": "webapp.cli.people",
    "ready": "webapp.cli.inbound",
    "release": "webapp.cli.inbound",
    "replay": "webapp.cli.replay",
    "restore": "webapp.cli.backup",
    "results": "webapp.cli.games",
    "selfplay": "webapp.instruments.selfplay_command",
    "service": "webapp.cli.service",
    "table": "webapp.cli.table",
    "token": "webapp.cli.token",
    "up": "webapp.cli.up",
    "verify": "webapp.cli.replay",
}


class LazyGroup(click.Group):
    """A group that imports a command's module only when somebody asks for the command."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Find the command by its name in Python: ``mail_in``, ``import_``."""
        if cmd_name not in COMMANDS:
            return None
        name = cmd_name.replace("-", "_") + ("_" if iskeyword(cmd_name) else "")
        found = getattr(import_module(COMMANDS[cmd_name]), name)
        assert isinstance(found, click.Command)  # noqa: S101 (tells mypy what the table holds)
        return found

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; what stands in its way is told in a line, never as a traceback."""
        try:
            return super().invoke(ctx)
        except (BrokenPipeError, click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:
            if (reason := _reason(error)) is None:
                raise
            raise click.ClickException(reason) from error


def _reason(error: Exception) -> str | None:
    """Return what a command says of a broken world; None for a fault of our own."""
    import sqlite3

    from sqlalchemy.exc import DBAPIError

    from core.game.errors import GameError, LogError, RulesError

    match error:
        case DBAPIError():
            why = str(error.orig).strip().splitlines()[0]
            return f"The database cannot be used: {why} (DATABASE_URL names it)."
        case sqlite3.Error():
            return f"The database cannot be used: {error} (DATABASE_URL names it)."
        case OSError():
            where = f": {error.filename}" if error.filename else ""
            return f"{error.strerror or error}{where}."
        case RulesError() | GameError() | LogError():
            return str(error)
    return None


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="kraftpost")
def main() -> None:
    """Play Power Grid by mail or web form.

    Exit codes: 0 done, 1 failed or unhealthy, 2 wrong arguments or settings.
    """
    os.umask(0o077)  # also for the programs that `up` starts: their files hold secrets (S3)
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
