"""What a person changes afterwards: what is forgotten or undone, and the runs to undo."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from palace.models.place import Wing
from palace.models.source import Kinds
from palace.models.transfer import MovedPlace


@dataclass(frozen=True, slots=True)
class ScrubSummary:
    """What one ``scrub`` took out of what was filed before."""

    wing: str | None
    """The wing it was confined to; None for the whole palace."""
    dry_run: bool
    drawers: int
    """Those in which anything was found."""
    secrets: Kinds
    """How many of each kind, the most first."""
    conversations: int
    """Those of the drawers."""
    names: int
    """Titles, names of rooms and wings, paths and failures in which anything was found; of a dry run those of
    conversations alone.
    """
    read: int
    """Drawers that were looked at."""
    passages_pending: int
    """Passages that wait for an embedding."""
    seconds: float
    warnings: tuple[str, ...] = ()


class TargetKind(StrEnum):
    """What can be forgotten."""

    DRAWER = "drawer"
    CLOSET = "closet"
    ROOM = "room"
    WING = "wing"
    CONVERSATION = "conversation"


class Target(NamedTuple):
    """Something of a user's palace that drawers stand in, by its id."""

    kind: TargetKind
    id: int


@dataclass(frozen=True, slots=True)
class Removal:
    """How much is gone, or would be."""

    drawers: int = 0
    passages: int = 0
    """Sentences included."""
    rooms: int = 0
    """Rooms left without a drawer."""
    wings: int = 0
    """Wings left without a room."""
    conversations: int = 0
    """Conversations left without a drawer."""


@dataclass(frozen=True, slots=True)
class ForgetSummary:
    """What was forgotten."""

    what: str
    """A line for people: "room W-001/R-02 "Evening session" of wing "Efoil rebuild""."""
    removal: Removal
    dry_run: bool = False
    until: datetime | None = None
    """Until when it can be restored; None where it is deleted at once, or nothing was done."""
    pointers: tuple[str, ...] = ()
    """Of the drawers that can be restored; ``palace.forgotten.restore(*pointers)`` takes back exactly these."""


@dataclass(frozen=True, slots=True)
class ForgetRequest:
    """What a program asks to have forgotten; nothing is until a person has it done, ``palace.forget(request)``.

    That forgets no more drawers than were counted here.
    """

    what: str
    """As ``forget`` takes it."""
    described: str
    """A line for people."""
    removal: Removal
    """How much that is."""


@dataclass(frozen=True, slots=True)
class HiddenPlace:
    """What was forgotten of a room and can still be restored."""

    room: str
    """``W-001/R-02``, as it was."""
    wing_name: str
    room_name: str
    pointers: tuple[str, ...]
    """Of the drawers, as they were."""
    hidden_at: datetime
    due_at: datetime
    """When the first of them is deleted."""


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What was taken back."""

    drawers: int
    pointers: tuple[str, ...]
    """Where they stand."""
    there: int = 0
    """Those that had been filed again meanwhile; they were left as they are."""
    warnings: tuple[str, ...] = ()
    wings: tuple[str, ...] = ()
    """What the wings are called in which they stand."""
    moved: tuple[MovedPlace, ...] = ()
    """What stands elsewhere than it did: rooms, and drawers that have another number in theirs."""


class RunState(StrEnum):
    """How far a run is."""

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
    """How many it filed, as it reported when it finished."""
    drawers_kept: int
    """How many of them are still there."""


@dataclass(frozen=True, slots=True)
class UndoSummary:
    """What was undone."""

    runs: tuple[Run, ...]
    """As they are now, in the order they began."""
    removal: Removal
    marks: int = 0
    """Drawers that stand again: the runs had found them replaced, or no longer in their source."""
    dry_run: bool = False


class RoomMove(NamedTuple):
    """A room's place before and after, as ``W-001/R-02``."""

    before: str
    after: str


@dataclass(frozen=True, slots=True)
class MoveSummary:
    """What was moved where."""

    wing: Wing
    """The wing as it is now."""
    rooms: tuple[RoomMove, ...]
    merged: bool
    """Whether a whole wing was merged into it."""


@dataclass(frozen=True, slots=True)
class StandingRoom:
    """A room with what tells where it belongs."""

    pointer: str
    """``W-001/R-02``."""
    wing_id: int
    name: str
    """Without the day of a slice."""
    closets: tuple[str, ...]
    """Their names."""
    people: tuple[str, ...]
    """The two who speak in it, where it is a talk of two and no assistant takes part; else nobody."""


@dataclass(frozen=True, slots=True)
class MoveSuggestion:
    """A room that another wing may be the better home of; nothing is moved."""

    room: str
    """``W-001/R-02``."""
    name: str
    to: Wing
    reason: str
    """What speaks for it, in one line."""
