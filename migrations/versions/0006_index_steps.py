"""How far each conversation is with each index step, in place of a mark for topics and a time of indexing."""

from __future__ import annotations

from pathlib import Path

from alembic import op

revision = "0006"
down_revision = "0005"

SCRIPTS = Path(__file__).parent.parent / "sql" / revision


def upgrade() -> None:
    """Run the frozen script."""
    op.get_bind().exec_driver_sql((SCRIPTS / "tables.sql").read_text(encoding="utf-8"))


def downgrade() -> None:
    """Mark again whose topics wait; what else is pending, and what failed, is lost."""
    op.get_bind().exec_driver_sql(
        """
        ALTER TABLE conversation ADD COLUMN topics_pending BOOLEAN DEFAULT false NOT NULL,
            ADD COLUMN indexed_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL;
        UPDATE conversation AS c SET topics_pending = true
        WHERE EXISTS (SELECT FROM drawer AS d WHERE d.user_id = c.user_id AND d.conversation_id = c.id)
          AND NOT EXISTS (SELECT FROM index_step AS s WHERE s.user_id = c.user_id AND s.conversation_id = c.id
                            AND s.step = 'topics' AND s.version > 0);
        UPDATE conversation AS c SET indexed_at = s.done_at
        FROM index_step AS s
        WHERE s.user_id = c.user_id AND s.conversation_id = c.id AND s.step = 'passages' AND s.done_at IS NOT NULL;
        CREATE INDEX ix_conversation_topics_pending ON conversation (user_id, id) WHERE topics_pending;
        DROP TABLE index_step;
        """
    )
