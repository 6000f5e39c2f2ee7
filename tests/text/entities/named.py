"""Reads names from messages and writes them as tests compare them: "Anna: person, Porto: place"."""

from __future__ import annotations

from palace.records import EntityType, Role
from tests.text.reading import NamedSpan, Said, bundled_tagger, read_names


def said(content: str, role: Role = Role.USER, language: str | None = "en", speaker: str | None = None) -> Said:
    return Said(content, role, speaker, language=language)


def names_in(content: str, language: str | None = "en", *, model: bool = False) -> str:
    """Write the names in one message, read with the model that tags names or by rules alone."""
    tagger = bundled_tagger() if model else None
    return written(read_names([said(content, language=language)], tagger)[0])


def written(spans: tuple[NamedSpan, ...]) -> str:
    return ", ".join({f"{span.text}: {span.type}": None for span in spans})


def names_of(*turns: Said, known: dict[str, EntityType] | None = None) -> list[str]:
    """Write the names in each message of a conversation, read by rules alone."""
    return [written(spans) for spans in read_names(turns, None, known or {})]
