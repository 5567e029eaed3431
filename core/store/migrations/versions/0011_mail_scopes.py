"""Answers to one's own mails, and notices, can be ended like other mails."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

NAMES = ("mail_answers", "mail_notices")


def upgrade() -> None:
    for name in NAMES:
        op.add_column(
            "users", sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.true())
        )


def downgrade() -> None:
    for name in NAMES:
        op.drop_column("users", name)
