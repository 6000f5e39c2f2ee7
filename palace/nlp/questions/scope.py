"""What a query is after: one thing or all of a kind, something remembered, or work, advice and explanation. Pure.

Rules of our own for English and German, made to be right where they speak rather than to find every broad question or
task: "How many sugars does she take?" asks for one thing, "How many letters did I write?" for every letter.
"""

from __future__ import annotations

from enum import Enum

from palace.nlp.rules import late, rules

_BREADTH, _TASKS, _ADVICE = rules("asked", "breadth"), rules("asked", "tasks"), rules("asked", "preferences")
_CLAUSES = late(r"(?<=[.?!;])\s+|\n+")


class Breadth(Enum):
    """How much a query asks for."""

    NONE = "none"
    """One thing."""
    COUNT = "count"
    LIST = "list"
    ORDER = "order"
    SUMMARY = "summary"

    @property
    def is_broad(self) -> bool:
        """Whether what answers may lie in many drawers."""
        return self is not Breadth.NONE


def breadth_of(query: str) -> Breadth:
    """Tell how much a query asks for."""
    return Breadth(_BREADTH.meaning("breadth", _plain(query)) or "none")


def asks_advice(query: str) -> bool:
    """Tell whether a query asks what to do or to choose; not where it asks what was advised before.

    Whoever asks for advice is best answered with what they chose before.
    """
    clauses = _CLAUSES.split(_plain(query))
    requests, recollects = _ADVICE["requests"], _ADVICE["recollects"]
    return any(requests.search(clause) and not recollects.search(clause) for clause in clauses)


def wants_work(query: str) -> bool:
    """Tell whether a query gives a task, asks for advice, or for an explanation of how the world is.

    Then what the person asked for once and for all matters, although the query does not name it.
    """
    plain = _plain(query).strip()
    if asks_advice(plain) or any(_TASKS.finds(name, plain) for name in ("tasks", "could_you", "world")):
        return True
    in_english = _TASKS.finds("modal", plain) and not _TASKS.finds("recollects", plain)
    return in_english or (_TASKS.finds("german", plain) and not _TASKS.finds("recollects_german", plain))


def _plain(text: str) -> str:
    return text.replace("\u2019", "'")
