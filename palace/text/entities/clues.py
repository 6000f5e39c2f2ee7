"""What speaks for a stretch of a message being a name, and for what kind of thing it names."""

from __future__ import annotations

from typing import NamedTuple

from palace.records.graph import EntityType


class Clue(NamedTuple):
    """One reason to take ``text[start:end]`` for a name."""

    start: int
    end: int
    type: EntityType | None
    """None where only that it is a name is told."""
    worth: float
    """How much it counts; from one on it is enough alone."""
    is_typing_only: bool = False
    """Whether it says only what it is, if it is a name: what stands before any noun ("in", "with")."""
