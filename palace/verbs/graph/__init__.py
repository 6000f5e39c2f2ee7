"""Verbs about who and what messages name."""
