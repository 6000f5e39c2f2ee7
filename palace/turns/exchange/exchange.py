"""An exchange: what a person said and what was said to it, as it is filed. Pure.

Each message has the key of all that was said up to it as its id: filed again, it is the same message.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import blake2b
from typing import Any

from palace.text.blocks import without_blocks
from palace.turns.chat.messages import Message, plain_json, read_message, text_in
from palace.turns.exchange.changing import changed

VERSION = 1
_ROLES = {"user": "user", "human": "user", "assistant": "assistant", "model": "assistant", "tool": "tool"}
_ROLES |= {"function": "function"}
_MEDIA = ("image", "audio", "video", "file", "document")
_NAMED = ("type", "filename", "file_name", "title", "name")
_CALLING = ("tool_calls", "function_call")
_SAID = ("content", *_CALLING)
_KEPT = (*_CALLING, "tool_call_id", "name")


@dataclass(frozen=True, slots=True)
class Exchange:
    """What is filed of one turn."""

    conversation: str
    """What its conversation is known by: the program's session, or how the conversation begins."""
    messages: tuple[dict[str, Any], ...]
    wing: str | None = None
    """Where a new conversation is filed, where the program says so."""

    def written(self) -> str:
        """Write it as one line of JSON."""
        told = {"v": VERSION, "conversation": self.conversation, "wing": self.wing, "messages": self.messages}
        return json.dumps(told, ensure_ascii=True, separators=(",", ":"))

    def with_texts(self, change: Callable[[str], str]) -> Exchange:
        """Give it with each text that was said, or handed to a tool, changed; a value also for what it is called."""
        said = (
            {name: changed(value, change) if name in _SAID else value for name, value in message.items()}
            for message in self.messages
        )
        return replace(self, messages=tuple(said))

    @classmethod
    def read(cls, line: str) -> Exchange:
        """Read such a line.

        Raises:
            ValueError: it is none.
        """
        told = json.loads(line)
        if not isinstance(told, dict) or told.get("v") != VERSION:
            raise ValueError("no exchange of this version")
        conversation, messages, wing = told.get("conversation"), told.get("messages"), told.get("wing")
        if not (isinstance(conversation, str) and conversation and isinstance(messages, list) and messages):
            raise ValueError("no exchange")
        if not all(isinstance(each, dict) for each in messages) or not isinstance(wing, str | None):
            raise ValueError("no exchange")
        return cls(conversation, tuple(messages), wing)


def filed_form(message: Message, key: bytes, said_at: datetime, speaker: str | None = None) -> dict[str, Any] | None:
    """Write a message as it is filed; None of one that nobody said, or in which nothing is said.

    A block of ours is left out, wherever it stands. Of images and other media the kind and the name are kept. A role
    that nobody knows is an assistant's, under its own name.
    """
    if message.is_instructing or not message.shape:
        return None
    role = message.shape.get("role")
    form: dict[str, Any] = {
        "role": _ROLES.get(str(role), "assistant"),
        "content": _content(message.shape.get("content")),
    }
    form |= {name: message.shape[name] for name in _KEPT if message.shape.get(name)}
    if str(role) not in _ROLES:
        form["name"] = str(form.get("name") or role or "unknown")[:200]
    elif speaker and form["role"] == "assistant":
        form.setdefault("name", speaker)
    if not form["content"] and not any(form.get(name) for name in _CALLING):
        return None
    form |= {"id": key.hex(), "created_at": said_at.isoformat()}
    plain: dict[str, Any] = json.loads(plain_json(form))
    return plain


def replies_of(reply: object) -> tuple[Message, ...]:
    """Read what a model replied: a text, a message, several of them, or an API's whole answer.

    Raises:
        ValueError: it is none of these.
    """
    if reply is None or reply == "":
        return ()
    if isinstance(reply, str):
        return (read_message({"role": "assistant", "content": reply}),)
    if isinstance(reply, (list, tuple)):
        return tuple(message for each in reply for message in replies_of(each))
    choices = reply.get("choices") if isinstance(reply, Mapping) else getattr(reply, "choices", None)
    if isinstance(choices, (list, tuple)) and choices:
        first = choices[0]
        return replies_of(first.get("message") if isinstance(first, Mapping) else getattr(first, "message", None))
    message = read_message(reply)
    if not message.shape.get("role") and not message.shape.get("content"):
        raise ValueError(f"a reply must be a text or a message, not {type(reply).__name__}")
    return (message if message.shape.get("role") else read_message({**message.shape, "role": "assistant"}),)


def beginning_of(messages: Sequence[Message]) -> str | None:
    """Name a conversation by how it begins: the person's first words and the first words said to them.

    None while nothing was said to them.
    """
    first = next((message.text for message in messages if message.is_user), None)
    answer = next(
        (message.text for message in messages if message.shape.get("role") == "assistant" and message.text), None
    )
    if first is None or answer is None:
        return None
    told = blake2b(plain_json([first, answer.strip()]).encode(), digest_size=16, person=b"palace-begun")
    return f"turns-{told.hexdigest()}"


def _content(content: object) -> object:
    if isinstance(content, str):
        return without_blocks(content)
    if not isinstance(content, (list, tuple)):
        return content if isinstance(content, Mapping) else ""
    parts = [_part(part) for part in content]
    return [part for part in parts if part not in ("", {})]


def _part(part: object) -> object:
    if isinstance(part, str):
        return without_blocks(part)
    if not isinstance(part, Mapping):
        return ""
    kind = str(part.get("type", ""))
    if isinstance(part.get("text"), str):
        text = without_blocks(part["text"])
        return {**part, "text": text} if text else {}
    source = part.get("source")
    if isinstance(source, Mapping) and source.get("type") == "text":
        return part
    if any(each in kind for each in _MEDIA) and not text_in(part.get("content")):
        return {name: part[name] for name in _NAMED if isinstance(part.get(name), str)} | _inner_name(part, kind)
    return part


def _inner_name(part: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """Keep the name and the words that a part's own object has, without its data."""
    inner = part.get(kind)
    if not isinstance(inner, Mapping):
        return {}
    kept = {name: inner[name] for name in (*_NAMED, "transcript") if isinstance(inner.get(name), str)}
    return {kind: kept} if kept else {}
