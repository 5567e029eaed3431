"""Sums for the statistics of the site, and one index with all that the gallery is asked for."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0005"
branch_labels = None
depends_on = None

_GALLERY = ["ended_at", "game_id", "map", "variant", "players", "rounds", "closeness", "rated"]
_SHOWN: dict[str, Any] = {
    "postgresql_where": sa.text("NOT private AND NOT abandoned"),
    "sqlite_where": sa.text("private = 0 AND abandoned = 0"),
}
_FORMER = {
    "ix_results_rounds": ["rounds"],
    "ix_results_closeness": ["closeness"],
    "ix_results_map_ended_at_game_id": ["map", "ended_at", "game_id"],
    "ix_results_variant_ended_at_game_id": ["variant", "ended_at", "game_id"],
    "ix_results_players_ended_at_game_id": ["players", "ended_at", "game_id"],
}


def upgrade() -> None:
    op.create_table(
        "result_counts",
        sa.Column("map", sa.String(length=60), nullable=False),
        sa.Column("variant", sa.String(length=60), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("places", sa.Integer(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.BigInteger(), nullable=False),
        sa.Column("close", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint(
            "map", "variant", "players", "first", name=op.f("pk_result_counts")
        ),
    )
    op.execute(
        """INSERT INTO result_counts
             (map, variant, players, first, games, wins, places, rounds, seconds, close)
           SELECT map, variant, players, first, count(*),
             sum(CASE WHEN place = 1 THEN 1 ELSE 0 END), sum(coalesce(place, 0)), sum(rounds),
             sum(seconds), sum(CASE WHEN closeness < 1000 THEN 1 ELSE 0 END)
           FROM results JOIN result_seats ON result_seats.game_id = results.game_id
           WHERE NOT abandoned AND NOT imported AND NOT private
           GROUP BY map, variant, players, first"""
    )
    for name in _FORMER:
        op.drop_index(name, "results")
    op.create_index("ix_results_gallery", "results", _GALLERY, **_SHOWN)


def downgrade() -> None:
    op.drop_index("ix_results_gallery", "results")
    for name, columns in _FORMER.items():
        op.create_index(name, "results", columns)
    op.drop_table("result_counts")
