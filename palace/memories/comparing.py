"""Compare a text with the known memories of its type: which says the same, and which are alike."""

from __future__ import annotations

from dataclasses import dataclass

from palace.db.memories import Nearest, list_nearest
from palace.models import MemoryType
from palace.nlp.words import slugify
from palace.opened import OpenPalace

SAME = 0.9
"""Cosine similarity above which a text is a new version of a memory."""
ALIKE = 0.7
"""Cosine similarity from which on two memories are linked."""
MOST_ALIKE = 5


@dataclass(frozen=True, slots=True)
class Likeness:
    """The known memories that a text is like."""

    same: Nearest | None = None
    """The memory that says the same; None without one."""
    alike: tuple[Nearest, ...] = ()
    """The others that are linked, nearest first."""


def compare(opened: OpenPalace, content: str, type: MemoryType, wing: str) -> Likeness:
    """Find the accepted memories of a type in a wing that a text is like.

    Raises:
        EmbeddingError: the model did not answer.
    """
    run = opened.embedding_run()
    vector = run.vectors_of([content])[0]
    near = (run.generation, [float(each) for each in vector])
    found = opened.run(lambda session: list_nearest(session, near, type, slugify(wing), limit=MOST_ALIKE + 1))
    same = next((each for each in found if each.similarity > SAME), None)
    alike = tuple(each for each in found if each is not same and each.similarity >= ALIKE)
    return Likeness(same, alike[:MOST_ALIKE])
