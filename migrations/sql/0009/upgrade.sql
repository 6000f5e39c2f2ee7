-- What of a passage is indexed is one column, and drawers are found by when they were said.
-- The column takes the place of the first of three, which rewrites the table once and leaves no dead rows. Only these
-- four combinations were ever written; of any other, made by hand, it is what it says first here, which the check wants.
ALTER TABLE passage DROP CONSTRAINT ck_passage_keywords;
ALTER TABLE passage ALTER COLUMN is_tool DROP DEFAULT;
ALTER TABLE passage ALTER COLUMN is_tool TYPE text
    USING CASE WHEN is_sentence THEN 'sentence' WHEN is_tool THEN 'tool' WHEN is_embedded THEN 'whole' ELSE 'keywords' END;
ALTER TABLE passage RENAME COLUMN is_tool TO kind;
ALTER TABLE passage DROP COLUMN is_embedded;
ALTER TABLE passage DROP COLUMN is_sentence;
ALTER TABLE passage ADD CONSTRAINT ck_passage_kind CHECK (kind IN ('whole', 'keywords', 'sentence', 'tool'));
ALTER TABLE passage ADD CONSTRAINT ck_passage_keywords CHECK ((tsv IS NULL) = (kind = 'sentence'));
CREATE INDEX ix_drawer_user_id_said_at ON drawer (user_id, said_at) INCLUDE (id, room_id, filed_at);
