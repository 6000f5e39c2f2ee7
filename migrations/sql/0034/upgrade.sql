-- The machines and folders that a palace is synchronised with, and hashes of what need not be sent again.
CREATE TABLE sync_peer (
    user_id BIGINT NOT NULL,
    name TEXT NOT NULL,
    number INTEGER DEFAULT '0' NOT NULL,
    synced_at TIMESTAMP WITH TIME ZONE,
    CONSTRAINT pk_sync_peer PRIMARY KEY (user_id, name),
    CONSTRAINT ck_sync_peer_limits CHECK (length(name) BETWEEN 1 AND 200 AND number >= 0),
    CONSTRAINT fk_sync_peer_user_id FOREIGN KEY (user_id) REFERENCES palace_user (id) ON DELETE CASCADE
);
CREATE TABLE sync_mark (
    user_id BIGINT NOT NULL,
    purpose TEXT NOT NULL,
    digest BYTEA NOT NULL,
    CONSTRAINT pk_sync_mark PRIMARY KEY (user_id, purpose, digest),
    CONSTRAINT ck_sync_mark_purpose CHECK (length(purpose) <= 200),
    CONSTRAINT fk_sync_mark_user_id FOREIGN KEY (user_id) REFERENCES palace_user (id) ON DELETE CASCADE
);

ALTER TABLE sync_peer ENABLE ROW LEVEL SECURITY;
ALTER TABLE sync_peer FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON sync_peer USING (user_id = nullif(current_setting('palace.user_id', true), '')::bigint) WITH CHECK (user_id = nullif(current_setting('palace.user_id', true), '')::bigint);
CREATE POLICY owner_maintains ON sync_peer TO CURRENT_USER USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON sync_peer TO palace_app;

ALTER TABLE sync_mark ENABLE ROW LEVEL SECURITY;
ALTER TABLE sync_mark FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON sync_mark USING (user_id = nullif(current_setting('palace.user_id', true), '')::bigint) WITH CHECK (user_id = nullif(current_setting('palace.user_id', true), '')::bigint);
CREATE POLICY owner_maintains ON sync_mark TO CURRENT_USER USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON sync_mark TO palace_app;
