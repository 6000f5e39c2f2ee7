"""What was said in stretches of time, or speaks of them: a sample that is even over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from palace.records import PassageKey, Role, Scope
from palace.store.candidates.compare import multirange
from palace.store.database import UserSession


class SaidThen(NamedTuple):
    """A drawer of a time, with what tells how much it tells."""

    key: PassageKey
    """With its first passage."""
    room_id: int
    turn: tuple[int, int]
    """Its conversation and its place in it."""
    role: Role
    moment: datetime
    """When it was said; of an undated one, when its room began."""
    speaks_of_it: bool
    """Whether it speaks of the time."""
    is_dated: bool
    is_replaced: bool
    beginning: str
    """Of its text: so much that it can be told whether it only asks."""
    rarity: float
    """What its words are worth, added up: the idf of each."""
    words: int
    """How many those are; 16 at most."""


@dataclass(frozen=True, slots=True)
class Sample:
    """How much of a time is looked at."""

    slices: int = 48
    """Parts of equal length of what was said."""
    each: int = 6
    """Drawers of each part, where there are so many."""
    sampled: int = 250
    """Drawers of all of it, in proportion to what was said; below it everything is looked at."""
    many: int = 20_000
    """Drawers of a time from which on it is told from about half as many, and not from what speaks of it elsewhere."""


@dataclass(frozen=True, slots=True)
class Stretches:
    """Which times, and when what speaks of them may have been said. Pairs of moments are half-open."""

    said: Sequence[tuple[datetime, datetime]]
    meant: Sequence[tuple[datetime, datetime]]
    told: tuple[datetime, datetime]
    """When what speaks of the times that are ``meant`` was said, so that not everything is looked through for it."""


USUAL = Sample()
_ALONE = sa.text(
    # Starting workers takes longer than they save.
    "SET LOCAL max_parallel_workers_per_gather = 0"
)


def telling_drawers(session: UserSession, times: Stretches, *, scope: Scope, sample: Sample = USUAL) -> list[SaidThen]:
    """List drawers said in some stretches of time, or speaking of them; in no order, the same ones every time."""
    parameters = {
        "windows": multirange(times.said),
        "first": min(start for start, _ in times.said),
        "last": max(end for _, end in times.said),
        "meant": multirange(times.meant),
        "told_first": times.told[0],
        "told_last": times.told[1],
        "slices": sample.slices,
        "each": sample.each,
        "sampled": sample.sampled,
        "many": sample.many,
        "tools": scope.tools,
        **scope.filters,
    }
    session.execute(_ALONE)
    return [
        SaidThen(PassageKey(drawer_id, ordinal), room_id, (conversation_id, position), Role(role), *rest)
        for drawer_id, ordinal, room_id, conversation_id, position, role, *rest in session.run(
            "telling_drawers", parameters
        )
    ]
