"""Readers: one conversation format a module, and the registry that picks one by content."""
