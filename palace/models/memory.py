"""Memories: notes with a type and a life, each standing on the drawers that it cites."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from palace.models.place import Drawer, Pointer


class MemoryType(StrEnum):
    """What a memory is about."""

    SEMANTIC = "semantic"
    """A fact or a preference."""
    PROCEDURAL = "procedural"
    """How to do something."""
    EPISODIC = "episodic"
    """What was attempted and what came of it."""
    REFLECTIVE = "reflective"
    """A lesson on how to help."""
    INSTRUCTION = "instruction"
    """A standing instruction of the person."""

    @property
    def noun(self) -> str:
        """What a person calls a memory of this type."""
        return _NOUNS[self]


_NOUNS = {
    MemoryType.SEMANTIC: "fact",
    MemoryType.PROCEDURAL: "how-to",
    MemoryType.EPISODIC: "episode",
    MemoryType.REFLECTIVE: "lesson",
    MemoryType.INSTRUCTION: "instruction",
}


class MemoryState(StrEnum):
    """Whether a memory counts."""

    PROPOSED = "proposed"
    """A person has to accept it first; recall does not return it."""
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    """A person refused it; it is not proposed again."""


EXPIRED = "expired"
"""What an accepted memory is listed as once it has expired; it is not a state that is stored."""


class MemoryOrigin(StrEnum):
    """Who said what a memory stands on, the most trusted first; of several the least trusted counts."""

    PERSON = "person"
    ASSISTANT = "assistant"
    TOOL = "tool"
    """A tool's output, a file, a mail or a web page."""


class MemoryMaker(StrEnum):
    """Who wrote a memory."""

    PERSON = "person"
    RULE = "rule"
    MODEL = "model"
    AGENT = "agent"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryPart:
    """What is stored of a memory beside its drawer; drawers are cited by their identities."""

    type: MemoryType
    state: MemoryState = MemoryState.ACCEPTED
    origin: MemoryOrigin = MemoryOrigin.PERSON
    maker: MemoryMaker = MemoryMaker.PERSON
    importance: float = 0.5
    confidence: float = 1.0
    is_pinned: bool = False
    reason: str | None = None
    """Why it was rejected, or why it is not accepted yet."""
    evidence: tuple[bytes, ...] = ()
    """The drawers that it stands on; it is forgotten with any of them."""
    alike: tuple[bytes, ...] = ()
    """Memories that say something similar."""
    contradicts: tuple[bytes, ...] = ()
    """Memories that say otherwise, whether or not it is decided which of them holds."""
    expires_at: datetime | None = None
    updated_at: datetime | None = None
    """When anything but its text changed last; None means now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """A memory: the drawer with its text, what it stands on, and how it was used."""

    drawer: Drawer
    type: MemoryType
    state: MemoryState
    origin: MemoryOrigin
    maker: MemoryMaker
    importance: float
    """In [0, 1]."""
    confidence: float
    """In [0, 1]; use raises it, contradiction lowers it."""
    is_pinned: bool
    """Whether it neither expires nor fades."""
    reason: str | None
    """Why it was rejected, or why it is not accepted yet."""
    evidence: tuple[Pointer, ...]
    """The drawers that it stands on, in order."""
    alike: tuple[Pointer, ...]
    contradicts: tuple[Pointer, ...]
    """Memories that say otherwise."""
    expires_at: datetime | None
    updated_at: datetime
    injected_count: int
    """How often it was put into a request."""
    used_count: int
    """How often the reply used it."""
    corrected_count: int
    """How often the person contradicted it afterwards."""
    used_at: datetime | None
    """When it was last put into a request."""

    @property
    def id(self) -> Pointer:
        """The pointer of its drawer."""
        return self.drawer.pointer

    @property
    def content(self) -> str:
        """Its text."""
        return self.drawer.content

    @property
    def project(self) -> str:
        """The name of its wing."""
        return self.drawer.wing_name

    @property
    def created_at(self) -> datetime:
        """When this version was filed."""
        return self.drawer.filed_at

    @property
    def superseded_by(self) -> Pointer | None:
        """The newer version or the memory that took its place."""
        return self.drawer.replaced_by

    def is_expired(self, now: datetime) -> bool:
        """Check whether it was accepted and has expired."""
        return self.state is MemoryState.ACCEPTED and self.expires_at is not None and self.expires_at <= now

    def is_active(self, now: datetime) -> bool:
        """Check whether recall returns it: accepted, current, and not expired."""
        is_current = self.state is MemoryState.ACCEPTED and self.drawer.replaced_at is None
        return is_current and not self.is_expired(now)


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two memories that contradict each other; a person decides which holds."""

    older: Memory
    newer: Memory


@dataclass(frozen=True, slots=True)
class SweepSummary:
    """What a sweep changed; `accept` or `pin` bring back what it let expire."""

    expired: int
    """Memories that expired by their age, or because they had faded."""
    over_quota: int
    """The least useful ones that expired because there were too many of their type."""
    faded: int
    """Memories whose importance was halved."""


@dataclass(frozen=True, slots=True)
class Impact:
    """A drawer, how often it was put into requests, and what came of it."""

    drawer: Drawer
    memory: Memory | None
    """The memory that it states; None for any other drawer."""
    injected_count: int
    used_count: int
    """How often the reply used it."""
    corrected_count: int
    """How often the person said otherwise next."""
    used_at: datetime
    """When it was last put into a request."""


@dataclass(frozen=True, slots=True)
class HandOvers:
    """Counts of what hooks added before and after tool calls of agents on this machine, in one week and project."""

    week: date
    """Its Monday."""
    wing: str
    """The name of the project's wing; "" if it is gone."""
    count: int
    used: int
    """How many of them have words or another file that appear in the rest of the session."""
    tokens: int
    """Estimated tokens of their texts."""
    milliseconds: float
    """Time that the agents waited for them in all."""


@dataclass(frozen=True, slots=True)
class MadeMemories:
    """The result of making memories of conversations."""

    conversations: int
    """Conversations that were read."""
    drawers: int
    """Their messages that were read."""
    memories: tuple[Memory, ...] = ()
    """The new memories, and new versions of known ones, in order; those that wait for a person included."""
    proposed: int = 0
    """How many of them a person has to accept first."""
    run_id: int | None = None
    """The run that filed them, which can be undone; None where nothing was to be filed."""
    warnings: tuple[str, ...] = ()
    """Why not everything was read by the model of the settings, one line each."""


@dataclass(frozen=True, slots=True)
class RetrievedMemory:
    """A memory that answers a question."""

    memory: Memory
    score: float
    """The probability that it answers; for an embedding model without a calibration, the score of its rank."""
