-- Which wing belongs to which folder, and which else may be recalled there.
CREATE TABLE project (
    user_id BIGINT NOT NULL,
    key TEXT NOT NULL,
    wing_id BIGINT NOT NULL,
    sources TEXT[] DEFAULT '{}' NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    CONSTRAINT pk_project PRIMARY KEY (user_id, key),
    CONSTRAINT ck_project_key CHECK (length(key) BETWEEN 1 AND 1000),
    CONSTRAINT ck_project_sources CHECK (sources <@ ARRAY['tools', 'mail', 'chats']),
    CONSTRAINT fk_project_user_id FOREIGN KEY (user_id) REFERENCES palace_user (id) ON DELETE CASCADE,
    CONSTRAINT fk_project_user_id_wing_id FOREIGN KEY (user_id, wing_id) REFERENCES wing (user_id, id) ON DELETE CASCADE
);

ALTER TABLE project ENABLE ROW LEVEL SECURITY;
ALTER TABLE project FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON project USING (user_id = nullif(current_setting('palace.user_id', true), '')::bigint) WITH CHECK (user_id = nullif(current_setting('palace.user_id', true), '')::bigint);
CREATE POLICY owner_maintains ON project TO CURRENT_USER USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON project TO palace_app;

CREATE TABLE project_wing (
    user_id BIGINT NOT NULL,
    key TEXT NOT NULL,
    wing_id BIGINT NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    CONSTRAINT pk_project_wing PRIMARY KEY (user_id, key, wing_id),
    CONSTRAINT fk_project_wing_user_id FOREIGN KEY (user_id) REFERENCES palace_user (id) ON DELETE CASCADE,
    CONSTRAINT fk_project_wing_user_id_key FOREIGN KEY (user_id, key) REFERENCES project (user_id, key) ON DELETE CASCADE,
    CONSTRAINT fk_project_wing_user_id_wing_id FOREIGN KEY (user_id, wing_id) REFERENCES wing (user_id, id) ON DELETE CASCADE
);

ALTER TABLE project_wing ENABLE ROW LEVEL SECURITY;
ALTER TABLE project_wing FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON project_wing USING (user_id = nullif(current_setting('palace.user_id', true), '')::bigint) WITH CHECK (user_id = nullif(current_setting('palace.user_id', true), '')::bigint);
CREATE POLICY owner_maintains ON project_wing TO CURRENT_USER USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON project_wing TO palace_app;

CREATE INDEX ix_project_user_id_wing_id ON project (user_id, wing_id);
CREATE INDEX ix_project_wing_user_id_wing_id ON project_wing (user_id, wing_id);

-- Its place is taken by one that looks in several wings, and leaves readers out.
DROP FUNCTION keyword_candidates(bigint, tsquery[], double precision[], int, int, boolean, bigint, timestamptz, timestamptz, text, text);
