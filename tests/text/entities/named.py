"""Reads names from messages and writes them as tests compare them: "Anna: person, Porto: place"."""

from __future__ import annotations

from palace.models import EntityType, Role
from palace.models.claims import NamedSpan, Said
from palace.nlp.names.reading import read_names


def said(content: str, role: Role = Role.USER, language: str | None = "en", speaker: str | None = None) -> Said:
    return Said(content, role, speaker, language=language)


def names_in(content: str, language: str | None = "en") -> str:
    """Write the names in one message."""
    return written(read_names([said(content, language=language)])[0])


def written(spans: tuple[NamedSpan, ...]) -> str:
    return ", ".join({f"{span.text}: {span.type}": None for span in spans})


def names_of(*turns: Said, known: dict[str, EntityType] | None = None) -> list[str]:
    """Write the names in each message of a conversation."""
    return [written(spans) for spans in read_names(turns, known or {})]
