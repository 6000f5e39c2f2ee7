-- How far each conversation is with each index step. What there is was cut by the first version, which knew no sentences.

CREATE TABLE index_step (
    user_id BIGINT NOT NULL,
    conversation_id BIGINT NOT NULL,
    step TEXT NOT NULL,
    version INTEGER DEFAULT '0' NOT NULL,
    attempts INTEGER DEFAULT '0' NOT NULL,
    failure TEXT,
    failed_at TIMESTAMP WITH TIME ZONE,
    done_at TIMESTAMP WITH TIME ZONE,
    CONSTRAINT pk_index_step PRIMARY KEY (user_id, conversation_id, step),
    CONSTRAINT fk_index_step_user_id_conversation_id FOREIGN KEY (user_id, conversation_id)
        REFERENCES conversation (user_id, id) ON DELETE CASCADE,
    CONSTRAINT fk_index_step_user_id FOREIGN KEY (user_id) REFERENCES palace_user (id) ON DELETE CASCADE
);

INSERT INTO index_step (user_id, conversation_id, step, version, done_at)
SELECT c.user_id, c.id, made.step, 1, c.indexed_at
FROM conversation AS c CROSS JOIN (VALUES ('passages'), ('vectors'), ('topics')) AS made (step)
WHERE EXISTS (SELECT FROM drawer AS d WHERE d.user_id = c.user_id AND d.conversation_id = c.id)
  AND NOT (made.step = 'topics' AND c.topics_pending);

DROP INDEX ix_conversation_topics_pending;
ALTER TABLE conversation DROP COLUMN topics_pending, DROP COLUMN indexed_at;

ALTER TABLE index_step ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON index_step USING (user_id = (SELECT nullif(current_setting('palace.user_id', true), '')::bigint)) WITH CHECK (user_id = (SELECT nullif(current_setting('palace.user_id', true), '')::bigint));
CREATE POLICY owner_maintains ON index_step TO CURRENT_USER USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON index_step TO palace_app;
