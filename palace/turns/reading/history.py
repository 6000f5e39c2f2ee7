"""The messages before the one at hand, read from whatever a program keeps them in. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

MOST_READ = 40
"""Messages at the end of a history that are looked at."""
MOST_PARTS = 100
"""Parts of one message that are looked at."""

History = Sequence[Any]
"""Messages, oldest first: strings (of the person), mappings with ``role`` and ``content`` as an API of chats takes
them, or anything with attributes of these names, as `palace.records.Turn`. What is none of these is passed over."""


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a history."""

    is_person: bool
    """Whether the person said it; else an assistant."""
    text: str


def read_history(history: History | None) -> tuple[Said, ...]:
    """Read the last 40 messages of a history, oldest first; system messages, tools and unknown roles are left out.

    Of a message in parts the text parts count, joined by line breaks.
    """
    if not history or isinstance(history, (str, bytes, Mapping)):
        return ()
    read = (_said(message) for message in history[-MOST_READ:])
    return tuple(said for said in read if said is not None and said.text.strip())


def said_by_person(history: History | None, most: int) -> tuple[str, ...]:
    """List the last messages of the person, oldest first, at most so many."""
    said = [each.text for each in read_history(history) if each.is_person]
    return tuple(said[-most:]) if most > 0 else ()


def _said(message: object) -> Said | None:
    if isinstance(message, str):
        return Said(True, message)
    if isinstance(message, Mapping):
        role, content = message.get("role"), message.get("content")
    else:
        role, content = getattr(message, "role", None), getattr(message, "content", None)
    if role not in ("user", "human", "assistant", "model"):
        return None
    return Said(role in ("user", "human"), text_of(content))


def text_of(content: object) -> str:
    """Give the text of a message's content: a string, or parts of which some are text; "" of anything else."""
    if isinstance(content, str):
        return content
    if not isinstance(content, Iterable) or isinstance(content, (bytes, Mapping)):
        return ""
    return "\n".join(filter(None, (_text_of_part(part) for part in islice(content, MOST_PARTS))))


def _text_of_part(part: object) -> str:
    if isinstance(part, str):
        return part
    text = part.get("text") if isinstance(part, Mapping) else None
    return text if isinstance(text, str) else ""
