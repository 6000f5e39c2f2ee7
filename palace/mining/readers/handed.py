"""A conversation that a program hands over as Python values, in the shape that chat APIs use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from palace.errors import BadRequest
from palace.mining.readers import openai
from palace.mining.readers.drafts.messages import Unreadable
from palace.mining.readers.json_records import Record
from palace.mining.readers.json_values import OddValue, dumped, plain
from palace.mining.readers.reading import Reading
from palace.records import Conversation, Turn

FILE = "messages"
"""What it is called in messages to a person."""


@dataclass(frozen=True, slots=True)
class HandedConversation:
    """Messages with what is known of their conversation; read as a file of the same messages is."""

    messages: tuple[dict[str, Any] | Unreadable, ...]
    id: str | None = None
    """The program's own name for it: known by it, it grows; without one it is known by what is said in it."""
    title: str | None = None
    origin: str = ""

    @property
    def file(self) -> str:
        """Name it in messages to a person."""
        return FILE

    @property
    def name(self) -> str:
        """Call it by its title."""
        return self.title or FILE

    @property
    def key(self) -> str:
        """Tell it from every other source; it is the only one of its mine."""
        return FILE

    def read(self, reading: Reading, /) -> Iterator[Conversation]:
        """Give the conversation."""
        record: dict[str, Any] = {"messages": list(self.messages)}
        if self.id is not None:
            record["id"] = self.id
        if self.title is not None:
            record["title"] = self.title
        return openai.read(iter([Record(record, 1)]), reading)


def messages_of(given: Sequence[object]) -> tuple[dict[str, Any] | Unreadable, ...]:
    """Take messages as a program has them: mappings, what ``model_dump`` makes one of, or ``Turn`` records.

    A message with something in it that no file could hold is unreadable; the others are read.

    Raises:
        BadRequest: they are no sequence, there is none, or one is something else.
    """
    if isinstance(given, (str, bytes, Mapping)) or not isinstance(given, Sequence):
        raise BadRequest(f"messages must be a list of messages, not {type(given).__name__}")
    if not given:
        raise BadRequest("there are no messages to file")
    return tuple(_message(number, message) for number, message in enumerate(given, 1))


def _message(number: int, given: object) -> dict[str, Any] | Unreadable:
    try:
        message = _plain_message(given)
    except OddValue as problem:
        return Unreadable(f"the message {problem}")
    if message is None:
        raise BadRequest(
            f"message {number} must be a mapping with a role and content, or a Turn, not {type(given).__name__}"
        )
    return message


def _plain_message(given: object) -> dict[str, Any] | None:
    try:
        value = _mapping(given)
        return None if value is None else dict(plain(value))
    except OddValue:
        raise
    except Exception as problem:  # the program's own classes raise what they like
        raise OddValue(f"cannot be read: {type(problem).__name__[:40]}") from problem


def _mapping(given: object) -> Mapping[Any, Any] | None:
    """Give a message as a mapping; None where it is none and makes none."""
    if isinstance(given, Turn):
        return _of_turn(given)
    if isinstance(given, Mapping):
        return given
    if isinstance(given, type) or not callable(getattr(given, "model_dump", None)):
        return None
    value = dumped(given)
    return value if isinstance(value, Mapping) else None


def _of_turn(turn: Turn) -> dict[str, Any]:
    told = {"role": turn.role, "content": turn.content, "name": turn.speaker, "created_at": turn.said_at}
    return {key: value for key, value in (*told.items(), ("id", turn.source_id)) if value is not None}
