-- The names of places are searched: what they say is kept beside them, so that a rename is followed by itself.
-- One change of one table a statement; each adds a column that is filled, which writes the table anew.
ALTER TABLE wing ADD COLUMN name_tsv tsvector GENERATED ALWAYS AS (to_tsvector('english'::regconfig, name) || to_tsvector('palace_plain'::regconfig, name)) STORED;
CREATE INDEX ix_wing_user_id_name_tsv ON wing USING gin (user_id, name_tsv);
ALTER TABLE room ADD COLUMN name_tsv tsvector GENERATED ALWAYS AS (to_tsvector('english'::regconfig, name) || to_tsvector('palace_plain'::regconfig, name)) STORED;
CREATE INDEX ix_room_user_id_name_tsv ON room USING gin (user_id, name_tsv);
ALTER TABLE closet ADD COLUMN name_tsv tsvector GENERATED ALWAYS AS (to_tsvector('english'::regconfig, name) || to_tsvector('palace_plain'::regconfig, name)) STORED;
CREATE INDEX ix_closet_user_id_name_tsv ON closet USING gin (user_id, name_tsv);
