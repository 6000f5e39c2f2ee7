"""Read the messages of a request, and compute the key of each. Pure.

A program sends the whole conversation with each request. The key of a message is a hash of the conversation up to and
including it, so it is the same in every request with the same beginning. System messages do not count, since programs
put clocks into them; nor do memory blocks.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from palace.errors import BadRequest
from palace.nlp.blocks import split_block

INSTRUCTING = frozenset({"system", "developer"})
KEY_SIZE = 16
DEEPEST = 60
"""Deepest nesting of a message's objects and lists; what is deeper, or contains itself, is cut off."""
_PERSONS = frozenset({"user", "human"})
_CUT = "…"
_MOST_BITS = 10_000
"""Bits of the largest integer that is written; Python refuses to print much larger ones."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message of a request."""

    given: Any
    """The program's object."""
    shape: Mapping[str, Any]
    """The message as a mapping, without its memory block; empty if it is no message."""
    carried: str = ""
    """The memory block that it came with."""

    @property
    def is_user(self) -> bool:
        """Return whether it is the person's message."""
        return self.shape.get("role") in _PERSONS

    @property
    def is_instructing(self) -> bool:
        """Return whether it is a system message, which is not part of the conversation."""
        return self.shape.get("role") in INSTRUCTING

    @property
    def is_block(self) -> bool:
        """Return whether it is nothing but a memory block."""
        return self.is_instructing and bool(self.carried) and not self.shape.get("content")

    @property
    def text(self) -> str:
        """Return its text, text parts joined by line breaks."""
        return text_in(self.shape.get("content"))

    @property
    def said(self) -> Any:
        """Return the message ready to send, without its memory block: the program's own object if it had none."""
        return dict(self.shape) if self.carried or isinstance(self.given, str) else self.given


def read_messages(history: Sequence[Any]) -> tuple[Message, ...]:
    """Read the messages of a request, oldest first: mappings, objects with ``model_dump``, or the person's strings.

    Anything else keeps its place as a message without text.

    Raises:
        BadRequest: the history is no sequence.
    """
    if isinstance(history, (str, bytes, Mapping)) or not isinstance(history, Sequence):
        raise BadRequest(f"a history must be a list of messages, not {type(history).__name__}")
    return tuple(map(read_message, history))


def read_message(given: Any) -> Message:
    """Read one message."""
    shape = _mapping(given)
    content = shape.get("content")
    if shape.get("role") not in _PERSONS | INSTRUCTING:
        return Message(given, shape)
    if isinstance(content, str):
        block, rest = split_block(content)
        return Message(given, {**shape, "content": rest}, block) if block else Message(given, shape)
    if isinstance(content, (list, tuple)) and content:
        block, rest = split_block(text_of_part(content[0]))
        if block and not rest:
            return Message(given, {**shape, "content": list(content[1:])}, block)
    return Message(given, shape)


def text_in(content: object) -> str:
    """Return the text of a message's content, text parts joined by line breaks."""
    if isinstance(content, str):
        return content
    if not isinstance(content, (list, tuple)):
        return ""
    return "\n".join(text for part in content if (text := text_of_part(part)))


def keys_of(messages: Sequence[Message], *, start: bytes = b"") -> list[bytes]:
    """Return a chained key of each message, in order; a system message has the key of the message before it."""
    key = _hash(start)
    keys = []
    for message in messages:
        if not message.is_instructing and not message.is_block:
            key = _hash(key + _counted(message.shape))
        keys.append(key)
    return keys


def plain_json(value: object) -> str:
    """Write any value as canonical JSON: equal values give equal text."""
    return json.dumps(_plain(value, ()), ensure_ascii=True, sort_keys=True, separators=(",", ":"))


def _hash(data: bytes) -> bytes:
    return blake2b(data, digest_size=KEY_SIZE, person=b"palace-turn").digest()


def _counted(shape: Mapping[str, Any]) -> bytes:
    """Write the parts of a message that enter its key: role, content, calls, the call it answers, and name."""
    calls = shape.get("tool_calls")
    counted = [
        shape.get("role"),
        _joined(shape.get("content")),
        [_call(call) for call in calls] if isinstance(calls, (list, tuple)) else [],
        shape.get("function_call"),
        shape.get("tool_call_id"),
        shape.get("name"),
    ]
    return plain_json(counted).encode()


def _joined(content: object) -> object:
    """Return text parts as one string, because programs convert one form into the other."""
    if not content:
        return ""
    if isinstance(content, (list, tuple)) and all(_is_text(part) for part in content):
        return "\n".join(part if isinstance(part, str) else part["text"] for part in content)
    return content


def _is_text(part: object) -> bool:
    return isinstance(part, str) or (isinstance(part, Mapping) and isinstance(part.get("text"), str) and len(part) <= 2)


def _call(call: object) -> object:
    function = call.get("function") if isinstance(call, Mapping) else None
    if not isinstance(call, Mapping) or not isinstance(function, Mapping):
        return call
    return [call.get("id"), function.get("name"), function.get("arguments")]


def _plain(value: object, above: tuple[int, ...]) -> object:
    """Return a value in JSON types, with string keys; too deep, circular or huge values are cut."""
    if value is None or isinstance(value, (str, bool, float)):
        return value
    if isinstance(value, int):
        return value if value.bit_length() < _MOST_BITS else _CUT
    if len(above) >= DEEPEST or id(value) in above:
        return _CUT
    within = (*above, id(value))
    if isinstance(value, Mapping):
        named = ((key, each) for key, each in value.items() if isinstance(key, str | int | float | None))
        return {_key(key): _plain(each, within) for key, each in named}
    if isinstance(value, (list, tuple)):
        return [_plain(each, within) for each in value]
    return _plain(_dumped(value), within)


def _key(key: Any) -> str:
    if isinstance(key, str):
        return key
    return _CUT if key is not None and _plain(key, ()) == _CUT else json.dumps(key)


def text_of_part(part: object) -> str:
    """Return the text of one content part, or "" if it has none."""
    if isinstance(part, str):
        return part
    text = part.get("text") if isinstance(part, Mapping) else None
    return text if isinstance(text, str) else ""


def _mapping(given: Any) -> Mapping[str, Any]:
    if isinstance(given, str):
        return {"role": "user", "content": given}
    shape = given if isinstance(given, Mapping) else _dumped(given)
    if not isinstance(shape, Mapping):
        return {}
    # A role that is no string is dropped.
    if isinstance(shape.get("role"), str | None):
        return shape
    return {name: value for name, value in shape.items() if name != "role"}


def _dumped(value: object) -> object:
    try:
        dump = None if isinstance(value, type) else getattr(value, "model_dump", None)
        if callable(dump):
            return dump(exclude_none=True)
    except Exception:  # noqa: BLE001 — a class of the program's own raises what it likes
        return type(value).__name__
    return str(value) if isinstance(value, bytes) else type(value).__name__
