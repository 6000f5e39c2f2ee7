"""What the last days brought and what is open: the view that a person, or an agent, starts with."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from palace.models.mining import Stretch
from palace.models.place import Drawer, Span
from palace.models.source import Role


class Why(StrEnum):
    """The reason why a sentence is shown."""

    SAID = "said"
    """It is informative."""
    PREFERENCE = "preference"
    """It says what the person likes, owns, does or avoids."""
    INSTRUCTION = "instruction"
    """It says what is always or never to be done, or to be remembered."""
    QUESTION = "question"
    """It is a question that nobody answered."""
    INTENTION = "intention"
    """It states an intention or a task."""
    BOX = "box"
    """It is an unticked checkbox."""
    DATE = "date"
    """It mentions a time in the future."""


@dataclass(frozen=True, slots=True)
class RecentItem:
    """A sentence of a drawer that is informative, open, or about something coming up."""

    drawer: Drawer
    sentence: Span
    """Position in the drawer's content: a sentence or a line, cut if it is very long."""
    why: Why
    at: datetime
    """When it was said; for an undated drawer, when its room began or when it was filed."""
    score: float
    """How informative it is, comparable only within one view."""
    due: Stretch | None = None
    """The future time that it mentions; None where it mentions none."""


@dataclass(frozen=True, slots=True)
class Recent:
    """The informative sentences of a period, and what is open at its end."""

    since: datetime
    """Start of the period."""
    until: datetime
    """End of the period: the time of the request, or the end of the last day with messages."""
    told: tuple[RecentItem, ...] = ()
    """Informative sentences: grouped by wing, the most recent wing first, newest first within each."""
    open: tuple[RecentItem, ...] = ()
    """Unanswered questions, intentions and tasks, newest first."""
    coming: tuple[RecentItem, ...] = ()
    """Sentences that mention a future time, nearest first."""
    more_coming: int = 0
    """Number of others that mention a future time and are left out."""
    is_earlier: bool = False
    """Whether nothing was said in the requested days, so that these are the latest days with messages."""
    warnings: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        return not (self.told or self.open or self.coming)


class SaidDrawer(NamedTuple):
    """The features of a drawer by which its relevance to the view is decided."""

    drawer_id: int
    room_id: int
    wing_id: int
    turn: tuple[int, int]
    """Conversation and index in it."""
    role: Role
    speaker: str | None
    at: datetime
    """When it counts as said."""
    is_dated: bool
    text: str
    """The beginning of its content."""
    is_answered: bool
    """Whether another speaker follows in its conversation; only looked up for possible questions."""
    speaks_ahead: bool
    """Whether its index entry mentions a future time."""
    is_own: bool = False
    """Whether the owner of the palace is known to have said it."""
