-- The ledger says what a call was about, and what a language model replied about a conversation is kept.

ALTER TABLE cost_entry ADD COLUMN conversation_id BIGINT;
ALTER TABLE cost_entry ADD COLUMN source TEXT;
ALTER TABLE cost_entry ADD CONSTRAINT fk_cost_entry_user_id_conversation_id FOREIGN KEY (user_id, conversation_id)
    REFERENCES conversation (user_id, id) ON DELETE SET NULL (conversation_id);
CREATE INDEX ix_cost_entry_user_id_conversation_id ON cost_entry (user_id, conversation_id)
    WHERE conversation_id IS NOT NULL;

CREATE TABLE extraction_reply (
    user_id BIGINT NOT NULL,
    conversation_id BIGINT NOT NULL,
    digest BYTEA NOT NULL,
    model TEXT NOT NULL,
    prompt INTEGER NOT NULL,
    drawers BIGINT[] NOT NULL,
    reply JSONB NOT NULL,
    called_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    CONSTRAINT pk_extraction_reply PRIMARY KEY (user_id, conversation_id, digest),
    CONSTRAINT fk_extraction_reply_user_id_conversation_id FOREIGN KEY (user_id, conversation_id)
        REFERENCES conversation (user_id, id) ON DELETE CASCADE,
    CONSTRAINT fk_extraction_reply_user_id FOREIGN KEY (user_id) REFERENCES palace_user (id) ON DELETE CASCADE
);

ALTER TABLE extraction_reply ENABLE ROW LEVEL SECURITY;
ALTER TABLE extraction_reply FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON extraction_reply USING (user_id = nullif(current_setting('palace.user_id', true), '')::bigint) WITH CHECK (user_id = nullif(current_setting('palace.user_id', true), '')::bigint);
CREATE POLICY owner_maintains ON extraction_reply TO CURRENT_USER USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON extraction_reply TO palace_app;
