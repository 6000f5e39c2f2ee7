"""What a message is known by: everything that was said up to it. Pure.

A program sends the whole conversation with each request. The key of a message is a hash of it and of all that was said
before it, so it is the same in every request that holds the same beginning, and another as soon as anything differs.
System messages do not count: programs put clocks into them. Nor do blocks of ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any

from palace.turns.chat.messages import Message, plain_json

SIZE = 16


def keys_of(messages: Sequence[Message], *, start: bytes = b"") -> list[bytes]:
    """Give the key of each message, in order; that of a system message is the key of what was said before it."""
    return list(_keys(messages, start))


def _keys(messages: Sequence[Message], start: bytes) -> Iterator[bytes]:
    key = blake2b(start, digest_size=SIZE, person=b"palace-turn").digest()
    for message in messages:
        if not message.is_instructing and not message.is_block:
            key = blake2b(key + _written(message.shape), digest_size=SIZE, person=b"palace-turn").digest()
        yield key


def _written(shape: Mapping[str, Any]) -> bytes:
    """Write what counts of a message: who says it, what, what it calls and what it answers."""
    calls = shape.get("tool_calls")
    told = [
        shape.get("role"),
        _content(shape.get("content")),
        [_call(call) for call in calls] if isinstance(calls, (list, tuple)) else [],
        shape.get("function_call"),
        shape.get("tool_call_id"),
        shape.get("name"),
    ]
    return plain_json(told).encode()


def _content(content: object) -> object:
    """Give texts in parts as one text: programs turn the one into the other."""
    if not content:
        return ""
    if isinstance(content, (list, tuple)) and all(_is_text(part) for part in content):
        return "\n".join(part if isinstance(part, str) else part["text"] for part in content)
    return content


def _is_text(part: object) -> bool:
    return isinstance(part, str) or (isinstance(part, Mapping) and isinstance(part.get("text"), str) and len(part) <= 2)


def _call(call: object) -> object:
    if not isinstance(call, Mapping):
        return call
    function = call.get("function")
    if not isinstance(function, Mapping):
        return call
    return [call.get("id"), function.get("name"), function.get("arguments")]
