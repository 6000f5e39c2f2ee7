"""Connecting clients: what is written into their configurations, and how it is taken out again."""
