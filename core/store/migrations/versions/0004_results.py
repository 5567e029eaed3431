"""Results and ratings of games that are over. `kraftpost results rebuild` fills them."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("users", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("share_private", sa.Boolean(), server_default=sa.true(), nullable=False)
        )
    op.create_table(
        "results",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("map", sa.String(length=60), nullable=False),
        sa.Column("variant", sa.String(length=60), nullable=False),
        sa.Column("auction", sa.String(length=12), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("events", sa.Integer(), nullable=False),
        sa.Column("turns", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Integer(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("abandoned", sa.Boolean(), nullable=False),
        sa.Column("private", sa.Boolean(), nullable=False),
        sa.Column("imported", sa.Boolean(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("unrated", sa.String(length=12), nullable=False),
        sa.Column("due", sa.Boolean(), nullable=False),
        sa.Column("closeness", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_results_game_id")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_results")),
    )
    with op.batch_alter_table("results", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_results_rounds"), ["rounds"])
        batch_op.create_index(batch_op.f("ix_results_due"), ["due"])
        batch_op.create_index(batch_op.f("ix_results_closeness"), ["closeness"])
        batch_op.create_index("ix_results_ended_at_game_id", ["ended_at", "game_id"])
        for column in ("map", "variant", "players"):
            name = f"ix_results_{column}_ended_at_game_id"
            batch_op.create_index(name, [column, "ended_at", "game_id"])

    op.create_table(
        "result_seats",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=True),
        sa.Column("bot", sa.String(length=40), nullable=False),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.Column("powered", sa.Integer(), nullable=False),
        sa.Column("elektro", sa.Integer(), nullable=False),
        sa.Column("cities", sa.Integer(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("turns", sa.Integer(), nullable=False),
        sa.Column("own_turns", sa.Integer(), nullable=False),
        sa.Column("missed", sa.Integer(), nullable=False),
        sa.Column("median_seconds", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["game_id"], ["results.game_id"], name=op.f("fk_result_seats_game_id")
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_result_seats_user_id")),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_result_seats")),
    )
    with op.batch_alter_table("result_seats", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_result_seats_user_id"), ["user_id"])

    op.create_table(
        "ratings",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["results.game_id"], name=op.f("fk_ratings_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_ratings_user_id")),
        sa.PrimaryKeyConstraint("game_id", "user_id", name=op.f("pk_ratings")),
    )
    with op.batch_alter_table("ratings", schema=None) as batch_op:
        batch_op.create_index("ix_ratings_user_id_games", ["user_id", "games"])
        batch_op.create_index("ix_ratings_ended_at_game_id", ["ended_at", "game_id"])


def downgrade() -> None:
    op.drop_table("ratings")
    op.drop_table("result_seats")
    op.drop_table("results")
    with op.batch_alter_table("users", schema=None) as batch_op:
        batch_op.drop_column("share_private")
