-- Names are not searched any more.
DROP FUNCTION named_places(bigint, tsquery[], int);
DROP INDEX ix_wing_user_id_name_tsv;
ALTER TABLE wing DROP COLUMN name_tsv;
DROP INDEX ix_room_user_id_name_tsv;
ALTER TABLE room DROP COLUMN name_tsv;
DROP INDEX ix_closet_user_id_name_tsv;
ALTER TABLE closet DROP COLUMN name_tsv;
