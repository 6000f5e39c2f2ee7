"""What people claim of themselves and of others, read from the parse of their sentences; ``reader`` reads it."""
