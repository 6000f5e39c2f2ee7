"""Names folded so that two spellings of one name are one key."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 80
_SEPARATORS = re.compile(r"[\W_]+")


def slugify(name: str) -> str:
    """Fold case and accents, join words by hyphens; letters of every script are kept; "unnamed" where none is left."""
    decomposed = unicodedata.normalize("NFKD", name)
    bare = "".join(mark for mark in decomposed if not unicodedata.combining(mark))
    folded = unicodedata.normalize("NFKC", bare.casefold())
    return _SEPARATORS.sub("-", folded).strip("-")[:LONGEST].strip("-") or "unnamed"
