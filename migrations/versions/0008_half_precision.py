"""Vectors in half precision, HNSW indexes of one user each, and ids that only the server gives."""

from __future__ import annotations

from pathlib import Path

from alembic import op

revision = "0008"
down_revision = "0007"

SCRIPTS = Path(__file__).parent.parent / "sql" / revision


def upgrade() -> None:
    """Run the frozen script."""
    op.get_bind().exec_driver_sql((SCRIPTS / "upgrade.sql").read_text(encoding="utf-8"))


def downgrade() -> None:
    """Bring the tables and grants of before back."""
    op.get_bind().exec_driver_sql((SCRIPTS / "downgrade.sql").read_text(encoding="utf-8"))
