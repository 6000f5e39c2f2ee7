"""What the reader tests share: a file written and read back through the same door that mining uses."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from palace.mining.readers.discovery.paths import list_sources
from palace.mining.readers.reading import Reading
from palace.mining.readers.registry import read_conversations
from palace.records import Conversation

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def as_bytes(content: object) -> bytes:
    if isinstance(content, bytes):
        return content
    if isinstance(content, str):
        return content.encode()
    return json.dumps(content).encode()


def told(path: Path) -> tuple[list[Conversation], Reading]:
    """Read everything a path offers, with one reading for all of it."""
    whole = Reading(path.name, NOW)
    found: list[Conversation] = []
    for source in list_sources(path):
        reading = Reading(source.file, NOW)
        found += read_conversations(source, reading)
        whole.left_out.update(reading.left_out)
        whole.failures.extend(reading.failures)
        whole.notices.extend(reading.notices)
    return found, whole


@pytest.fixture
def read_path() -> Callable[[Path], list[Conversation]]:
    """Read everything a path offers."""

    def read(path: Path) -> list[Conversation]:
        return [
            found for source in list_sources(path) for found in read_conversations(source, Reading(source.file, NOW))
        ]

    return read


@pytest.fixture
def read(tmp_path: Path, read_path: Callable[[Path], list[Conversation]]) -> Callable[..., list[Conversation]]:
    """Write a file (bytes and text as they are, anything else as JSON) and read it."""

    def read(content: object, name: str = "chat.json") -> list[Conversation]:
        path = tmp_path / name
        path.write_bytes(as_bytes(content))
        return read_path(path)

    return read


@pytest.fixture
def read_told(tmp_path: Path) -> Callable[..., tuple[list[Conversation], Reading]]:
    """Write a file and read it; give what was found, and what was told beside it."""

    def read(content: object, name: str = "chat.json") -> tuple[list[Conversation], Reading]:
        path = tmp_path / name
        path.write_bytes(as_bytes(content))
        return told(path)

    return read


@pytest.fixture
def read_lines(read: Callable[..., list[Conversation]]) -> Callable[..., list[Conversation]]:
    """Write values as JSON lines and read the file."""

    def read_lines(*values: object, end: str = "\n") -> list[Conversation]:
        return read("\n".join(json.dumps(value) for value in values) + end, "chat.jsonl")

    return read_lines


@pytest.fixture
def write_tree(tmp_path: Path) -> Callable[[dict[str, object]], Path]:
    """Write files below a new folder called "tree" and give the folder."""

    def write(files: dict[str, object]) -> Path:
        root = tmp_path / "tree"
        for name, content in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(as_bytes(content))
        return root

    return write
