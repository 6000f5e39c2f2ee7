"""Messages with what they need, as their files have them: one JSON object a line."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from palace.errors import BadRequest


@dataclass(frozen=True, slots=True)
class Labelled:
    """One message, and whether it needs memory."""

    message: str
    history: tuple[Any, ...]
    """The messages before it, oldest first."""
    needs_memory: bool
    kind: str
    """What sort of message it is ("own", "greeting", "code"), to group by."""
    language: str = "?"
    known: tuple[str, ...] = ()
    """Names that the palace is taken to know."""


def read_messages(path: Path) -> tuple[Labelled, ...]:
    """Read a file of labelled messages.

    Raises:
        BadRequest: there is no such file, it has no messages, or a line is not what it should be.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        raise BadRequest(f"{path} cannot be read: {problem}") from problem
    messages = tuple(_messages(path, lines))
    if not messages:
        raise BadRequest(f"{path} has no messages")
    return messages


def _messages(path: Path, lines: list[str]) -> Iterator[Labelled]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
            message, needs = found["message"], found["needs_memory"]
        except (ValueError, KeyError, TypeError) as problem:
            raise BadRequest(f"{path}, line {number}: {problem!r}") from problem
        if not isinstance(message, str) or not isinstance(needs, bool):
            raise BadRequest(f"{path}, line {number}: message is a text and needs_memory true or false")
        yield Labelled(
            message,
            tuple(found.get("history") or ()),
            needs,
            str(found.get("kind", "?")),
            str(found.get("language", "?")),
            tuple(found.get("known") or ()),
        )


def sha256_of(path: Path) -> str:
    """Hash a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
