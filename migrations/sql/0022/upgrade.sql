-- What users set for themselves, and for their agents: '' is the user's own. And what they have forgotten and may still
-- take back.
CREATE TABLE setting (
    user_id BIGINT NOT NULL,
    agent TEXT NOT NULL,
    name TEXT NOT NULL,
    value JSONB NOT NULL,
    changed_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    CONSTRAINT pk_setting PRIMARY KEY (user_id, agent, name),
    CONSTRAINT ck_setting_agent CHECK (length(agent) <= 200),
    CONSTRAINT ck_setting_name CHECK (name ~ '^[a-z]+(_[a-z]+)*$'),
    CONSTRAINT fk_setting_user_id FOREIGN KEY (user_id) REFERENCES palace_user (id) ON DELETE CASCADE
);

ALTER TABLE setting ENABLE ROW LEVEL SECURITY;
ALTER TABLE setting FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON setting USING (user_id = nullif(current_setting('palace.user_id', true), '')::bigint) WITH CHECK (user_id = nullif(current_setting('palace.user_id', true), '')::bigint);
CREATE POLICY owner_maintains ON setting TO CURRENT_USER USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON setting TO palace_app;

CREATE TABLE hidden_drawer (
    user_id BIGINT NOT NULL,
    identity BYTEA NOT NULL,
    wing_number INTEGER NOT NULL,
    room_number INTEGER NOT NULL,
    number INTEGER NOT NULL,
    hidden_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    due_at TIMESTAMP WITH TIME ZONE NOT NULL,
    parts JSONB NOT NULL,
    CONSTRAINT pk_hidden_drawer PRIMARY KEY (user_id, identity),
    CONSTRAINT fk_hidden_drawer_user_id FOREIGN KEY (user_id) REFERENCES palace_user (id) ON DELETE CASCADE
);

ALTER TABLE hidden_drawer ENABLE ROW LEVEL SECURITY;
ALTER TABLE hidden_drawer FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON hidden_drawer USING (user_id = nullif(current_setting('palace.user_id', true), '')::bigint) WITH CHECK (user_id = nullif(current_setting('palace.user_id', true), '')::bigint);
CREATE POLICY owner_maintains ON hidden_drawer TO CURRENT_USER USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON hidden_drawer TO palace_app;

CREATE INDEX ix_hidden_drawer_user_id_due_at ON hidden_drawer (user_id, due_at);
