-- Whether a name stands for one alone is told by the first and the last entity of it.
DROP INDEX ix_alias_user_id_folded;
CREATE INDEX ix_alias_user_id_folded ON alias (user_id, folded, entity_id);

-- Names that a drawer has and that the palace knows, wherever they were told: what tags are read from beside mentions.
CREATE TABLE known_name (
    user_id BIGINT NOT NULL,
    drawer_id BIGINT NOT NULL,
    folded TEXT NOT NULL,
    CONSTRAINT pk_known_name PRIMARY KEY (user_id, drawer_id, folded),
    CONSTRAINT fk_known_name_user_id_drawer_id FOREIGN KEY (user_id, drawer_id)
        REFERENCES drawer (user_id, id) ON DELETE CASCADE,
    CONSTRAINT fk_known_name_user_id FOREIGN KEY (user_id) REFERENCES palace_user (id) ON DELETE CASCADE
);

ALTER TABLE known_name ENABLE ROW LEVEL SECURITY;
ALTER TABLE known_name FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON known_name USING (user_id = nullif(current_setting('palace.user_id', true), '')::bigint) WITH CHECK (user_id = nullif(current_setting('palace.user_id', true), '')::bigint);
CREATE POLICY owner_maintains ON known_name TO CURRENT_USER USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON known_name TO palace_app;

CREATE INDEX ix_known_name_user_id_folded ON known_name (user_id, folded);
