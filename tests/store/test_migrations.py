import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, text
from sqlmodel import Session, SQLModel, delete, select

from core.store import tables
from core.store.migrations import config, migrate
from core.store.session import make_engine
from core.table.record import results


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


def test_games_of_the_first_version_are_kept_by_the_next_ones(engine_url):
    command.upgrade(config(engine_url), "0001")
    engine = make_engine(engine_url)
    with engine.begin() as connection:
        for statement in (
            "INSERT INTO users (id, email, name, zone, locale, mail_turns, mail_games, mail_chat, "
            "created_at) "
            "VALUES (7, 'a@x.org', 'A', 'UTC', 'en', true, true, false, CURRENT_TIMESTAMP)",
            "INSERT INTO games (id, title, host_id, map, variant, options, regions, players, "
            "turn_hours, private, chat, status, seed, seq, restless, attempts, flag, created_at) "
            "VALUES (3, 'T', 7, 'm', 'v', '{}', '[]', 2, 48, false, true, 'open', '', 0, false, 0, "
            "'', CURRENT_TIMESTAMP)",
            "INSERT INTO seats (id, game_id, user_id, bot, name, letter, colour, joined_at) "
            "VALUES (1, 3, 7, '', 'A', '', '', CURRENT_TIMESTAMP)",
        ):
            connection.execute(text(statement))
    migrate(engine_url)
    with Session(engine) as session:
        game = session.get_one(tables.Game, 3)
        assert (game.host_id, game.imported, game.digest) == (7, False, None)
        assert session.get_one(tables.SeatRow, 1).game_id == 3
    if engine.dialect.name == "sqlite":
        with engine.connect() as connection:
            assert connection.execute(text("PRAGMA foreign_key_check")).all() == []
    engine.dispose()


def test_results_of_a_former_version_are_added_up(engine_url):
    command.upgrade(config(engine_url), "0005")
    engine = make_engine(engine_url)
    played = {"map": "m", "variant": "v", "players": 2}
    game = {"title": "T", "turn_hours": 48, "status": "finished", **played}
    row = {"auction": "open", "events": 9, "turns": 5, "step": 3, **played}
    with Session(engine) as session:
        for n, facts in enumerate(({}, {"closeness": 2000}, {"private": True}), 1):
            session.add(tables.Game(id=n, **game))
            session.flush()
            session.add(tables.Result(game_id=n, rounds=8 + n, seconds=10**9, **row, **facts))
            session.flush()
            for seat in (0, 1):
                session.add(tables.ResultSeat(game_id=n, seat=seat, place=2 - seat, first=seat + 1))
        session.commit()
    migrate(engine_url)
    with Session(engine) as session:
        added = everything(session)
        assert added == [
            ["m", "v", 2, 1, 2, 0, 4, 19, 2 * 10**9, 0],
            ["m", "v", 2, 2, 2, 2, 2, 19, 2 * 10**9, 0],
        ]
        session.exec(delete(tables.ResultCount))
        results.count(session)
        assert everything(session) == added
    engine.dispose()


def everything(session: Session) -> list[list[object]]:
    names = list(tables.ResultCount.model_fields)
    return sorted(
        [getattr(one, n) for n in names] for one in session.exec(select(tables.ResultCount))
    )
