from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect
from sqlmodel import SQLModel

from core.store import tables
from core.store.migrations import config, migrate
from core.store.session import make_engine


@pytest.fixture
def migrated(engine_url):
    migrate(engine_url)
    engine = make_engine(engine_url)
    yield engine
    engine.dispose()


def test_migrations_make_exactly_the_tables_that_the_code_knows(migrated):
    assert tables.User.__tablename__ in inspect(migrated).get_table_names()
    with migrated.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, SQLModel.metadata) == []


def test_unique_keys_are_in_the_database(migrated):
    """They carry the promises: once an event, a submission, a mail."""
    found = inspect(migrated)

    def unique(table):
        return {tuple(sorted(u["column_names"])) for u in found.get_unique_constraints(table)}

    assert found.get_pk_constraint("events")["constrained_columns"] == ["game_id", "seq"]
    assert ("game_id", "key", "seat") in unique("submissions")
    assert ("game_id", "seat", "turn") in unique("turns")
    assert {("key",), ("message_id",)} <= unique("outbox")
    assert ("key",) in unique("inbound")
    assert {("game_id", "seat"), ("game_id", "user_id")} <= unique("seats")


def test_migrating_twice_changes_nothing(migrated, engine_url):
    migrate(engine_url)
    assert "games" in inspect(migrated).get_table_names()


def test_down_and_up_again(migrated, engine_url):
    command.downgrade(config(engine_url), "base")
    assert set(inspect(migrated).get_table_names()) <= {"alembic_version"}
    migrate(engine_url)
    assert "games" in inspect(migrated).get_table_names()


def test_revisions_follow_one_another():
    """Two that were written at once must not both follow the same one."""
    scripts = ScriptDirectory.from_config(config("sqlite://"))
    files = [path.name[:4] for path in Path(scripts.versions).glob("0*.py")]
    assert len(files) == len(set(files))
    assert len(scripts.get_heads()) == 1
