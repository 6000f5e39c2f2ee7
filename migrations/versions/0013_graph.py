"""The graph: entities with their aliases and mentions, assertions, and the relations folded from them."""

from __future__ import annotations

from pathlib import Path

from alembic import op

revision = "0013"
down_revision = "0012"

SCRIPTS = Path(__file__).parent.parent / "sql" / revision


def upgrade() -> None:
    """Run the frozen script; what it holds is filled by index steps."""
    op.get_bind().exec_driver_sql((SCRIPTS / "upgrade.sql").read_text(encoding="utf-8"))


def downgrade() -> None:
    """Take the tables away."""
    op.get_bind().exec_driver_sql((SCRIPTS / "downgrade.sql").read_text(encoding="utf-8"))
