"""The output of readers: conversations and their turns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

Kinds = tuple[tuple[str, int], ...]
"""Numbers of removed secrets by kind: ``(("password", 2),)``."""


class Role(StrEnum):
    """The author of a turn. ``tool`` covers calls of tools and their results."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a conversation, verbatim."""

    role: Role
    content: str
    speaker: str | None = None
    """A name, where the source has one ("Caroline"); None where the role is enough."""
    said_at: datetime | None = None
    source_id: str | None = None
    """The message's own id in its source, stable across exports."""
    said_offset: int | None = None
    """Offset from UTC, in minutes east, of the time in the source; None where it named no zone."""
    answers: str | None = None
    """Id of the message in the same conversation that it replies to, where the source says so (a thread)."""
    replaced_by: str | None = None
    """Id of the message that replaced it in the source: a later wording, a regenerated answer."""


class Slicing(StrEnum):
    """How a conversation is split into rooms."""

    WHOLE = "whole"
    BY_DAY = "by_day"


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation from a reader."""

    reader: str
    """Short name of the reader ("chatgpt", "claude-code")."""
    turns: tuple[Turn, ...]
    source_id: str | None = None
    """The conversation's own id in its source; None where it has none."""
    title: str | None = None
    project: str | None = None
    """The source's own name of the subject (a project, a workspace); becomes the wing."""
    folder: str | None = None
    """Absolute path of the working folder; the wing of its project takes precedence over one named after the path."""
    folder_hash: str | None = None
    """SHA-256 of the path of the working folder, in hexadecimal, where the source has no more than that."""
    repository: str = ""
    """The key of the repository it is about (``palace.projects``), where the source names it."""
    started_at: datetime | None = None
    """Start time, where the source has one apart from those of the turns."""
    place: str = ""
    """Where it is in the file ("conversation 3"), for messages."""
    slicing: Slicing = Slicing.WHOLE
    turn_ids_are_global: bool = False
    """Whether turn ids are unique across conversations: an id in another conversation is the same turn."""
    whole_text: str | None = None
    """The whole text of the file, where an earlier version filed such a file as one note."""
    carried: Mapping[int, int] = field(default_factory=dict, compare=False)
    """Indices of turns that are quoted by others (a mail below a reply), with the index of the quoting turn."""
    warnings: tuple[str, ...] = ()
    """What the reader repaired or left out, one short line each."""
    is_partial: bool = False
    """Whether some messages could not be read: missing ones are not deleted in the source."""
    messages: tuple[int, ...] = field(default=(), compare=False)
    """For each turn, the number of its message in the source, from 1; 0 where the reader does not tell."""
