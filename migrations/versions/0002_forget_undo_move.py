"""Tombstones, undone runs and what they built on, former numbers of rooms and wings, rebuilds, counts of words."""

from __future__ import annotations

from pathlib import Path

from alembic import op

revision = "0002"
down_revision = "0001"

SCRIPTS = Path(__file__).parent.parent / "sql" / revision


def upgrade() -> None:
    """Run the frozen scripts in order."""
    for name in ("tables", "weigh_words", "keyword_candidates", "refresh_statistics", "security"):
        op.get_bind().exec_driver_sql((SCRIPTS / f"{name}.sql").read_text(encoding="utf-8"))


def downgrade() -> None:
    """Drop what the upgrade made; tombstones and former numbers are lost."""
    before = (SCRIPTS.parent / str(down_revision) / "keyword_candidates.sql").read_text(encoding="utf-8")
    op.get_bind().exec_driver_sql(before.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION"))
    op.get_bind().exec_driver_sql(
        """
        DROP FUNCTION refresh_statistics(), weigh_words(text);
        DROP TABLE term_delta, term_count, room_alias, rebuild, tombstone, run_basis;
        ALTER INDEX ix_passage_user_id_tsv RESET (gin_pending_list_limit);
        ALTER TABLE wing_alias DROP COLUMN number;
        ALTER TABLE drawer ALTER COLUMN filed_at SET DEFAULT now();
        ALTER TABLE conversation DROP COLUMN indexed_at;
        ALTER TABLE mining_run DROP COLUMN undone_at;
        ALTER TABLE palace_user DROP COLUMN palace_key, DROP COLUMN analysed_drawers;
        """
    )
