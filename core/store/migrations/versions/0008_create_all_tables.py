"""Create all tables.

The revision keeps the id of the last one of version 0.1, so that a database of 0.1 is at its head.
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "heartbeats",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_heartbeats")),
    )
    op.create_table(
        "inbound",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("message_id", sa.String(length=998), nullable=False),
        sa.Column("envelope_from", sa.String(length=320), nullable=False),
        sa.Column("recipients", sa.JSON(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("processed_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_inbound")),
        sa.UniqueConstraint("key", name=op.f("uq_inbound_key")),
    )
    with op.batch_alter_table("inbound", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_inbound_status"), ["status"], unique=False)

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
    op.create_table(
        "sign_in_tokens",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_in_tokens")),
        sa.UniqueConstraint("digest", name=op.f("uq_sign_in_tokens_digest")),
    )
    with op.batch_alter_table("sign_in_tokens", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_sign_in_tokens_email"), ["email"], unique=False)

    op.create_table(
        "users",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("zone", sa.String(length=64), nullable=False),
        sa.Column("locale", sa.String(length=16), nullable=False),
        sa.Column("mail_games", sa.Boolean(), nullable=False),
        sa.Column("mail_chat", sa.Boolean(), nullable=False),
        sa.Column("mail_mode", sa.String(length=12), nullable=False),
        sa.Column("batch_minutes", sa.Integer(), nullable=False),
        sa.Column("digest_hour", sa.Integer(), nullable=False),
        sa.Column("quiet_from", sa.Integer(), nullable=True),
        sa.Column("quiet_to", sa.Integer(), nullable=True),
        sa.Column("quiet_except_hours", sa.Integer(), nullable=False),
        sa.Column("reminders", sa.JSON(), nullable=False),
        sa.Column("window_from", sa.Integer(), nullable=True),
        sa.Column("window_to", sa.Integer(), nullable=True),
        sa.Column("window_set_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("undeliverable_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("undeliverable_why", sa.String(length=300), nullable=False),
        sa.Column("feed_version", sa.Integer(), nullable=False),
        sa.Column("barred_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("share_private", sa.Boolean(), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("email", name=op.f("uq_users_email")),
    )
    op.create_table(
        "digests",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("local_date", sa.Date(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_digests_user_id")),
        sa.PrimaryKeyConstraint("user_id", "local_date", name=op.f("pk_digests")),
    )
    op.create_table(
        "games",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("title", sa.String(length=80), nullable=False),
        sa.Column("host_id", sa.Integer(), nullable=True),
        sa.Column("map", sa.String(length=60), nullable=False),
        sa.Column("variant", sa.String(length=60), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("regions", sa.JSON(), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("turn_hours", sa.Integer(), nullable=False),
        sa.Column("terms", sa.JSON(), nullable=False),
        sa.Column("shaken_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("private", sa.Boolean(), nullable=False),
        sa.Column("chat", sa.Boolean(), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("seed", sa.String(length=64), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("restless", sa.Boolean(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("flag", sa.String(length=200), nullable=False),
        sa.Column("imported", sa.Boolean(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=True),
        sa.Column("edition", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["host_id"], ["users.id"], name=op.f("fk_games_host_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
        sa.UniqueConstraint("digest", name=op.f("uq_games_digest")),
    )
    with op.batch_alter_table("games", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_games_host_id"), ["host_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_games_restless"), ["restless"], unique=False)
        batch_op.create_index(batch_op.f("ix_games_status"), ["status"], unique=False)

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
        "web_sessions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_web_sessions_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_web_sessions")),
        sa.UniqueConstraint("digest", name=op.f("uq_web_sessions_digest")),
    )
    with op.batch_alter_table("web_sessions", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_web_sessions_user_id"), ["user_id"], unique=False)

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
        "chat",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=400), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_chat_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_chat_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chat")),
        sa.UniqueConstraint("key", name=op.f("uq_chat_key")),
    )
    with op.batch_alter_table("chat", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_chat_game_id"), ["game_id"], unique=False)

    op.create_table(
        "drafts",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("fields", sa.JSON(), nullable=False),
        sa.Column("saved_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_drafts_game_id")),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_drafts")),
    )
    op.create_table(
        "invitations",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_invitations_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitations")),
        sa.UniqueConstraint("game_id", "email", name=op.f("uq_invitations_game_id_email")),
    )
    with op.batch_alter_table("invitations", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_invitations_email"), ["email"], unique=False)
        batch_op.create_index(batch_op.f("ix_invitations_game_id"), ["game_id"], unique=False)

    op.create_table(
        "notes",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("saved_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_notes_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_notes_user_id")),
        sa.PrimaryKeyConstraint("game_id", "user_id", name=op.f("pk_notes")),
    )
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=True),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("turn", sa.Integer(), nullable=True),
        sa.Column("context", sa.JSON(), nullable=False),
        sa.Column("key", sa.String(length=400), nullable=False),
        sa.Column("message_id", sa.String(length=250), nullable=False),
        sa.Column("thread", sa.String(length=998), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("next_attempt_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("held", sa.Boolean(), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("error", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_outbox_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_outbox_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sa.UniqueConstraint("key", name=op.f("uq_outbox_key")),
        sa.UniqueConstraint("message_id", name=op.f("uq_outbox_message_id")),
    )
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_outbox_address"), ["address"], unique=False)
        batch_op.create_index(batch_op.f("ix_outbox_game_id"), ["game_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_outbox_kind"), ["kind"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_outbox_next_attempt_at"), ["next_attempt_at"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_outbox_status"), ["status"], unique=False)
        batch_op.create_index(batch_op.f("ix_outbox_user_id"), ["user_id"], unique=False)

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
        "pictures",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("status", sa.String(length=8), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("error", sa.String(length=300), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_pictures_game_id")),
        sa.PrimaryKeyConstraint("game_id", "kind", name=op.f("pk_pictures")),
    )
    with op.batch_alter_table("pictures", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_pictures_status"), ["status"], unique=False)

    op.create_table(
        "positions",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("facts", sa.JSON(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_positions_game_id")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_positions")),
    )
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
        batch_op.create_index(batch_op.f("ix_results_due"), ["due"], unique=False)
        batch_op.create_index("ix_results_ended_at_game_id", ["ended_at", "game_id"], unique=False)
        batch_op.create_index(
            "ix_results_gallery",
            ["ended_at", "game_id", "map", "variant", "players", "rounds", "closeness", "rated"],
            unique=False,
            postgresql_where=sa.text("NOT private AND NOT abandoned"),
            sqlite_where=sa.text("private = 0 AND abandoned = 0"),
        )

    op.create_table(
        "sealed_bids",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("maximum", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_sealed_bids_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sealed_bids")),
        sa.UniqueConstraint("game_id", "seat", name=op.f("uq_sealed_bids_game_id_seat")),
    )
    with op.batch_alter_table("sealed_bids", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_sealed_bids_game_id"), ["game_id"], unique=False)

    op.create_table(
        "seats",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("user_id", sa.Integer(), nullable=True),
        sa.Column("bot", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("letter", sa.String(length=1), nullable=False),
        sa.Column("colour", sa.String(length=12), nullable=False),
        sa.Column("joined_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("bank_seconds", sa.Integer(), nullable=True),
        sa.Column("left_seconds", sa.Integer(), nullable=True),
        sa.Column("later_seconds", sa.JSON(), nullable=False),
        sa.Column("graces", sa.Integer(), nullable=False),
        sa.Column("open", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_seats_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_seats_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seats")),
        sa.UniqueConstraint("game_id", "seat", name=op.f("uq_seats_game_id_seat")),
        sa.UniqueConstraint("game_id", "user_id", name=op.f("uq_seats_game_id_user_id")),
    )
    with op.batch_alter_table("seats", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_seats_game_id"), ["game_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_seats_user_id"), ["user_id"], unique=False)

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
        "submissions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("channel", sa.String(length=8), nullable=False),
        sa.Column("key", sa.String(length=400), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("code", sa.String(length=40), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_submissions_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_submissions")),
        sa.UniqueConstraint("game_id", "seat", "key", name=op.f("uq_submissions_game_id_seat_key")),
    )
    with op.batch_alter_table("submissions", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_submissions_game_id"), ["game_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_submissions_status"), ["status"], unique=False)

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
        "turns",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deadline", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("allowed_seconds", sa.Integer(), nullable=False),
        sa.Column("first_deadline", sa.DateTime(timezone=True), nullable=True),
        sa.Column("remind_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("user_id", sa.Integer(), nullable=True),
        sa.Column("plan", sa.Boolean(), nullable=False),
        sa.Column("closed_seq", sa.Integer(), nullable=True),
        sa.Column("closed_by", sa.String(length=12), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_turns_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_turns_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_turns")),
        sa.UniqueConstraint("game_id", "seat", "turn", name=op.f("uq_turns_game_id_seat_turn")),
    )
    with op.batch_alter_table("turns", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_turns_closed_at"), ["closed_at"], unique=False)
        batch_op.create_index(batch_op.f("ix_turns_deadline"), ["deadline"], unique=False)
        batch_op.create_index(batch_op.f("ix_turns_game_id"), ["game_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_turns_remind_at"), ["remind_at"], unique=False)
        batch_op.create_index(batch_op.f("ix_turns_user_id"), ["user_id"], unique=False)

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
        "events",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("submission_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_events_game_id")),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submissions.id"], name=op.f("fk_events_submission_id")
        ),
        sa.PrimaryKeyConstraint("game_id", "seq", name=op.f("pk_events")),
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
        batch_op.create_index("ix_ratings_ended_at_game_id", ["ended_at", "game_id"], unique=False)
        batch_op.create_index("ix_ratings_user_id_games", ["user_id", "games"], unique=False)

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
        batch_op.create_index(batch_op.f("ix_result_seats_user_id"), ["user_id"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("result_seats", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_result_seats_user_id"))

    op.drop_table("result_seats")
    with op.batch_alter_table("ratings", schema=None) as batch_op:
        batch_op.drop_index("ix_ratings_user_id_games")
        batch_op.drop_index("ix_ratings_ended_at_game_id")

    op.drop_table("ratings")
    op.drop_table("proposal_answers")
    op.drop_table("events")
    with op.batch_alter_table("webhook_calls", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_webhook_calls_webhook_id"))
        batch_op.drop_index(batch_op.f("ix_webhook_calls_status"))
        batch_op.drop_index(batch_op.f("ix_webhook_calls_next_attempt_at"))

    op.drop_table("webhook_calls")
    with op.batch_alter_table("turns", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_turns_user_id"))
        batch_op.drop_index(batch_op.f("ix_turns_remind_at"))
        batch_op.drop_index(batch_op.f("ix_turns_game_id"))
        batch_op.drop_index(batch_op.f("ix_turns_deadline"))
        batch_op.drop_index(batch_op.f("ix_turns_closed_at"))

    op.drop_table("turns")
    op.drop_table("table_preferences")
    with op.batch_alter_table("submissions", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_submissions_status"))
        batch_op.drop_index(batch_op.f("ix_submissions_game_id"))

    op.drop_table("submissions")
    with op.batch_alter_table("standing_orders", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_standing_orders_status"))
        batch_op.drop_index(batch_op.f("ix_standing_orders_game_id"))

    op.drop_table("standing_orders")
    with op.batch_alter_table("seats", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_seats_user_id"))
        batch_op.drop_index(batch_op.f("ix_seats_game_id"))

    op.drop_table("seats")
    with op.batch_alter_table("sealed_bids", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_sealed_bids_game_id"))

    op.drop_table("sealed_bids")
    with op.batch_alter_table("results", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_results_gallery",
            postgresql_where=sa.text("NOT private AND NOT abandoned"),
            sqlite_where=sa.text("private = 0 AND abandoned = 0"),
        )
        batch_op.drop_index("ix_results_ended_at_game_id")
        batch_op.drop_index(batch_op.f("ix_results_due"))

    op.drop_table("results")
    with op.batch_alter_table("proposals", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_proposals_status"))
        batch_op.drop_index(batch_op.f("ix_proposals_game_id"))

    op.drop_table("proposals")
    op.drop_table("presences")
    op.drop_table("positions")
    with op.batch_alter_table("pictures", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_pictures_status"))

    op.drop_table("pictures")
    with op.batch_alter_table("pauses", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_pauses_game_id"))

    op.drop_table("pauses")
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_outbox_user_id"))
        batch_op.drop_index(batch_op.f("ix_outbox_status"))
        batch_op.drop_index(batch_op.f("ix_outbox_next_attempt_at"))
        batch_op.drop_index(batch_op.f("ix_outbox_kind"))
        batch_op.drop_index(batch_op.f("ix_outbox_game_id"))
        batch_op.drop_index(batch_op.f("ix_outbox_address"))

    op.drop_table("outbox")
    op.drop_table("notes")
    with op.batch_alter_table("invitations", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_invitations_game_id"))
        batch_op.drop_index(batch_op.f("ix_invitations_email"))

    op.drop_table("invitations")
    op.drop_table("drafts")
    with op.batch_alter_table("chat", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_chat_game_id"))

    op.drop_table("chat")
    with op.batch_alter_table("webhooks", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_webhooks_user_id"))

    op.drop_table("webhooks")
    with op.batch_alter_table("web_sessions", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_web_sessions_user_id"))

    op.drop_table("web_sessions")
    with op.batch_alter_table("vacations", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_vacations_user_id"))
        batch_op.drop_index(batch_op.f("ix_vacations_sitter_id"))
        batch_op.drop_index(batch_op.f("ix_vacations_ends_at"))

    op.drop_table("vacations")
    with op.batch_alter_table("games", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_games_status"))
        batch_op.drop_index(batch_op.f("ix_games_restless"))
        batch_op.drop_index(batch_op.f("ix_games_host_id"))

    op.drop_table("games")
    op.drop_table("digests")
    op.drop_table("users")
    with op.batch_alter_table("sign_in_tokens", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_sign_in_tokens_email"))

    op.drop_table("sign_in_tokens")
    op.drop_table("result_counts")
    with op.batch_alter_table("outages", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_outages_ends_at"))

    op.drop_table("outages")
    with op.batch_alter_table("inbound", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_inbound_status"))

    op.drop_table("inbound")
    op.drop_table("heartbeats")
