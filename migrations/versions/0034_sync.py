"""Create the tables of syncs: the machines and folders, and hashes of what need not be sent again."""

from __future__ import annotations

from pathlib import Path

from alembic import op

revision = "0034"
down_revision = "0033"

SCRIPTS = Path(__file__).parent.parent / "sql" / revision


def upgrade() -> None:
    """Run the frozen script."""
    op.get_bind().exec_driver_sql((SCRIPTS / "upgrade.sql").read_text(encoding="utf-8"))


def downgrade() -> None:
    """Drop the tables: the next sync sends everything again, and finds that it is known."""
    op.get_bind().exec_driver_sql((SCRIPTS / "downgrade.sql").read_text(encoding="utf-8"))
