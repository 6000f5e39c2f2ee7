ALTER TABLE drawer DROP CONSTRAINT ck_drawer_redacted;
ALTER TABLE drawer DROP COLUMN said;
ALTER TABLE drawer DROP COLUMN redacted;
