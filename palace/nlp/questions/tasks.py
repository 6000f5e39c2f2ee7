"""Whether a query wants something done or worked out, rather than remembered: a task, advice, an explanation. Pure.

Then what the person asked for once and for all matters, although the query does not name it. Rules of our own for
English and German.
"""

from __future__ import annotations

from palace.nlp.preferences import asks_advice
from palace.nlp.rules import rules

_RULES = rules("asked", "tasks")


def wants_work(query: str) -> bool:
    """Tell whether a query gives a task, asks for advice, or for an explanation of how the world is."""
    plain = query.replace("\u2019", "'").strip()
    if asks_advice(plain) or any(_RULES[name].search(plain) for name in ("tasks", "could_you", "world")):
        return True
    if _RULES["modal"].search(plain) and not _RULES["recollects"].search(plain):
        return True
    return bool(_RULES["german"].search(plain)) and not _RULES["recollects_german"].search(plain)
