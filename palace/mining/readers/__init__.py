"""Readers: one module per conversation format, and the registry that picks a reader by content."""
