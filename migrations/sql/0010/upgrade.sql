ALTER TABLE drawer ADD COLUMN language text;
ALTER TABLE count_delta DROP CONSTRAINT ck_count_delta_counted;
ALTER TABLE count_delta ADD CONSTRAINT ck_count_delta_counted
    CHECK (counted IN ('drawer', 'passage', 'sentence') OR counted ~ '^language:[a-z]{2}$');
