-- What is known of drawers that state memories, and how often drawers were put into requests.
CREATE TABLE memory (
    user_id BIGINT NOT NULL,
    drawer_id BIGINT NOT NULL,
    type TEXT NOT NULL,
    state TEXT NOT NULL,
    origin TEXT NOT NULL,
    maker TEXT NOT NULL,
    importance DOUBLE PRECISION NOT NULL,
    confidence DOUBLE PRECISION NOT NULL,
    is_pinned BOOLEAN NOT NULL,
    reason TEXT,
    evidence BYTEA[] NOT NULL,
    alike BYTEA[] NOT NULL,
    contradicts BYTEA[] NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE,
    updated_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    CONSTRAINT pk_memory PRIMARY KEY (user_id, drawer_id),
    CONSTRAINT ck_memory_type CHECK (type IN ('semantic', 'procedural', 'episodic', 'reflective', 'instruction')),
    CONSTRAINT ck_memory_state CHECK (state IN ('proposed', 'accepted', 'rejected')),
    CONSTRAINT ck_memory_origin CHECK (origin IN ('person', 'assistant', 'tool')),
    CONSTRAINT ck_memory_maker CHECK (maker IN ('person', 'rule', 'model', 'agent')),
    CONSTRAINT ck_memory_shares CHECK (importance BETWEEN 0 AND 1 AND confidence BETWEEN 0 AND 1),
    CONSTRAINT fk_memory_user_id_drawer_id FOREIGN KEY (user_id, drawer_id)
        REFERENCES drawer (user_id, id) ON DELETE CASCADE,
    CONSTRAINT fk_memory_user_id FOREIGN KEY (user_id) REFERENCES palace_user (id) ON DELETE CASCADE
);
CREATE TABLE drawer_use (
    user_id BIGINT NOT NULL,
    drawer_id BIGINT NOT NULL,
    injected_count INTEGER DEFAULT '0' NOT NULL,
    used_count INTEGER DEFAULT '0' NOT NULL,
    corrected_count INTEGER DEFAULT '0' NOT NULL,
    used_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    CONSTRAINT pk_drawer_use PRIMARY KEY (user_id, drawer_id),
    CONSTRAINT fk_drawer_use_user_id_drawer_id FOREIGN KEY (user_id, drawer_id)
        REFERENCES drawer (user_id, id) ON DELETE CASCADE,
    CONSTRAINT fk_drawer_use_user_id FOREIGN KEY (user_id) REFERENCES palace_user (id) ON DELETE CASCADE
);

ALTER TABLE memory ENABLE ROW LEVEL SECURITY;
ALTER TABLE memory FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON memory USING (user_id = nullif(current_setting('palace.user_id', true), '')::bigint) WITH CHECK (user_id = nullif(current_setting('palace.user_id', true), '')::bigint);
CREATE POLICY owner_maintains ON memory TO CURRENT_USER USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON memory TO palace_app;

ALTER TABLE drawer_use ENABLE ROW LEVEL SECURITY;
ALTER TABLE drawer_use FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON drawer_use USING (user_id = nullif(current_setting('palace.user_id', true), '')::bigint) WITH CHECK (user_id = nullif(current_setting('palace.user_id', true), '')::bigint);
CREATE POLICY owner_maintains ON drawer_use TO CURRENT_USER USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON drawer_use TO palace_app;
