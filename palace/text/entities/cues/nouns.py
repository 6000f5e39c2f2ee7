"""Nouns that stand before a name and say what it names."""

from __future__ import annotations

from palace.patterns import rules
from palace.records.graph import EntityType

_RULES = rules("names", "english_cues")
TABLE: tuple[tuple[str, EntityType], ...] = tuple(
    (_RULES.source(name), kind)
    for name, kind in (
        ("kin", EntityType.PERSON),
        ("pets", EntityType.ITEM),
        ("things", EntityType.ITEM),
        ("places", EntityType.PLACE),
        ("firms", EntityType.ORGANISATION),
        ("events", EntityType.EVENT),
        ("projects", EntityType.PROJECT),
    )
)
"""Patterns of nouns, each with what is named behind them."""
