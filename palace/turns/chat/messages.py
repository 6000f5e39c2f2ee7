"""One message of a request, as a program has it and as it was said. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from palace.errors import BadRequest
from palace.text.blocks import part_block

INSTRUCTING = frozenset({"system", "developer"})
_PERSONS = frozenset({"user", "human"})
DEEPEST = 60
"""So many objects and lists of a message are read one in another; what is deeper, or holds itself, is cut off."""
_CUT = "…"
_MOST_BITS = 10_000
"""Of a number that is written; Python refuses those much longer."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message of a request."""

    given: Any
    """The very object of the program."""
    shape: Mapping[str, Any]
    """The message as a mapping, without a block of ours; empty of what is no message."""
    carried: str = ""
    """The block that it was given with."""

    @property
    def is_user(self) -> bool:
        """Whether a person says it."""
        return self.shape.get("role") in _PERSONS

    @property
    def is_instructing(self) -> bool:
        """Whether it tells the model what it is, or what it knows; nobody said it in the conversation."""
        return self.shape.get("role") in INSTRUCTING

    @property
    def is_block(self) -> bool:
        """Whether it is nothing but a block of ours."""
        return self.is_instructing and bool(self.carried) and not self.shape.get("content")

    @property
    def text(self) -> str:
        """What it says in words; of parts the texts, joined by line breaks."""
        return text_in(self.shape.get("content"))

    @property
    def said(self) -> Any:
        """The message as it was said, ready to send: the program's object unless it is a text, or carried a block."""
        return dict(self.shape) if self.carried or isinstance(self.given, str) else self.given


def read_messages(history: Sequence[Any]) -> tuple[Message, ...]:
    """Read the messages of a request, oldest first: mappings, objects with ``model_dump``, texts of the person.

    What is none of these stays where it is and says nothing.

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
        block, rest = part_block(content)
        return Message(given, {**shape, "content": rest}, block) if block else Message(given, shape)
    if isinstance(content, (list, tuple)) and content:
        block, rest = part_block(_text_of(content[0]))
        if block and not rest:
            return Message(given, {**shape, "content": list(content[1:])}, block)
    return Message(given, shape)


def text_in(content: object) -> str:
    """Give what a content says in words."""
    if isinstance(content, str):
        return content
    if not isinstance(content, (list, tuple)):
        return ""
    return "\n".join(text for part in content if (text := _text_of(part)))


def plain_json(value: object) -> str:
    """Write a value as JSON that is the same whenever the value is; of any value, however odd."""
    return json.dumps(_plain(value, ()), ensure_ascii=True, sort_keys=True, separators=(",", ":"))


def _plain(value: object, above: tuple[int, ...]) -> object:
    """Give a value in the types of JSON alone, with texts as keys, and an end."""
    if value is None or isinstance(value, (str, bool, float)):
        return value
    if isinstance(value, int):
        return value if value.bit_length() < _MOST_BITS else _CUT
    if len(above) >= DEEPEST or id(value) in above:
        return _CUT
    within = (*above, id(value))
    if isinstance(value, Mapping):
        return {_key(key): _plain(each, within) for key, each in value.items() if _is_key(key)}
    if isinstance(value, (list, tuple)):
        return [_plain(each, within) for each in value]
    return _plain(_dumped(value), within)


def _is_key(key: object) -> bool:
    return key is None or isinstance(key, (str, int, float))


def _key(key: Any) -> str:
    return (
        key if isinstance(key, str) else str(_CUT if key is not None and _plain(key, ()) == _CUT else json.dumps(key))
    )


def _text_of(part: object) -> str:
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
    # A role that is no text is none: nobody knows whose it is.
    if isinstance(shape.get("role"), str | None):
        return shape
    return {name: value for name, value in shape.items() if name != "role"}


def _dumped(value: object) -> object:
    """Give an object of the program's as JSON can hold it, nothing of its address in memory."""
    try:
        dump = None if isinstance(value, type) else getattr(value, "model_dump", None)
        if callable(dump):
            return dump(exclude_none=True)
    except Exception:  # noqa: BLE001 — a class of the program's own raises what it likes
        return type(value).__name__
    return str(value) if isinstance(value, bytes) else type(value).__name__
