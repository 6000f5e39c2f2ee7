"""A conversation passed by a program as Python values, in the format of chat APIs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, time
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from typing import Any
from uuid import UUID

from palace.errors import BadRequest
from palace.mining.drafts.draft import Unreadable
from palace.mining.files.reading import Reading, Record
from palace.mining.files.source import Source
from palace.mining.readers import openai
from palace.models import Conversation, Turn

FILE = "messages"
"""The name of such a source in messages."""
_ENDLESS = "is nested too deeply, or holds itself"


@dataclass(frozen=True, slots=True)
class InMemoryConversation(Source):
    """Messages and metadata of one conversation, read as a file with the same messages would be."""

    messages: tuple[dict[str, Any] | Unreadable, ...]
    id: str | None = None
    """The program's own id of the conversation, by which it can grow; without one it is matched by its content."""
    title: str | None = None
    origin: str = ""
    is_partial: bool = False
    """Whether messages filed before under the id stay, though they are not among these."""
    file: str = field(default=FILE, init=False)

    @property
    def name(self) -> str:  # type: ignore[override]
        """Title of the conversation."""
        return self.title or FILE

    @property
    def key(self) -> str:
        return FILE

    def read(self, reading: Reading, /) -> Iterator[Conversation]:
        about = {"id": self.id, "title": self.title, "messages": list(self.messages)}
        record = {key: value for key, value in about.items() if value is not None}
        for conversation in openai.read(iter([Record(record, 1)]), reading):
            yield replace(conversation, is_partial=conversation.is_partial or self.is_partial)


def messages_of(given: Sequence[object]) -> tuple[dict[str, Any] | Unreadable, ...]:
    """Convert a program's messages: mappings, objects with ``model_dump`` or ``Turn`` records.

    A message with a value that JSON cannot hold becomes an ``Unreadable``; the others are still read.

    Raises:
        BadRequest: ``given`` is no sequence, is empty, or holds anything else.
    """
    if isinstance(given, (str, bytes, Mapping)) or not isinstance(given, Sequence):
        raise BadRequest(f"messages must be a list of messages, not {type(given).__name__}")
    if not given:
        raise BadRequest("there are no messages to file")
    return tuple(_message(number, message) for number, message in enumerate(given, 1))


class _OddValue(ValueError):
    """A value that JSON cannot represent; the text completes a sentence about the message."""


def _message(number: int, given: object) -> dict[str, Any] | Unreadable:
    try:
        message = _mapping(given)
        plain = None if message is None else dict(_plain(message))
    except _OddValue as problem:
        return Unreadable(f"the message {problem}")
    except Exception as problem:  # noqa: BLE001
        # Classes of the calling program may raise anything.
        return Unreadable(f"the message cannot be read: {type(problem).__name__[:40]}")
    if plain is None:
        wanted = "a mapping with a role and content, or a Turn"
        raise BadRequest(f"message {number} must be {wanted}, not {type(given).__name__}")
    return plain


def _mapping(given: object) -> Mapping[Any, Any] | None:
    """Return a message as a mapping, or None if it is not one and cannot be converted."""
    if isinstance(given, Turn):
        fields = {"role": given.role, "content": given.content, "name": given.speaker, "created_at": given.said_at}
        return {key: value for key, value in (*fields.items(), ("id", given.source_id)) if value is not None}
    if isinstance(given, Mapping):
        return given
    if isinstance(given, type) or not callable(getattr(given, "model_dump", None)):
        return None
    value = _dumped(given)
    return value if isinstance(value, Mapping) else None


def _plain(value: object) -> Any:
    """Convert a value to plain JSON types.

    Datetimes and dates become ISO 8601 text; UUIDs, decimals and paths text; enum members their values; objects with
    ``model_dump`` what that returns.
    """
    try:
        return json.loads(json.dumps(value, default=_simpler))
    except _OddValue:
        raise
    except (RecursionError, ValueError) as problem:
        is_number = "digits" in str(problem)
        raise _OddValue("holds a number too long to be read" if is_number else _ENDLESS) from problem
    except TypeError as problem:
        raise _OddValue("has a key that JSON has no word for") from problem


def _simpler(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, date | time):
        return value.isoformat()
    return str(value) if isinstance(value, UUID | Decimal | PurePath) else _dumped(value)


def _dumped(value: object) -> object:
    """Return ``value.model_dump()``, as clients' message objects and pydantic models offer it."""
    dump = None if isinstance(value, type) else getattr(value, "model_dump", None)
    if not callable(dump):
        raise _OddValue(f"holds a value of type {type(value).__name__[:40]}, which JSON has no word for")
    return dump(mode="json", exclude_none=True)
