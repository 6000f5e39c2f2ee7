"""The names that stand in messages: people, places, organisations, events, things, projects and times."""

from __future__ import annotations

from palace.nlp.names.reading import read_names

__all__ = ["read_names"]
