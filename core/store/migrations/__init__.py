"""Changes of the tables, from the first one on, and `migrate`, which applies them."""

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

HERE: Final = Path(__file__).parent


def config(url: str) -> Config:
    """Alembic's configuration for a database; there is no ini file."""
    alembic = Config()
    alembic.set_main_option("script_location", str(HERE))
    alembic.attributes["url"] = url
    return alembic


def migrate(url: str) -> None:
    """Bring a database up to the tables of this version; does nothing if it is."""
    command.upgrade(config(url), "head")


def is_current(engine: Engine) -> bool:
    """Return whether the database answers and has just the tables of this version."""
    wanted = ScriptDirectory.from_config(config("")).get_heads()
    try:
        with engine.connect() as connection:
            return list(MigrationContext.configure(connection).get_current_heads()) == wanted
    except DBAPIError:
        return False
