-- `palace rebuild` reads again which passages state a preference.
ALTER TABLE passage ADD COLUMN is_preference BOOLEAN DEFAULT false NOT NULL;
