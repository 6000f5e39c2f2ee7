"""The names that stand in messages: people, places, organisations, events, things, projects and times."""

from __future__ import annotations

from palace.text.entities.reading import read_names
from palace.text.entities.tagging import Tag, Tagger, bundled_tagger

__all__ = ["Tag", "Tagger", "bundled_tagger", "read_names"]
