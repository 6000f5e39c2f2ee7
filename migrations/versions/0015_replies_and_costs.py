"""The ledger says what a call was about, and what a language model replied about a conversation is kept."""

from __future__ import annotations

from pathlib import Path

from alembic import op

revision = "0015"
down_revision = "0014"

SCRIPTS = Path(__file__).parent.parent / "sql" / revision


def upgrade() -> None:
    """Run the frozen script."""
    op.get_bind().exec_driver_sql((SCRIPTS / "upgrade.sql").read_text(encoding="utf-8"))


def downgrade() -> None:
    """Take the replies and the columns away: what was replied is asked again."""
    op.get_bind().exec_driver_sql((SCRIPTS / "downgrade.sql").read_text(encoding="utf-8"))
