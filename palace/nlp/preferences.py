"""Whether a text says what the person likes, owns, does or avoids, and whether a query asks for advice.

Whoever asks for advice is best answered with what they chose before. Rules of our own, English, made to be right
where they speak rather than to find every preference.
"""

from __future__ import annotations

from palace.nlp.rules import late, rules

_RULES = rules("asked", "preferences")
_CLAUSES = late(r"(?<=[.?!;])\s+|\n+")


def states_preference(text: str) -> bool:
    """Whether it says what the person prefers, likes, dislikes, owns, uses, always or never does, or cannot have."""
    return _RULES["statements"].search(_plain(text).lower()) is not None


def asks_advice(query: str) -> bool:
    """Whether a query asks what to do or to choose; not where it asks what was advised before."""
    clauses = _CLAUSES.split(_plain(query))
    requests, recollects = _RULES["requests"], _RULES["recollects"]
    return any(requests.search(clause) and not recollects.search(clause) for clause in clauses)


def _plain(text: str) -> str:
    return text.replace("\u2019", "'")
