"""Maps the names that programs use for fields, parts and roles of messages, and names of speakers to roles."""

from __future__ import annotations

import re
from functools import cache

from palace.mining.drafts.written_times import MARKS
from palace.models import Role
from palace.nlp.rules import Rules

FIELDS = Rules("readers", "messages.toml")
"""Names that programs use for fields, parts and roles."""
_LABELS = Rules("readers", "transcripts.toml")
_MARKS = re.compile(f"[{MARKS}]")


@cache
def keys(name: str) -> tuple[str, ...]:
    """Return the names that programs use for a field of a message, in order of precedence."""
    return tuple(FIELDS.text(name).split())


@cache
def meanings(table: str) -> dict[str, str]:
    """Map the words of a table to their meanings."""
    return {word: meaning for meaning, words in FIELDS.table(table).items() for word in words.split()}


def role_in(word: str) -> Role | None:
    """Return the role for a program's word, or None."""
    return Role(meanings("roles")[word]) if word in meanings("roles") else None


def role_of(name: str) -> Role | None:
    """Return the role that a label's name stands for ("User", "ChatGPT"), or None for any other name."""
    folded = _folded(name)
    return next((Role(role) for role, words in _LABELS.meanings("roles") if words.fullmatch(folded)), None)


def speaker_of(name: str) -> str | None:
    """Return the speaker's name, or None if it is only a word for a role."""
    bare = _MARKS.sub("", name).strip()
    return None if _LABELS["generic"].fullmatch(_folded(bare)) else bare.removesuffix(" said").lstrip("~ ")


def _folded(name: str) -> str:
    return name.casefold().removesuffix(" said")
