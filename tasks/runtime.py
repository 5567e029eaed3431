"""What the tasks of one process share: settings and the database engine, made when first used."""

from functools import cache

from sqlalchemy import Engine

from core import settings as environment
from core.settings import Settings
from core.store.session import make_engine

_given: list[Settings] = []


def use(settings: Settings) -> None:
    """Work with these settings instead of the environment's, from now on."""
    _given[:] = [settings]


def settings() -> Settings:
    """The settings of this process, read once."""
    if not _given:
        _given.append(environment.load())
    return _given[0]


@cache
def engine() -> Engine:
    """The database; never touched by a worker's parent, so no connection crosses a fork."""
    return make_engine(settings().database_url)
