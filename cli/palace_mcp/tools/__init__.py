"""The tools, one per file: their arguments, their work on the palace, and their answers."""
