"""Folders know the wings that their memory stands in, and words are looked for in several wings."""

from __future__ import annotations

from pathlib import Path

from alembic import context, op

revision = "0026"
down_revision = "0025"

SCRIPTS = Path(__file__).parent.parent / "sql" / revision
FORMER_FUNCTION = SCRIPTS.parent / "0009" / "keyword_candidates.sql"


def upgrade() -> None:
    """Run the frozen script, then make the function that takes several wings."""
    _run(SCRIPTS / "upgrade.sql")
    _run(SCRIPTS / "keyword_candidates.sql")
    _run(SCRIPTS / "grants.sql")


def downgrade() -> None:
    """Bring the function of before back, and forget which folder is whose."""
    _run(SCRIPTS / "downgrade.sql")
    _run(FORMER_FUNCTION)
    _run(SCRIPTS / "former_grants.sql")


def _run(script: Path) -> None:
    """Run a script; @palace@ stands for the schema."""
    text = script.read_text(encoding="utf-8")
    op.get_bind().exec_driver_sql(text.replace("@palace@", context.config.attributes["schema"]))
