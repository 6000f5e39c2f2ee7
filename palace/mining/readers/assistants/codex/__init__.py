"""Codex: its files of sessions, and what one session says."""
