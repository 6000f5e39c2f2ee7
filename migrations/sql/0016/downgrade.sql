-- Relations are not read by time any more.
DROP INDEX ix_relation_user_id_subject_id_begun;
DROP INDEX ix_relation_user_id_begun;
