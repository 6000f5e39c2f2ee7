"""Names may be of an unknown type."""

from __future__ import annotations

from pathlib import Path

from alembic import op

revision = "0028"
down_revision = "0027"

SCRIPTS = Path(__file__).parent.parent / "sql" / revision


def upgrade() -> None:
    """Run the frozen script."""
    op.get_bind().exec_driver_sql((SCRIPTS / "upgrade.sql").read_text(encoding="utf-8"))


def downgrade() -> None:
    """Take such names for organisations."""
    op.get_bind().exec_driver_sql((SCRIPTS / "downgrade.sql").read_text(encoding="utf-8"))
