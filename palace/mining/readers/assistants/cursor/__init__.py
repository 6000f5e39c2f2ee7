"""Cursor: its transcripts, and the folders that they were held in."""
