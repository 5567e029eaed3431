"""What operators do, whom they block, and who wants no invitations."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("users", sa.Column("blocked_at", sa.DateTime(timezone=True), nullable=True))
    op.create_table(
        "uninvited",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_uninvited")),
    )
    op.create_table(
        "operator_acts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("by", sa.String(length=254), nullable=False),
        sa.Column("what", sa.String(length=40), nullable=False),
        sa.Column("about", sa.String(length=300), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_operator_acts")),
    )


def downgrade() -> None:
    op.drop_table("operator_acts")
    op.drop_table("uninvited")
    op.drop_column("users", "blocked_at")
