-- How a drawer was read, what it answers and what replaced it; and by which lines a conversation without an id is found.
-- Every drawer there is was read by the first version of the readers.

ALTER TABLE drawer
    ADD COLUMN said_offset SMALLINT,
    ADD COLUMN reading SMALLINT DEFAULT '1' NOT NULL,
    ADD COLUMN replaced_at TIMESTAMP WITH TIME ZONE,
    ADD COLUMN replaced_by BIGINT,
    ADD COLUMN replaced_run_id BIGINT,
    ADD COLUMN answers BIGINT,
    ADD CONSTRAINT fk_drawer_user_id_replaced_run_id FOREIGN KEY (user_id, replaced_run_id)
        REFERENCES mining_run (user_id, id),
    ADD CONSTRAINT fk_drawer_user_id_replaced_by FOREIGN KEY (user_id, replaced_by)
        REFERENCES drawer (user_id, id) ON DELETE SET NULL (replaced_by),
    ADD CONSTRAINT fk_drawer_user_id_answers FOREIGN KEY (user_id, answers)
        REFERENCES drawer (user_id, id) ON DELETE SET NULL (answers);

CREATE INDEX ix_drawer_user_id_replaced_by ON drawer (user_id, replaced_by) WHERE replaced_by IS NOT NULL;
CREATE INDEX ix_drawer_user_id_answers ON drawer (user_id, answers) WHERE answers IS NOT NULL;
CREATE INDEX ix_drawer_user_id_replaced_run_id ON drawer (user_id, replaced_run_id)
    WHERE replaced_run_id IS NOT NULL;

CREATE TABLE conversation_edge (
    user_id BIGINT NOT NULL,
    conversation_id BIGINT NOT NULL,
    line_hash BIGINT NOT NULL,
    CONSTRAINT pk_conversation_edge PRIMARY KEY (user_id, conversation_id, line_hash),
    CONSTRAINT fk_conversation_edge_user_id_conversation_id FOREIGN KEY (user_id, conversation_id)
        REFERENCES conversation (user_id, id) ON DELETE CASCADE,
    CONSTRAINT fk_conversation_edge_user_id FOREIGN KEY (user_id) REFERENCES palace_user (id) ON DELETE CASCADE
);

CREATE INDEX ix_conversation_edge_user_id_line_hash ON conversation_edge (user_id, line_hash);

ALTER TABLE conversation_edge ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON conversation_edge USING (user_id = (SELECT nullif(current_setting('palace.user_id', true), '')::bigint)) WITH CHECK (user_id = (SELECT nullif(current_setting('palace.user_id', true), '')::bigint));
CREATE POLICY owner_maintains ON conversation_edge TO CURRENT_USER USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON conversation_edge TO palace_app;
