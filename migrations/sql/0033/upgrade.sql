-- What coding agents did in their sessions. The worker fills it for conversations that are there already.
CREATE TABLE work_action (
    user_id BIGINT NOT NULL,
    drawer_id BIGINT NOT NULL,
    ordinal INTEGER NOT NULL,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    subject TEXT NOT NULL,
    operation TEXT NOT NULL,
    exit_status INTEGER,
    duration_ms INTEGER,
    char_start INTEGER,
    char_end INTEGER,
    fixed_by BIGINT,
    moved_from TEXT,
    CONSTRAINT pk_work_action PRIMARY KEY (user_id, drawer_id, ordinal),
    CONSTRAINT ck_work_action_kind CHECK (kind IN ('file', 'command', 'error', 'symbol', 'decision')),
    CONSTRAINT ck_work_action_span CHECK ((char_start IS NULL) = (char_end IS NULL)),
    CONSTRAINT fk_work_action_user_id_drawer_id FOREIGN KEY (user_id, drawer_id)
        REFERENCES drawer (user_id, id) ON DELETE CASCADE,
    CONSTRAINT fk_work_action_user_id_fixed_by FOREIGN KEY (user_id, fixed_by)
        REFERENCES drawer (user_id, id) ON DELETE SET NULL (fixed_by),
    CONSTRAINT fk_work_action_user_id FOREIGN KEY (user_id) REFERENCES palace_user (id) ON DELETE CASCADE
);
CREATE INDEX ix_work_action_user_id_kind_key ON work_action (user_id, kind, key);
CREATE INDEX ix_work_action_user_id_subject ON work_action (user_id, subject) WHERE kind = 'error';
CREATE INDEX ix_work_action_user_id_fixed_by ON work_action (user_id, fixed_by) WHERE fixed_by IS NOT NULL;

ALTER TABLE work_action ENABLE ROW LEVEL SECURITY;
ALTER TABLE work_action FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON work_action USING (user_id = nullif(current_setting('palace.user_id', true), '')::bigint) WITH CHECK (user_id = nullif(current_setting('palace.user_id', true), '')::bigint);
CREATE POLICY owner_maintains ON work_action TO CURRENT_USER USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON work_action TO palace_app;
