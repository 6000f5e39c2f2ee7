"""What happened is kept: an event for every run of mining."""

from __future__ import annotations

from pathlib import Path

from alembic import op

revision = "0014"
down_revision = "0013"

SCRIPTS = Path(__file__).parent.parent / "sql" / revision


def upgrade() -> None:
    """Run the frozen script."""
    op.get_bind().exec_driver_sql((SCRIPTS / "upgrade.sql").read_text(encoding="utf-8"))


def downgrade() -> None:
    """Take the events away."""
    op.drop_table("activity")
