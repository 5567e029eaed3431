"""A link by which anybody who has it may come to a table, until it is withdrawn."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "games",
        sa.Column("invite_link", sa.String(length=43), nullable=False, server_default=""),
    )


def downgrade() -> None:
    op.drop_column("games", "invite_link")
