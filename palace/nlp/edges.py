"""The lines that a conversation without an id is found by when it is read again: its first and its last."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence

from palace.models.intake import repair
from palace.nlp.rules import rules

EDGE_LINES = 3
"""How many lines from a conversation's beginning, and from its end, it is found by."""
LEAST_EDGE = 8
"""Shorter lines say too little to find a conversation by; they serve where there are few others."""
_MOST_WORDS = 25
_WORD = re.compile(r"\w+(?:['’]\w+)?")


def lines_of(texts: Iterable[str]) -> list[str]:
    """Return the lines of some texts, as they are stored, without white space around them; empty ones are left out."""
    return [line for text in texts for raw in repair(text)[0].splitlines() if (line := raw.strip())]


def line_hash(line: str) -> int:
    """Return the hash of a line: 64 bits, signed."""
    return int.from_bytes(hashlib.blake2b(line.encode(), digest_size=8).digest(), "big", signed=True)


def edges_of(lines: Sequence[str]) -> set[int]:
    """Return the hashes of the lines that a conversation without an id is found by: its first and its last."""
    telling = [line for line in lines if len(line) >= LEAST_EDGE and not is_greeting(line)]
    # A shorter copy of what says little may have none of those that tell.
    telling = telling if len(telling) >= EDGE_LINES else list(lines)
    return {line_hash(line) for line in (*telling[:EDGE_LINES], *telling[-EDGE_LINES:])}


def is_greeting(text: str) -> bool:
    """Tell whether a message says nothing but hello, thanks or "how can I help", so that strangers may say the same.

    It may take another short message of everyday words for one; nothing longer.
    """
    words = _WORD.findall(text.casefold().replace("’", "'"))
    return len(words) <= _MOST_WORDS and rules("words").words("greetings").issuperset(words)
