-- The marks are made again by the index step that makes passages.
DROP INDEX ix_passage_standing;
ALTER TABLE passage DROP COLUMN is_standing;
UPDATE index_step SET version = 2 WHERE step = 'passages' AND version > 2;
