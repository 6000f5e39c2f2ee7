"""Who and what a noun stands for: "my sister" is Rose, "the boat" the Kittiwake, and a name another name."""

from __future__ import annotations

from palace.nlp.aliases.nouns import settled, typed_by_nouns, types_of_nouns
from palace.nlp.aliases.others import with_titles
from palace.nlp.aliases.reading import read_called

__all__ = ["read_called", "settled", "typed_by_nouns", "types_of_nouns", "with_titles"]
