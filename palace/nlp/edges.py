"""Fingerprint a conversation without an id by its first and last lines, to recognise it when it is mined again."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence

from palace.models.intake import repair
from palace.nlp.rules import rules

EDGE_LINES = 3
"""Number of lines of a fingerprint at each end of a conversation."""
LEAST_EDGE = 8
"""Fewest characters of a line in a fingerprint; shorter ones are used only where there are few others."""
_MOST_WORDS = 25
_WORD = re.compile(r"\w+(?:['’]\w+)?")


def lines_of(texts: Iterable[str]) -> list[str]:
    """Split texts into stripped lines as they are stored, without empty ones."""
    return [line for text in texts for raw in repair(text)[0].splitlines() if (line := raw.strip())]


def line_hash(line: str) -> int:
    """Hash a line to a signed 64-bit integer."""
    return int.from_bytes(hashlib.blake2b(line.encode(), digest_size=8).digest(), "big", signed=True)


def edges_of(lines: Sequence[str]) -> set[int]:
    """Return the hashes of the first and last lines of a conversation, its fingerprint."""
    telling = [line for line in lines if len(line) >= LEAST_EDGE and not is_greeting(line)]
    # A shorter copy of the conversation may contain no line that is long enough.
    telling = telling if len(telling) >= EDGE_LINES else list(lines)
    return {line_hash(line) for line in (*telling[:EDGE_LINES], *telling[-EDGE_LINES:])}


def is_greeting(text: str) -> bool:
    """Check whether a message is only a greeting, thanks or "how can I help", which unrelated conversations share.

    Another short message of everyday words may pass as one, but none of more than 25 words.
    """
    words = _WORD.findall(text.casefold().replace("’", "'"))
    return len(words) <= _MOST_WORDS and rules("words").words("greetings").issuperset(words)
