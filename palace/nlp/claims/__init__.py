"""Claims that people make about themselves and others, read from parsed sentences; ``reader`` is the entry."""
