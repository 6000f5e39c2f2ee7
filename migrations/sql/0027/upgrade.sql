-- Recall no longer uses it: it finds the same without.
ALTER TABLE passage DROP COLUMN is_preference;
