"""Standing orders, clocks that stand still, proposals, mail as people want it, webhooks."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _create_tables()
    _add_columns()
    op.execute(
        "UPDATE turns SET allowed_seconds = 3600 * "
        "(SELECT turn_hours FROM games WHERE games.id = turns.game_id)"
    )
    op.execute(
        "UPDATE turns SET user_id = (SELECT user_id FROM seats "
        "WHERE seats.game_id = turns.game_id AND seats.seat = turns.seat)"
    )
    op.execute(sa.text("UPDATE users SET mail_mode = 'off' WHERE NOT mail_turns"))


def _create_tables() -> None:
    op.create_table(
        "outages",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outages")),
    )
    with op.batch_alter_table("outages", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_outages_ends_at"), ["ends_at"], unique=False)

    op.create_table(
        "vacations",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("sitter_id", sa.Integer(), nullable=True),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("announced_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["sitter_id"], ["users.id"], name=op.f("fk_vacations_sitter_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_vacations_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_vacations")),
    )
    with op.batch_alter_table("vacations", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_vacations_ends_at"), ["ends_at"], unique=False)
        batch_op.create_index(batch_op.f("ix_vacations_sitter_id"), ["sitter_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_vacations_user_id"), ["user_id"], unique=False)

    op.create_table(
        "webhooks",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("url", sa.String(length=500), nullable=False),
        sa.Column("secret", sa.String(length=64), nullable=False),
        sa.Column("failing_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("disabled_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_error", sa.String(length=300), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_webhooks_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhooks")),
    )
    with op.batch_alter_table("webhooks", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_webhooks_user_id"), ["user_id"], unique=False)

    op.create_table(
        "pauses",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_pauses_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pauses")),
    )
    with op.batch_alter_table("pauses", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_pauses_game_id"), ["game_id"], unique=False)

    op.create_table(
        "presences",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_presences_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_presences_user_id")),
        sa.PrimaryKeyConstraint("game_id", "user_id", name=op.f("pk_presences")),
    )
    op.create_table(
        "proposals",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=True),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_proposals_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_proposals")),
        sa.UniqueConstraint("game_id", "number", name=op.f("uq_proposals_game_id_number")),
    )
    with op.batch_alter_table("proposals", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_proposals_game_id"), ["game_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_proposals_status"), ["status"], unique=False)

    op.create_table(
        "standing_orders",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=True),
        sa.Column("given_seq", sa.Integer(), nullable=False),
        sa.Column("given_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("closed_seq", sa.Integer(), nullable=True),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_standing_orders_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_standing_orders")),
        sa.UniqueConstraint(
            "game_id", "seat", "number", name=op.f("uq_standing_orders_game_id_seat_number")
        ),
    )
    with op.batch_alter_table("standing_orders", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_standing_orders_game_id"), ["game_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_standing_orders_status"), ["status"], unique=False)

    op.create_table(
        "table_preferences",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("mode", sa.String(length=12), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_table_preferences_game_id")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_table_preferences_user_id")
        ),
        sa.PrimaryKeyConstraint("game_id", "user_id", name=op.f("pk_table_preferences")),
    )
    op.create_table(
        "webhook_calls",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("webhook_id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("next_attempt_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("error", sa.String(length=300), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_webhook_calls_game_id")),
        sa.ForeignKeyConstraint(
            ["webhook_id"], ["webhooks.id"], name=op.f("fk_webhook_calls_webhook_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook_calls")),
        sa.UniqueConstraint("key", name=op.f("uq_webhook_calls_key")),
    )
    with op.batch_alter_table("webhook_calls", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_webhook_calls_next_attempt_at"), ["next_attempt_at"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_webhook_calls_status"), ["status"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_webhook_calls_webhook_id"), ["webhook_id"], unique=False
        )

    op.create_table(
        "proposal_answers",
        sa.Column("proposal_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("agrees", sa.Boolean(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["proposal_id"], ["proposals.id"], name=op.f("fk_proposal_answers_proposal_id")
        ),
        sa.PrimaryKeyConstraint("proposal_id", "seat", name=op.f("pk_proposal_answers")),
    )


def _add_columns() -> None:
    with op.batch_alter_table("games", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("terms", sa.JSON(), server_default=sa.text("'{}'"), nullable=False)
        )
        batch_op.add_column(sa.Column("shaken_at", sa.DateTime(timezone=True), nullable=True))

    with op.batch_alter_table("seats", schema=None) as batch_op:
        batch_op.add_column(sa.Column("bank_seconds", sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column("left_seconds", sa.Integer(), nullable=True))
        batch_op.add_column(
            sa.Column("later_seconds", sa.JSON(), server_default="[]", nullable=False)
        )
        batch_op.add_column(sa.Column("graces", sa.Integer(), server_default="0", nullable=False))
        batch_op.add_column(
            sa.Column("open", sa.Boolean(), server_default=sa.false(), nullable=False)
        )

    with op.batch_alter_table("turns", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("allowed_seconds", sa.Integer(), server_default="0", nullable=False)
        )
        batch_op.add_column(
            sa.Column("plan", sa.Boolean(), server_default=sa.false(), nullable=False)
        )
        batch_op.add_column(sa.Column("user_id", sa.Integer(), nullable=True))
        batch_op.create_foreign_key(op.f("fk_turns_user_id"), "users", ["user_id"], ["id"])
        batch_op.create_index(batch_op.f("ix_turns_user_id"), ["user_id"], unique=False)

    with op.batch_alter_table("users", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("mail_mode", sa.String(length=12), server_default="instant", nullable=False)
        )
        batch_op.add_column(
            sa.Column("batch_minutes", sa.Integer(), server_default="30", nullable=False)
        )
        batch_op.add_column(
            sa.Column("digest_hour", sa.Integer(), server_default="7", nullable=False)
        )
        batch_op.add_column(sa.Column("quiet_from", sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column("quiet_to", sa.Integer(), nullable=True))
        batch_op.add_column(
            sa.Column("quiet_except_hours", sa.Integer(), server_default="0", nullable=False)
        )
        batch_op.add_column(
            sa.Column("reminders", sa.JSON(), server_default=sa.text("'[]'"), nullable=False)
        )
        batch_op.add_column(sa.Column("window_from", sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column("window_to", sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column("window_set_at", sa.DateTime(timezone=True), nullable=True))
        batch_op.add_column(
            sa.Column("undeliverable_at", sa.DateTime(timezone=True), nullable=True)
        )
        batch_op.add_column(
            sa.Column("undeliverable_why", sa.String(length=300), server_default="", nullable=False)
        )
        batch_op.add_column(
            sa.Column("feed_version", sa.Integer(), server_default="0", nullable=False)
        )
        batch_op.add_column(sa.Column("barred_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("users", schema=None) as batch_op:
        batch_op.drop_column("barred_at")
        batch_op.drop_column("feed_version")
        batch_op.drop_column("undeliverable_why")
        batch_op.drop_column("undeliverable_at")
        batch_op.drop_column("window_set_at")
        batch_op.drop_column("window_to")
        batch_op.drop_column("window_from")
        batch_op.drop_column("reminders")
        batch_op.drop_column("quiet_except_hours")
        batch_op.drop_column("quiet_to")
        batch_op.drop_column("quiet_from")
        batch_op.drop_column("digest_hour")
        batch_op.drop_column("batch_minutes")
        batch_op.drop_column("mail_mode")

    with op.batch_alter_table("turns", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_turns_user_id"))
        batch_op.drop_constraint(op.f("fk_turns_user_id"), type_="foreignkey")
        batch_op.drop_column("user_id")
        batch_op.drop_column("plan")
        batch_op.drop_column("allowed_seconds")

    with op.batch_alter_table("seats", schema=None) as batch_op:
        batch_op.drop_column("open")
        batch_op.drop_column("graces")
        batch_op.drop_column("later_seconds")
        batch_op.drop_column("left_seconds")
        batch_op.drop_column("bank_seconds")

    with op.batch_alter_table("games", schema=None) as batch_op:
        batch_op.drop_column("shaken_at")
        batch_op.drop_column("terms")

    op.drop_table("proposal_answers")
    with op.batch_alter_table("webhook_calls", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_webhook_calls_webhook_id"))
        batch_op.drop_index(batch_op.f("ix_webhook_calls_status"))
        batch_op.drop_index(batch_op.f("ix_webhook_calls_next_attempt_at"))

    op.drop_table("webhook_calls")
    op.drop_table("table_preferences")
    with op.batch_alter_table("standing_orders", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_standing_orders_status"))
        batch_op.drop_index(batch_op.f("ix_standing_orders_game_id"))

    op.drop_table("standing_orders")
    with op.batch_alter_table("proposals", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_proposals_status"))
        batch_op.drop_index(batch_op.f("ix_proposals_game_id"))

    op.drop_table("proposals")
    op.drop_table("presences")
    with op.batch_alter_table("pauses", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_pauses_game_id"))

    op.drop_table("pauses")
    with op.batch_alter_table("webhooks", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_webhooks_user_id"))

    op.drop_table("webhooks")
    with op.batch_alter_table("vacations", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_vacations_user_id"))
        batch_op.drop_index(batch_op.f("ix_vacations_sitter_id"))
        batch_op.drop_index(batch_op.f("ix_vacations_ends_at"))

    op.drop_table("vacations")
    with op.batch_alter_table("outages", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_outages_ends_at"))

    op.drop_table("outages")
