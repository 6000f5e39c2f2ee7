"""Backups: a whole palace, of every user, as an archive of pg_dump, and the way back."""
