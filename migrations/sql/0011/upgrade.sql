-- Passages that say what holds from then on are marked, and found by an index of their own: they are few.
ALTER TABLE passage ADD COLUMN is_standing boolean DEFAULT false NOT NULL;
CREATE INDEX ix_passage_standing ON passage (user_id, drawer_id, ordinal) WHERE is_standing;
