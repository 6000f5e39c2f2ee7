ALTER TABLE extraction_reply DROP COLUMN is_imported;
DROP INDEX ix_alias_user_id_conversation_id_unread;
ALTER TABLE alias DROP COLUMN kinds;
DELETE FROM index_step WHERE step = 'kinds';
