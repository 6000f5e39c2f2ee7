-- Takes the names away, and what is noted of the step that makes them.
DROP INDEX ix_alias_user_id_folded;
CREATE INDEX ix_alias_user_id_folded ON alias (user_id, folded);
DROP TABLE known_name;
DELETE FROM index_step WHERE step = 'tags';
