-- The three columns of before, each as the kind has it.
DROP INDEX ix_drawer_user_id_said_at;
ALTER TABLE passage DROP CONSTRAINT ck_passage_keywords;
ALTER TABLE passage DROP CONSTRAINT ck_passage_kind;
ALTER TABLE passage ADD COLUMN is_embedded boolean DEFAULT false NOT NULL;
ALTER TABLE passage ADD COLUMN is_sentence boolean DEFAULT false NOT NULL;
UPDATE passage SET is_embedded = true, is_sentence = kind = 'sentence' WHERE kind IN ('whole', 'sentence');
ALTER TABLE passage ALTER COLUMN is_embedded DROP DEFAULT;
-- Rewrites the table, without the rows that the update left behind.
ALTER TABLE passage ALTER COLUMN kind TYPE boolean USING kind = 'tool';
ALTER TABLE passage RENAME COLUMN kind TO is_tool;
ALTER TABLE passage ALTER COLUMN is_tool SET DEFAULT false;
ALTER TABLE passage ADD CONSTRAINT ck_passage_keywords CHECK ((tsv IS NULL) = is_sentence);
