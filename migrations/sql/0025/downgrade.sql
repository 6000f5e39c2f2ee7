DROP INDEX ix_drawer_user_id_filed_at_redacted;
DROP TABLE review_mark;
