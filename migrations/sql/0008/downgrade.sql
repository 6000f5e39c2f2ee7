-- Half of the precision stays lost. Indexes are dropped as on the way up.
DO $$
DECLARE
    former text;
BEGIN
    FOR former IN
        SELECT c.oid::regclass::text
        FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
        WHERE i.indrelid = 'passage_embedding'::regclass AND c.relname ~ '^ix_passage_embedding_hnsw_'
    LOOP
        EXECUTE 'DROP INDEX ' || former;
    END LOOP;
END
$$;
ALTER TABLE passage_embedding DROP COLUMN code;
ALTER TABLE passage_embedding ALTER COLUMN embedding TYPE vector USING embedding::vector;
ALTER TABLE passage_embedding ADD COLUMN code bit varying GENERATED ALWAYS AS (binary_quantize(embedding)) STORED;
ALTER TABLE passage_embedding ALTER COLUMN embedding SET STORAGE MAIN;
CREATE INDEX ix_passage_embedding_code ON passage_embedding (user_id, generation_id)
    INCLUDE (drawer_id, ordinal, code) WHERE code IS NOT NULL;
GRANT INSERT ON embedding_generation TO palace_app;
ALTER TABLE passage RENAME COLUMN is_preference TO is_choice;
