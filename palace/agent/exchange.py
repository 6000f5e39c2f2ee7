"""An exchange: the person's message and the replies to it, in the form that is filed. Pure.

The id of each message is its key, so filing it again changes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import blake2b
from typing import Any

from palace.agent.messages import Message, plain_json, read_message, text_in
from palace.models import Drawer
from palace.nlp.blocks import without_blocks

VERSION = 1
_ROLES = {"user": "user", "human": "user", "assistant": "assistant", "model": "assistant", "tool": "tool"}
_ROLES |= {"function": "function"}
_MEDIA = ("image", "audio", "video", "file", "document")
_NAMED = ("type", "filename", "file_name", "title", "name")
_CALLING = ("tool_calls", "function_call")
_SAID = ("content", *_CALLING)
_KEPT = (*_CALLING, "tool_call_id", "name")
_LONGEST = 2_000
"""Characters of a value that is checked for secrets together with its name; longer ones are checked alone."""

Change = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Shown:
    """What was put into a request, and what was said to it."""

    message: str
    reply: str
    drawers: tuple[Drawer, ...]
    """The drawers in the message's block."""
    before: tuple[int, ...] = ()
    """The ids of the drawers in the block of the message before."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """The messages of one turn to file."""

    conversation: str
    """The program's session, or a name derived from the beginning of the conversation."""
    messages: tuple[dict[str, Any], ...]
    wing: str | None = None
    """The wing of a new conversation, if the program sets one."""
    shown: Shown | None = field(default=None, compare=False, repr=False)
    """What was shown to the model; an exchange that waited in the outbox has none."""

    def written(self) -> str:
        """Return it as one line of JSON."""
        line = {"v": VERSION, "conversation": self.conversation, "wing": self.wing, "messages": self.messages}
        return json.dumps(line, ensure_ascii=True, separators=(",", ":"))

    def with_texts(self, change: Change) -> Exchange:
        """Return a copy with each message text and tool argument changed."""
        return replace(self, messages=tuple(with_changed_texts(message, change) for message in self.messages))

    @classmethod
    def read(cls, line: str) -> Exchange:
        """Read a line that ``written`` returned.

        Raises:
            ValueError: it is no exchange of this version.
        """
        fields = json.loads(line)
        if not isinstance(fields, dict) or fields.get("v") != VERSION:
            raise ValueError("no exchange of this version")
        conversation, messages, wing = fields.get("conversation"), fields.get("messages"), fields.get("wing")
        if not (isinstance(conversation, str) and conversation and isinstance(messages, list) and messages):
            raise ValueError("no exchange")
        if not all(isinstance(each, dict) for each in messages) or not isinstance(wing, str | None):
            raise ValueError("no exchange")
        return cls(conversation, tuple(messages), wing)


def with_changed_texts(message: Mapping[str, Any], change: Change) -> dict[str, Any]:
    """Return a message with its text and the arguments of its tool calls changed."""
    return {name: _changed(value, change) if name in _SAID else value for name, value in message.items()}


def filed_form(message: Message, key: bytes, said_at: datetime, speaker: str | None = None) -> dict[str, Any] | None:
    """Return a message in the form that is filed; None for a system message, or an empty one.

    Memory blocks are removed. Of images and other media only type and name are kept. An unknown role is filed as the
    assistant's, with the role as its name.
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
    """Read a model's reply: a text, a message, several of them, or an API's whole response.

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
    """Return a name for a conversation from its first message and first reply; None before there are both."""
    first = next((message.text for message in messages if message.is_user), None)
    answers = (message.text for message in messages if message.shape.get("role") == "assistant" and message.text)
    answer = next(answers, None)
    if first is None or answer is None:
        return None
    digest = blake2b(plain_json([first, answer.strip()]).encode(), digest_size=16, person=b"palace-begun")
    return f"turns-{digest.hexdigest()}"


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
        inner = part.get(kind)
        named = _texts(inner, (*_NAMED, "transcript")) if isinstance(inner, Mapping) else {}
        return _texts(part, _NAMED) | ({kind: named} if named else {})
    return part


def _texts(part: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: part[name] for name in names if isinstance(part.get(name), str)}


def _changed(value: Any, change: Change) -> Any:
    """Change the texts in a JSON value: each alone, each with its name, and all together.

    Secrets may be recognised only by their name or by neighbouring text.
    """
    if isinstance(value, str):
        return change(value)
    if (words := _words(value)) is not None:
        alone = [change(text) for text in words]
        together = change("\n".join(alone))
        if len(alone) != len(value) or together != "\n".join(alone):
            return together
        return [{**part, "text": text} for part, text in zip(value, alone, strict=True)]
    inner = _changed_inside(value, change)
    if not isinstance(inner, (dict, list)):
        return inner
    written = json.dumps(inner, ensure_ascii=False)
    now = change(written)
    return inner if now == written else _read_json(now, inner)


def _changed_inside(value: Any, change: Change) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {name: _changed_beside(name, _changed_inside(each, change), change) for name, each in value.items()}
    return [_changed_inside(each, change) for each in value] if isinstance(value, (list, tuple)) else value


def _changed_beside(name: str, value: Any, change: Change) -> Any:
    """Change a string or number together with its name."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)) or len(str(value)) > _LONGEST:
        return value
    lead = f"{json.dumps(name, ensure_ascii=False)}: "
    written = lead + json.dumps(value, ensure_ascii=False)
    now = change(written)
    if now == written:
        return value
    return _read_json(now[len(lead) :], now[len(lead) :]) if now.startswith(lead) else now


def _read_json(written: str, otherwise: Any) -> Any:
    try:
        return json.loads(written)
    except ValueError:
        return otherwise


def _words(value: Any) -> list[str] | None:
    """Return the texts of a list of plain text parts; None if there are other parts."""
    if not isinstance(value, list) or not all(isinstance(part, dict) for part in value):
        return None
    texts = [part.get("text") for part in value if part.keys() <= {"type", "text"}]
    return [text for text in texts if isinstance(text, str)] if len(texts) == len(value) else None
