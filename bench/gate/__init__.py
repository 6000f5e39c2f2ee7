"""Whether the gate skips what needs no memory, and only that."""
