-- How far conversations are summed up: one rolling summary of each, replaced when it is renewed.
CREATE TABLE working_summary (
    user_id BIGINT NOT NULL,
    identity TEXT NOT NULL,
    agent TEXT NOT NULL,
    summary TEXT NOT NULL,
    covered INTEGER NOT NULL,
    stays INTEGER[] NOT NULL,
    digest BYTEA,
    covers BYTEA[] NOT NULL,
    failures INTEGER NOT NULL,
    tried INTEGER NOT NULL,
    model TEXT,
    revision BIGINT NOT NULL,
    claimed_until TIMESTAMP WITH TIME ZONE,
    made_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_working_summary PRIMARY KEY (user_id, identity, agent),
    CONSTRAINT ck_working_summary_agent CHECK (length(agent) <= 200),
    CONSTRAINT fk_working_summary_user_id FOREIGN KEY (user_id) REFERENCES palace_user (id) ON DELETE CASCADE
);

ALTER TABLE working_summary ENABLE ROW LEVEL SECURITY;
ALTER TABLE working_summary FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON working_summary USING (user_id = nullif(current_setting('palace.user_id', true), '')::bigint) WITH CHECK (user_id = nullif(current_setting('palace.user_id', true), '')::bigint);
CREATE POLICY owner_maintains ON working_summary TO CURRENT_USER USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON working_summary TO palace_app;

CREATE INDEX ix_working_summary_user_id_expires_at ON working_summary (user_id, expires_at);
