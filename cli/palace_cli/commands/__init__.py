"""One command a file: its result where it has one of its own, its view, the command."""
