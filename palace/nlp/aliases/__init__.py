"""Aliases: nouns that stand for a name ("my sister" for Rose), and names that stand for another name."""

from __future__ import annotations

from palace.nlp.aliases.nouns import settled, typed_by_nouns, types_of_nouns
from palace.nlp.aliases.others import with_titles
from palace.nlp.aliases.reading import read_called

__all__ = ["read_called", "settled", "typed_by_nouns", "types_of_nouns", "with_titles"]
