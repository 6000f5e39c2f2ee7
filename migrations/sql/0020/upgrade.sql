-- What was taken out of a drawer, and a hash under the palace's key of what was said. One change of one table a
-- statement. No column is given to drawers that are there: they stand as they were said.
ALTER TABLE drawer ADD COLUMN redacted jsonb;
ALTER TABLE drawer ADD COLUMN said bytea;
ALTER TABLE drawer ADD CONSTRAINT ck_drawer_redacted CHECK ((said IS NULL) = (redacted IS NULL));
