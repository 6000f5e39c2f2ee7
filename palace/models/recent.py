"""What the last days brought and what stands open: what a person, or an agent, wakes up to."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from palace.models.mining import Stretch
from palace.models.place import Drawer, Span
from palace.models.source import Role


class Why(StrEnum):
    """Why a sentence is shown."""

    SAID = "said"
    """It was said, and tells something."""
    PREFERENCE = "preference"
    """It says what the person likes, owns, does or avoids."""
    INSTRUCTION = "instruction"
    """It says what is always or never to be done, or to be kept in mind."""
    QUESTION = "question"
    """It asks, and nobody answered."""
    INTENTION = "intention"
    """It says what is to be done."""
    BOX = "box"
    """It is something to do that is not ticked."""
    DATE = "date"
    """It speaks of a time that is ahead."""


@dataclass(frozen=True, slots=True)
class RecentItem:
    """A sentence of a drawer that tells, stands open, or is coming up."""

    drawer: Drawer
    sentence: Span
    """Which part of the drawer's content: a sentence or a line, cut where it is very long."""
    why: Why
    at: datetime
    """When it counts as said; of an undated drawer when its room began, or when it was filed."""
    score: float
    """How much it tells, comparable within one view only."""
    due: Stretch | None = None
    """The time ahead that it speaks of; None where it speaks of none."""


@dataclass(frozen=True, slots=True)
class Recent:
    """What matters of a stretch of days, and what stands open at its end."""

    since: datetime
    """Where the stretch begins that was looked at."""
    until: datetime
    """Where it ends: the moment that was asked at, or the end of the last day on which something was said."""
    told: tuple[RecentItem, ...] = ()
    """What was said that tells: by wing, that of the newest first, in each the newest first."""
    open: tuple[RecentItem, ...] = ()
    """Questions that nobody answered, and what is to be done, the newest first."""
    coming: tuple[RecentItem, ...] = ()
    """What speaks of a time ahead, the nearest first."""
    is_earlier: bool = False
    """Nothing was said in the days asked for: these are the latest in which something was."""
    warnings: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        return not (self.told or self.open or self.coming)


class SaidDrawer(NamedTuple):
    """What is read of a drawer to tell whether it matters."""

    drawer_id: int
    room_id: int
    wing_id: int
    turn: tuple[int, int]
    """Conversation and place in it."""
    role: Role
    speaker: str | None
    at: datetime
    """When it counts as said."""
    is_dated: bool
    text: str
    """The beginning of its content."""
    is_answered: bool
    """Somebody else spoke behind it in its conversation; looked up of what may be a question."""
    speaks_ahead: bool
    """It was filed as speaking of a time that is ahead."""
    is_own: bool = False
    """Whether the person is known to say it."""
