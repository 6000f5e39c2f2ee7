"""Functions that look up nothing of their caller's, and policies that no member of the runtime role can drop."""

from __future__ import annotations

from pathlib import Path

from alembic import context, op

revision = "0004"
down_revision = "0003"

SCRIPTS = Path(__file__).parent.parent / "sql" / revision
REPLACED = (("0003", "weigh_words"), ("0003", "keyword_candidates"), ("0002", "refresh_statistics"))
"""What the functions were before, and the revision that said so."""


def upgrade() -> None:
    """Run the frozen scripts in order; in a function, @palace@ stands for the schema."""
    schema = context.config.attributes["schema"]
    for _, name in REPLACED:
        script = (SCRIPTS / f"{name}.sql").read_text(encoding="utf-8")
        op.get_bind().exec_driver_sql(script.replace("@palace@", schema))
    op.get_bind().exec_driver_sql((SCRIPTS / "security.sql").read_text(encoding="utf-8"))


def downgrade() -> None:
    """Bring the functions and policies of before back."""
    script = (SCRIPTS / "security.sql").read_text(encoding="utf-8")
    op.get_bind().exec_driver_sql(script.replace("TO PUBLIC", "TO palace_app"))
    for before, name in REPLACED:
        op.get_bind().exec_driver_sql((SCRIPTS.parent / before / f"{name}.sql").read_text(encoding="utf-8"))
