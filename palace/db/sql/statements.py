"""Loading the statements that are kept as files."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import sqlalchemy as sa

GENERIC_PLAN = frozenset({"facts_about", "relations_at", "relations_of", "tagged_with", "tags_of"})
"""Statements that Postgres plans without the user's id (``UserSession.execute``)."""


@lru_cache(maxsize=1024)
def statement(name: str, **literals: int) -> sa.TextClause:
    """Load ``name.sql``; ``literals`` are rendered into it as integers, everything else stays a bound parameter."""
    text = (Path(__file__).parent / f"{name}.sql").read_text(encoding="utf-8")
    for literal, value in literals.items():
        text = text.replace("{" + literal + "}", str(int(value)))
    return sa.text(text)
