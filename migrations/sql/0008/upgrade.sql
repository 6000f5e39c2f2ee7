-- Vectors are kept in half precision, and an HNSW index holds the binary quantisations of one user's.
-- Those of before held everybody's vectors of a generation; the product builds the new ones where they are wanted.
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
-- What no half-precision number holds is no vector of unit length: it becomes pending, and is embedded again.
ALTER TABLE passage_embedding DROP COLUMN code;
ALTER TABLE passage_embedding ALTER COLUMN embedding TYPE halfvec
    USING CASE WHEN vector_norm(embedding) < 65504 THEN embedding::halfvec END;
ALTER TABLE passage_embedding ADD COLUMN code bit varying GENERATED ALWAYS AS (binary_quantize(embedding)) STORED;
ALTER TABLE passage_embedding ALTER COLUMN embedding SET STORAGE MAIN;
CREATE INDEX ix_passage_embedding_code ON passage_embedding (user_id, generation_id)
    INCLUDE (drawer_id, ordinal, code) WHERE code IS NOT NULL;
-- Ids are the server's to give: whoever could choose one could take that of the next model.
REVOKE INSERT ON embedding_generation FROM palace_app;
GRANT INSERT (model, dimension, normalised) ON embedding_generation TO palace_app;
-- As it is called everywhere else.
ALTER TABLE passage RENAME COLUMN is_choice TO is_preference;
