-- What a conversation says of a name's kind is kept with the name, null where it was not looked for yet; and what a file
-- brought of a model's replies is no consent to send anything. One change of one table a statement.
ALTER TABLE alias ADD COLUMN kinds text[];
ALTER TABLE extraction_reply ADD COLUMN is_imported boolean DEFAULT false NOT NULL;
CREATE INDEX ix_alias_user_id_conversation_id_unread ON alias (user_id, conversation_id) WHERE kinds IS NULL;
