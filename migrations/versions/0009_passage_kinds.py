"""Kinds of passages in place of three of their flags, and an index of drawers by when they were said."""

from __future__ import annotations

from pathlib import Path

from alembic import context, op

revision = "0009"
down_revision = "0008"

SCRIPTS = Path(__file__).parent.parent / "sql" / revision
FORMER_FUNCTIONS = SCRIPTS.parent / "0007"


def upgrade() -> None:
    """Run the frozen script, then replace the function that reads what is changed."""
    op.get_bind().exec_driver_sql((SCRIPTS / "upgrade.sql").read_text(encoding="utf-8"))
    _replace_function(SCRIPTS)


def downgrade() -> None:
    """Bring the columns and the function of before back."""
    op.get_bind().exec_driver_sql((SCRIPTS / "downgrade.sql").read_text(encoding="utf-8"))
    _replace_function(FORMER_FUNCTIONS)


def _replace_function(scripts: Path) -> None:
    """Give keyword_candidates another body; its owner and who may call it stay. @palace@ stands for the schema."""
    script = (scripts / "keyword_candidates.sql").read_text(encoding="utf-8")
    op.get_bind().exec_driver_sql(script.replace("@palace@", context.config.attributes["schema"]))
