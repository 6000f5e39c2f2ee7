"""Access to files in a folder, an archive or alone: bytes, text, JSON and companion files."""
