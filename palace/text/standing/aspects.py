"""What of a task an instruction is about without a word of it: code, wording, measures, hours, manner. Pure.

"Indent with tabs" is about every program that is asked for, "no jargon" about every answer. Kinds of work that anybody
gives to an assistant, not subjects: what an instruction is about beside these is told by its vector.
"""

from __future__ import annotations

from enum import Enum

from palace.patterns import rules
from palace.text.standing.instructions import is_general

_RULES = rules("standing", "aspects")


class Aspect(Enum):
    """What of a task an instruction may be about."""

    CODE = "code"
    WORDING = "wording"
    """Of what is written to somebody, or for somebody to read."""
    MEASURES = "measures"
    HOURS = "hours"
    """Days and times of day."""
    MANNER = "manner"
    """Of the answer itself."""


def aspects_of_statement(statement: str) -> frozenset[Aspect]:
    """List what a standing statement is about."""
    found = _found(statement, "statements")
    return found | {Aspect.MANNER} if is_general(statement) else found


def aspects_of_task(query: str) -> frozenset[Aspect]:
    """List what a task is about, or a question; the manner, where an explanation is asked for."""
    return _found(query, "tasks")


def _found(text: str, name: str) -> frozenset[Aspect]:
    plain = text.replace("\u2019", "'").lower()
    return frozenset(Aspect(aspect) for aspect, pattern in _RULES.meanings(name) if pattern.search(plain))
