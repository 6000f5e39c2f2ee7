"""An answer to a question, in statements that cite drawers."""

from __future__ import annotations

from dataclasses import dataclass

from palace.models.place import Pointer
from palace.models.recall import Recollection


@dataclass(frozen=True, slots=True)
class CitedStatement:
    """A statement of an answer with the drawers that support it."""

    text: str
    pointers: tuple[Pointer, ...]
    """Pointers of the drawers, at least one, all among the hits."""


@dataclass(frozen=True, slots=True)
class QuestionAnswer:
    """The answer to a question."""

    question: str
    statements: tuple[CitedStatement, ...]
    """In reading order; empty if no drawer answers."""
    unknown: str | None
    """What the drawers do not say, on one line: the model's own words without citation, at most 200 characters, or what
    Palace says without a model or a statement; None if nothing is missing.
    """
    model: str | None
    """The language model that wrote the statements; None if they are sentences of the hits."""
    recollection: Recollection
    """The recall from which the answer was made."""
    warnings: tuple[str, ...] = ()
    """Problems, one line each: a model that failed, or statements without citations."""
