-- Nothing asks for statements of preference any more: with and without them, recall finds the same.
ALTER TABLE passage DROP COLUMN is_preference;
