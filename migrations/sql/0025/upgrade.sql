-- What users have looked at of what their palaces tell them, and drawers with secrets taken out, the latest first.
CREATE TABLE review_mark (
    user_id BIGINT NOT NULL,
    kind TEXT NOT NULL,
    item BIGINT NOT NULL,
    by BIGINT NOT NULL,
    seen_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    CONSTRAINT pk_review_mark PRIMARY KEY (user_id, kind, item, by),
    CONSTRAINT ck_review_mark_kind CHECK (kind IN ('filed', 'redacted', 'changed')),
    CONSTRAINT fk_review_mark_user_id FOREIGN KEY (user_id) REFERENCES palace_user (id) ON DELETE CASCADE
);

ALTER TABLE review_mark ENABLE ROW LEVEL SECURITY;
ALTER TABLE review_mark FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON review_mark USING (user_id = nullif(current_setting('palace.user_id', true), '')::bigint) WITH CHECK (user_id = nullif(current_setting('palace.user_id', true), '')::bigint);
CREATE POLICY owner_maintains ON review_mark TO CURRENT_USER USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON review_mark TO palace_app;

CREATE INDEX ix_review_mark_user_id_seen_at ON review_mark (user_id, seen_at);
CREATE INDEX ix_drawer_user_id_filed_at_redacted ON drawer (user_id, filed_at) WHERE redacted IS NOT NULL;
