"""Results of changes by a person: forgetting, undoing, moving, scrubbing, and the runs that can be undone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from palace.models.memory import MemoryType
from palace.models.place import Wing
from palace.models.source import Kinds
from palace.models.transfer import MovedPlace


@dataclass(frozen=True, slots=True)
class ScrubSummary:
    """The result of one ``scrub``."""

    wing: str | None
    """The wing that it was limited to; None for the whole palace."""
    dry_run: bool
    drawers: int
    """Number of drawers with secrets."""
    secrets: Kinds
    """Numbers of secrets by kind, the most frequent first."""
    conversations: int
    """Number of conversations of those drawers."""
    names: int
    """Titles, names of rooms and wings, paths and failures with secrets; in a dry run only those of conversations."""
    read: int
    """Number of drawers that were read."""
    passages_pending: int
    """Passages that wait for an embedding."""
    seconds: float
    warnings: tuple[str, ...] = ()


class TargetKind(StrEnum):
    """The kinds of things that can be forgotten."""

    DRAWER = "drawer"
    CLOSET = "closet"
    ROOM = "room"
    WING = "wing"
    CONVERSATION = "conversation"
    NOTE = "note"
    """A note or memory with its other versions, by the drawer of one; a message alone."""
    MEMORIES = "memories"
    """The memories of a wing, or of all with the id 0."""


class Target(NamedTuple):
    """Something to forget in a user's palace, by its id."""

    kind: TargetKind
    id: int
    type: MemoryType | None = None
    """Of memories only those of this type."""
    wings: tuple[int, ...] | None = None
    """Ids of the wings outside of which nothing of a note is forgotten; None for any."""


@dataclass(frozen=True, slots=True)
class Removal:
    """The amount that was removed, or would be."""

    drawers: int = 0
    passages: int = 0
    """Includes sentences."""
    rooms: int = 0
    """Rooms left without a drawer."""
    wings: int = 0
    """Wings left without a room."""
    conversations: int = 0
    """Conversations left without a drawer."""


@dataclass(frozen=True, slots=True)
class ForgetSummary:
    """The result of forgetting."""

    what: str
    """A line for people: "room W-001/R-02 "Evening session" of wing "Efoil rebuild""."""
    removal: Removal
    dry_run: bool = False
    until: datetime | None = None
    """Until when it can be restored; None where it is deleted at once, or nothing was done."""
    pointers: tuple[str, ...] = ()
    """Pointers of the drawers that can be restored; ``palace.forgotten.restore(*pointers)`` restores exactly these."""


@dataclass(frozen=True, slots=True)
class ForgetRequest:
    """A program's request to forget something; a person has to confirm it by ``palace.forget(request)``.

    That call forgets no more drawers than were counted here.
    """

    what: str
    """The argument for ``forget``."""
    described: str
    """A description for people, in one line."""
    removal: Removal
    """The amount that would be removed."""


@dataclass(frozen=True, slots=True)
class HiddenPlace:
    """The forgotten drawers of a room that can still be restored."""

    room: str
    """The former room, ``W-001/R-02``."""
    wing_name: str
    room_name: str
    pointers: tuple[str, ...]
    """The former pointers of the drawers."""
    hidden_at: datetime
    due_at: datetime
    """When the first of them is deleted for good."""


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The result of restoring forgotten drawers."""

    drawers: int
    pointers: tuple[str, ...]
    """Pointers of the restored drawers."""
    there: int = 0
    """Number of drawers that had been filed again meanwhile; they were left unchanged."""
    warnings: tuple[str, ...] = ()
    wings: tuple[str, ...] = ()
    """Names of the wings of the restored drawers."""
    moved: tuple[MovedPlace, ...] = ()
    """Rooms, and drawers apart from their rooms, whose pointers changed."""


class RunState(StrEnum):
    """The state of a run."""

    FINISHED = "finished"
    UNFINISHED = "unfinished"
    """Running, or killed."""
    UNDONE = "undone"


@dataclass(frozen=True, slots=True)
class Run:
    """One call of mine, or one note."""

    id: int
    source: str
    state: RunState
    started_at: datetime
    finished_at: datetime | None
    undone_at: datetime | None
    drawers_filed: int
    """Number of drawers that it filed, as recorded when it finished."""
    drawers_kept: int
    """Number of them that still exist."""


@dataclass(frozen=True, slots=True)
class UndoSummary:
    """The result of undoing runs."""

    runs: tuple[Run, ...]
    """The undone runs in their present state, in the order they began."""
    removal: Removal
    marks: int = 0
    """Drawers that are current again: the runs had marked them as replaced or deleted from their source."""
    dry_run: bool = False


class RoomMove(NamedTuple):
    """A room's pointer before and after a move, as ``W-001/R-02``."""

    before: str
    after: str


@dataclass(frozen=True, slots=True)
class MoveSummary:
    """The result of moving rooms."""

    wing: Wing
    """The target wing as it is now."""
    rooms: tuple[RoomMove, ...]
    merged: bool
    """Whether a whole wing was merged into it."""


@dataclass(frozen=True, slots=True)
class StandingRoom:
    """A room with the features that suggest its wing."""

    pointer: str
    """``W-001/R-02``."""
    wing_id: int
    name: str
    """Without the date of a daily room."""
    closets: tuple[str, ...]
    """Names of its closets."""
    people: tuple[str, ...]
    """The two speakers of a dialogue without an assistant; empty for any other room."""


@dataclass(frozen=True, slots=True)
class MoveSuggestion:
    """A suggestion to move a room to another wing; nothing is moved."""

    room: str
    """``W-001/R-02``."""
    name: str
    to: Wing
    reason: str
    """The reason, in one line."""
