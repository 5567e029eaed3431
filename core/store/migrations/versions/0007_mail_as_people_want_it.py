"""One setting for turn mails; digests, reminders, and mails that are held for later."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

WANTED = '["most", "last"]'
"""The reminders of whoever has chosen none yet."""


def upgrade() -> None:
    op.create_table(
        "digests",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("local_date", sa.Date(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_digests_user_id")),
        sa.PrimaryKeyConstraint("user_id", "local_date", name=op.f("pk_digests")),
    )
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("held", sa.Boolean(), server_default=sa.false(), nullable=False)
        )
    with op.batch_alter_table("turns", schema=None) as batch_op:
        batch_op.add_column(sa.Column("first_deadline", sa.DateTime(timezone=True), nullable=True))
        batch_op.add_column(sa.Column("remind_at", sa.DateTime(timezone=True), nullable=True))
        batch_op.create_index(batch_op.f("ix_turns_remind_at"), ["remind_at"], unique=False)
    op.execute(sa.text("UPDATE turns SET remind_at = asked_at WHERE closed_at IS NULL"))
    op.execute(sa.text("UPDATE users SET mail_mode = 'off' WHERE NOT mail_turns"))
    op.execute(sa.text(f"UPDATE users SET reminders = '{WANTED}'"))  # noqa: S608 (a constant)
    with op.batch_alter_table("users", schema=None) as batch_op:
        batch_op.drop_column("mail_turns")


def downgrade() -> None:
    with op.batch_alter_table("users", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("mail_turns", sa.Boolean(), server_default=sa.true(), nullable=False)
        )
    op.execute(sa.text("UPDATE users SET mail_turns = (mail_mode <> 'off')"))
    with op.batch_alter_table("turns", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_turns_remind_at"))
        batch_op.drop_column("remind_at")
        batch_op.drop_column("first_deadline")
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.drop_column("held")
    op.drop_table("digests")
