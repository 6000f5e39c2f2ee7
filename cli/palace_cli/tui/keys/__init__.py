"""Keys: which there are, in which order they count, and what else offers what they do."""
