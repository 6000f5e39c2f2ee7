"""What speaks for a stretch of a message being a name, and the rules of data that say so."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from palace.models.claims import EntityType
from palace.nlp.rules import Rules


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


class Cue(NamedTuple):
    """A pattern with the name in it, or beside it."""

    pattern: re.Pattern[str]
    type: EntityType
    worth: float
    """How much it counts for the name."""
    ordinary: bool = False
    """Whether ordinary words may be a name there."""
    most: int = 2
    """Words that the name has at most."""


@cache
def cues(data: Rules, name: str, within: str = "%s") -> tuple[Cue, ...]:
    """Compile the rules of a table, each within a pattern that has ``%s`` for it."""
    return tuple(
        Cue(
            re.compile(within.replace("%s", data.filled(row["pattern"]))),
            EntityType(row["type"]),
            row["worth"],
            row.get("ordinary", False),
            row.get("most", 2),
        )
        for row in data.table(name)
    )
