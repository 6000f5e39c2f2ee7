-- Blocks that were put beside messages, to be repeated byte for byte in later requests, and the drawers that they quote.
CREATE TABLE injection (
    user_id BIGINT NOT NULL,
    key BYTEA NOT NULL,
    block TEXT NOT NULL,
    cited_count INTEGER NOT NULL,
    made_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_injection PRIMARY KEY (user_id, key),
    CONSTRAINT fk_injection_user_id FOREIGN KEY (user_id) REFERENCES palace_user (id) ON DELETE CASCADE
);
CREATE TABLE injection_citation (
    user_id BIGINT NOT NULL,
    key BYTEA NOT NULL,
    drawer_id BIGINT NOT NULL,
    CONSTRAINT pk_injection_citation PRIMARY KEY (user_id, key, drawer_id),
    CONSTRAINT fk_injection_citation_user_id_key FOREIGN KEY (user_id, key)
        REFERENCES injection (user_id, key) ON DELETE CASCADE,
    CONSTRAINT fk_injection_citation_user_id_drawer_id FOREIGN KEY (user_id, drawer_id)
        REFERENCES drawer (user_id, id) ON DELETE CASCADE,
    CONSTRAINT fk_injection_citation_user_id FOREIGN KEY (user_id) REFERENCES palace_user (id) ON DELETE CASCADE
);

ALTER TABLE injection ENABLE ROW LEVEL SECURITY;
ALTER TABLE injection FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON injection USING (user_id = nullif(current_setting('palace.user_id', true), '')::bigint) WITH CHECK (user_id = nullif(current_setting('palace.user_id', true), '')::bigint);
CREATE POLICY owner_maintains ON injection TO CURRENT_USER USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON injection TO palace_app;

ALTER TABLE injection_citation ENABLE ROW LEVEL SECURITY;
ALTER TABLE injection_citation FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON injection_citation USING (user_id = nullif(current_setting('palace.user_id', true), '')::bigint) WITH CHECK (user_id = nullif(current_setting('palace.user_id', true), '')::bigint);
CREATE POLICY owner_maintains ON injection_citation TO CURRENT_USER USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON injection_citation TO palace_app;

CREATE INDEX ix_injection_citation_user_id_drawer_id ON injection_citation (user_id, drawer_id);
CREATE INDEX ix_injection_user_id_expires_at ON injection (user_id, expires_at);
