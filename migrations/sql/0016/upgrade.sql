-- What held at a moment is read from there backwards in time; what has no known beginning comes last.
CREATE INDEX ix_relation_user_id_begun ON relation (user_id, (CASE WHEN valid_from IS NULL THEN '-infinity'::timestamptz ELSE valid_from END));
CREATE INDEX ix_relation_user_id_subject_id_begun ON relation (user_id, subject_id, (CASE WHEN valid_from IS NULL THEN '-infinity'::timestamptz ELSE valid_from END));
