"""An answer to a question from what was said, statement by statement."""

from __future__ import annotations

from dataclasses import dataclass

from palace.models.place import Pointer
from palace.models.recall import Recollection


@dataclass(frozen=True, slots=True)
class CitedStatement:
    """One statement of an answer, with the drawers that it stands on."""

    text: str
    pointers: tuple[Pointer, ...]
    """At least one, each among the hits."""


@dataclass(frozen=True, slots=True)
class QuestionAnswer:
    """What a palace answers to a question."""

    question: str
    statements: tuple[CitedStatement, ...]
    """In the order to read them; none where nothing here answers."""
    unknown: str | None
    """What the drawers do not tell, in a sentence; None where a model says that nothing is missing, or without one."""
    model: str | None
    """The language model that wrote the statements; None where they are the best sentences of the hits, as said."""
    recollection: Recollection
    """The hits that it was written from."""
    warnings: tuple[str, ...] = ()
    """What went wrong, a line each: a model that did not answer, statements that cited nothing."""
