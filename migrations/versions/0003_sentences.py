"""Sentences of what a person says, statements of choice, times spoken of; keywords weighed outside the arm."""

from __future__ import annotations

from pathlib import Path

from alembic import op

revision = "0003"
down_revision = "0002"

SCRIPTS = Path(__file__).parent.parent / "sql" / revision


def upgrade() -> None:
    """Run the frozen scripts in order."""
    op.get_bind().exec_driver_sql(
        """
        DROP FUNCTION IF EXISTS keyword_candidates(text, int, int, boolean, bigint, timestamptz, timestamptz);
        DROP FUNCTION IF EXISTS weigh_words(text);
        """
    )
    for name in ("tables", "weigh_words", "keyword_candidates", "security"):
        op.get_bind().exec_driver_sql((SCRIPTS / f"{name}.sql").read_text(encoding="utf-8"))


def downgrade() -> None:
    """Drop what the upgrade made, and the sentences; their passages wait for an embedding of their own.

    Statements of choice and times spoken of are lost.
    """
    op.get_bind().exec_driver_sql(
        """
        DROP FUNCTION keyword_candidates(tsquery[], double precision[], int, int, boolean, bigint, timestamptz,
                                         timestamptz);
        DROP FUNCTION weigh_words(text);
        DELETE FROM passage WHERE is_sentence;
        INSERT INTO passage_embedding (user_id, drawer_id, ordinal, generation_id)
        SELECT user_id, drawer_id, ordinal, generation_id FROM passage JOIN user_generation USING (user_id)
        WHERE NOT is_embedded AND NOT is_tool;
        DELETE FROM count_delta WHERE counted = 'sentence';
        DROP INDEX ix_passage_user_id_tsv;
        ALTER TABLE passage DROP COLUMN is_embedded, DROP COLUMN room_id, DROP COLUMN is_person,
            DROP COLUMN is_sentence, DROP COLUMN is_choice;
        ALTER TABLE passage ALTER COLUMN tsv SET NOT NULL;
        CREATE INDEX ix_passage_user_id_tsv ON passage USING gin (user_id, tsv) WITH (gin_pending_list_limit = 256);
        ALTER TABLE count_delta DROP CONSTRAINT ck_count_delta_counted,
            ADD CONSTRAINT ck_count_delta_counted CHECK (counted IN ('drawer', 'passage'));
        ALTER TABLE drawer DROP COLUMN spoken_of;
        ALTER TABLE passage_embedding DROP COLUMN code;
        """
    )
    for name in ("weigh_words", "keyword_candidates"):
        before = (SCRIPTS.parent / str(down_revision) / f"{name}.sql").read_text(encoding="utf-8")
        op.get_bind().exec_driver_sql(before)
    op.get_bind().exec_driver_sql(
        """
        REVOKE ALL ON FUNCTION weigh_words(text) FROM PUBLIC;
        REVOKE ALL ON FUNCTION keyword_candidates(text, int, int, boolean, bigint, timestamptz, timestamptz)
            FROM PUBLIC;
        GRANT EXECUTE ON FUNCTION keyword_candidates(text, int, int, boolean, bigint, timestamptz, timestamptz)
            TO palace_app;
        """
    )
