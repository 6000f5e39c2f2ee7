"""The first schema: users, conversations, the palace's four levels, passages, embeddings, counts, costs."""

from __future__ import annotations

from pathlib import Path

from alembic import op

revision = "0001"
down_revision = None

SCRIPTS = Path(__file__).parent.parent / "sql" / revision


def upgrade() -> None:
    """Run the frozen scripts in order."""
    for name in ("text_search", "tables", "keyword_candidates", "security"):
        # Straight to the driver: SQLAlchemy would take the colons of a cast for parameters.
        op.get_bind().exec_driver_sql((SCRIPTS / f"{name}.sql").read_text(encoding="utf-8"))


def downgrade() -> None:
    """Drop everything the upgrade made."""
    op.get_bind().exec_driver_sql(
        """
        DROP FUNCTION keyword_candidates(text, int, int, boolean, bigint, timestamptz, timestamptz);
        DROP TABLE passage_embedding, passage, drawer, closet, room, wing_alias, wing, conversation, mining_run,
                   cost_entry, count_delta, user_generation, embedding_generation, palace_user;
        DROP TEXT SEARCH CONFIGURATION palace_plain;
        DROP TEXT SEARCH DICTIONARY palace_plain;
        """
    )
