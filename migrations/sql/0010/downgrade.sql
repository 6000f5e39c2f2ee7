DELETE FROM count_delta WHERE starts_with(counted, 'language:');
ALTER TABLE count_delta DROP CONSTRAINT ck_count_delta_counted;
ALTER TABLE count_delta ADD CONSTRAINT ck_count_delta_counted CHECK (counted IN ('drawer', 'passage', 'sentence'));
ALTER TABLE drawer DROP COLUMN language;
UPDATE index_step SET version = 2 WHERE step = 'passages' AND version > 2;
