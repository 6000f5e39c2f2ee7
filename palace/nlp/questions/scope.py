"""What a query asks for: one fact or all of a kind, and whether it wants work or advice instead of memories. Pure.

Rules for English and German; precision goes before recall. "How many sugars does she take?" asks for one fact, "How
many letters did I write?" for every letter.
"""

from __future__ import annotations

from enum import Enum

from palace.nlp.rules import late, rules

_BREADTH, _TASKS, _ADVICE = rules("asked", "breadth"), rules("asked", "tasks"), rules("asked", "preferences")
_CLAUSES = late(r"(?<=[.?!;])\s+|\n+")


class Breadth(Enum):
    """How much a query asks for."""

    NONE = "none"
    """One fact."""
    COUNT = "count"
    LIST = "list"
    ORDER = "order"
    SUMMARY = "summary"

    @property
    def is_broad(self) -> bool:
        """Check whether the answer may need many drawers."""
        return self is not Breadth.NONE


def breadth_of(query: str) -> Breadth:
    """Return how much a query asks for."""
    return Breadth(_BREADTH.meaning("breadth", _plain(query)) or "none")


def asks_advice(query: str) -> bool:
    """Check whether a query asks for advice or a choice, and not for advice that was given before.

    Advice is best based on what the person chose before.
    """
    clauses = _CLAUSES.split(_plain(query))
    requests, recollects = _ADVICE["requests"], _ADVICE["recollects"]
    return any(requests.search(clause) and not recollects.search(clause) for clause in clauses)


def wants_work(query: str) -> bool:
    """Check whether a query gives a task, or asks for advice or for an explanation of the world.

    Such a query needs the person's standing instructions, although it does not mention them.
    """
    plain = _plain(query).strip()
    if asks_advice(plain) or any(_TASKS.finds(name, plain) for name in ("tasks", "could_you", "world")):
        return True
    in_english = _TASKS.finds("modal", plain) and not _TASKS.finds("recollects", plain)
    return in_english or (_TASKS.finds("german", plain) and not _TASKS.finds("recollects_german", plain))


def _plain(text: str) -> str:
    return text.replace("\u2019", "'")
