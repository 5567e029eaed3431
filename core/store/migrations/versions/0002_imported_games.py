"""Games that were played elsewhere: without a host, and each file once."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("games", schema=None) as batch_op:
        batch_op.alter_column("host_id", existing_type=sa.Integer(), nullable=True)
        batch_op.add_column(
            sa.Column("imported", sa.Boolean(), server_default=sa.false(), nullable=False)
        )
        batch_op.add_column(sa.Column("digest", sa.String(length=64), nullable=True))
        batch_op.create_unique_constraint(batch_op.f("uq_games_digest"), ["digest"])


def downgrade() -> None:
    with op.batch_alter_table("games", schema=None) as batch_op:
        batch_op.drop_constraint(batch_op.f("uq_games_digest"), type_="unique")
        batch_op.drop_column("digest")
        batch_op.drop_column("imported")
        batch_op.alter_column("host_id", existing_type=sa.Integer(), nullable=False)
