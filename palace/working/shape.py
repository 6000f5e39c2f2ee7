"""What a message of a chat is: its role, what it calls for, what it answers, whether it is a block of ours. Pure."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from palace.errors import BadRequest
from palace.text.blocks import without_blocks

INSTRUCTING = frozenset({"system", "developer"})
"""Roles of those who tell the model what it is."""
BLOCKS = ("<memory_context", "<memories")
"""How what recall puts into a request begins."""

Called = tuple[str, Hashable]
"""What a call and its result have in common: its kind, and its id or its name."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One message of a history."""

    place: int
    """In the history that was given, from 0."""
    message: Any
    """As it is sent on: the very object that was given, unless calls had to be taken out of it."""
    shape: Mapping[str, Any]
    """The message as a mapping."""

    @property
    def role(self) -> object:
        """Whose it is; any other value than a known role is one of its own."""
        return self.shape.get("role")

    @property
    def is_user(self) -> bool:
        """Whether a history can begin with it."""
        return self.role == "user"

    @property
    def is_block(self) -> bool:
        """Whether it is what recall put into an earlier request."""
        content = self.shape.get("content")
        return self.instructs and isinstance(content, str) and content.lstrip().startswith(BLOCKS)

    @property
    def said(self) -> Mapping[str, Any]:
        """The message without the blocks of recall's that were put into it: nobody said those, and they come and go."""
        content = self.shape.get("content")
        if isinstance(content, str) and any(begin in content for begin in BLOCKS):
            return {**self.shape, "content": without_blocks(content)}
        if not isinstance(content, (list, tuple)) or not any(_has_block(part) for part in content):
            return self.shape
        parts = (_without_block(part) for part in content)
        return {**self.shape, "content": [part for part in parts if part is not None]}

    @property
    def is_pinned(self) -> bool:
        """Whether it stays whatever its age."""
        return self.instructs and not self.is_block

    @property
    def answers(self) -> Called | None:
        """Say which call it is the result of; None where it is no result."""
        if self.role == "tool":
            return "tool", _hashable(self.shape.get("tool_call_id"))
        return ("function", _hashable(self.shape.get("name"))) if self.role == "function" else None

    @property
    def calls(self) -> list[Called]:
        """List what it calls for."""
        if self.role != "assistant":
            return []
        called: list[Called] = [("tool", _id_of(call)) for call in tool_calls(self.shape)]
        function = self.shape.get("function_call")
        if isinstance(function, Mapping):
            called.append(("function", _hashable(function.get("name"))))
        return called

    @property
    def instructs(self) -> bool:
        """Whether it tells the model what it is, or what it knows."""
        return isinstance(self.role, str) and self.role in INSTRUCTING


def entries_of(history: Sequence[Any]) -> list[Entry]:
    """Read a history.

    Raises:
        BadRequest: it is no sequence, or a message in it is neither a mapping nor has ``model_dump``.
    """
    if isinstance(history, (str, bytes, Mapping)) or not isinstance(history, Sequence):
        raise BadRequest(f"a history must be a list of messages, not {type(history).__name__}")
    return [Entry(place, message, _mapping(place, message)) for place, message in enumerate(history)]


def tool_calls(shape: Mapping[str, Any]) -> list[Any]:
    """List the calls of a message as they stand in it; none where there is no list of them."""
    calls = shape.get("tool_calls")
    return list(calls) if isinstance(calls, (list, tuple)) else []


def without_calls(entry: Entry, unanswered: frozenset[Called]) -> Entry | None:
    """Take calls out of a message; None where it says nothing besides."""
    shape = dict(entry.shape)
    left = [call for call in tool_calls(shape) if ("tool", _id_of(call)) not in unanswered]
    if left:
        shape["tool_calls"] = left
    else:
        shape.pop("tool_calls", None)
    function = shape.get("function_call")
    if isinstance(function, Mapping) and ("function", _hashable(function.get("name"))) in unanswered:
        del shape["function_call"]
    says = shape.get("content") or left or shape.get("function_call")
    return Entry(entry.place, shape, shape) if says else None


def text_of(shape: Mapping[str, Any]) -> str:
    """Give what a message says in words; of parts the texts, joined by line breaks."""
    content = shape.get("content")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, (list, tuple)) else ()
    texts = (part.get("text") if isinstance(part, Mapping) else part for part in parts)
    return "\n".join(text for text in texts if isinstance(text, str) and text)


def _has_block(part: Any) -> bool:
    text = part.get("text") if isinstance(part, Mapping) else None
    return isinstance(text, str) and any(begin in text for begin in BLOCKS)


def _without_block(part: Any) -> Any:
    """Take a block out of a part; None of one that was nothing else."""
    if not _has_block(part):
        return part
    left = without_blocks(part["text"])
    return {**part, "text": left} if left else None


def _mapping(place: int, message: Any) -> Mapping[str, Any]:
    if isinstance(message, Mapping):
        return message
    dump = getattr(message, "model_dump", None)
    shape = dump(exclude_none=True) if callable(dump) and not isinstance(message, type) else None
    if not isinstance(shape, Mapping):
        raise BadRequest(f"message {place + 1} of the history must be a mapping, not {type(message).__name__}")
    return shape


def _id_of(call: Any) -> Hashable:
    return _hashable(call.get("id")) if isinstance(call, Mapping) else None


def _hashable(value: Any) -> Hashable:
    """Give an id as something to compare; one that is missing is compared like any other."""
    return value if isinstance(value, (str, int)) else None
