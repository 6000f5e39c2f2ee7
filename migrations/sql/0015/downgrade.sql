DROP TABLE extraction_reply;
ALTER TABLE cost_entry DROP COLUMN conversation_id;
ALTER TABLE cost_entry DROP COLUMN source;
