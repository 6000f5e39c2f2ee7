"""What readers give: conversations and their turns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

Kinds = tuple[tuple[str, int], ...]
"""How many secrets of each kind were taken out of something: ``(("password", 2),)``."""


class Role(StrEnum):
    """Who a turn is by. ``tool`` covers calls to tools and what they returned."""

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
    """A name, where the source gives one ("Caroline"); None where the role says it all."""
    said_at: datetime | None = None
    source_id: str | None = None
    """The message's own id in its source, stable across exports."""
    said_offset: int | None = None
    """Minutes east of UTC in which the source wrote the time; None where it named no zone."""
    answers: str | None = None
    """The id of the message of the same conversation that it answers, where the source says so (a thread)."""
    replaced_by: str | None = None
    """The id of the message that took its place in the source: a later wording, a regenerated answer."""


class Slicing(StrEnum):
    """How a conversation is cut into rooms."""

    WHOLE = "whole"
    BY_DAY = "by_day"


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation as a reader found it."""

    reader: str
    """Short name of the reader ("chatgpt", "claude-code")."""
    turns: tuple[Turn, ...]
    source_id: str | None = None
    """The conversation's own id in its source; None where it has none."""
    title: str | None = None
    project: str | None = None
    """The source's own name for what this is about (a project, a workspace); becomes the wing."""
    folder: str | None = None
    """Where on a machine it was held, as an absolute path: its project's wing goes before the one named after it."""
    folder_hash: str | None = None
    """SHA-256 of that folder's path, in hexadecimal, where the source tells nothing else of it."""
    repository: str = ""
    """The key of the repository that was worked in (``palace.projects``), where the source names it."""
    started_at: datetime | None = None
    """When it began, where the source says so apart from its turns."""
    place: str = ""
    """Where in the file it stands ("conversation 3"), for messages."""
    slicing: Slicing = Slicing.WHOLE
    turn_ids_are_global: bool = False
    """Turn ids are unique across conversations: a turn seen in another conversation is the same turn."""
    whole_text: str | None = None
    """The file's whole text, where an earlier version filed such a file as one note."""
    carried: Mapping[int, int] = field(default_factory=dict, compare=False)
    """Turns that another one only carries along (a mail below an answer), by place, with the place of that one."""
    warnings: tuple[str, ...] = ()
    """What the reader mended or left out, one short line each."""
    is_partial: bool = False
    """Some of its messages could not be read: what it lacks is not gone from its source."""
    messages: tuple[int, ...] = field(default=(), compare=False)
    """Of each turn, which message of the source it is a part of, counted from 1; 0 where the reader does not say."""
