"""What the reader tests share: files written, and read through the one door that ``front`` is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from palace.models import Conversation
from tests.readers import front
from tests.readers.front import Read, ReadTold, Told, WriteTree, as_bytes


@pytest.fixture
def read_told(tmp_path: Path) -> ReadTold:
    """Write a file and read it; give what was found, and what was told beside it."""

    def read(content: object, name: str = "chat.json") -> tuple[list[Conversation], Told]:
        path = tmp_path / name
        path.write_bytes(as_bytes(content))
        return front.told(path)

    return read


@pytest.fixture
def read(read_told: ReadTold) -> Read:
    """Write a file (bytes and text as they are, anything else as JSON) and read it."""
    return lambda content, name="chat.json": read_told(content, name)[0]


@pytest.fixture
def read_lines(read: Read) -> Read:
    """Write values as JSON lines and read the file."""
    return lambda *values: read("".join(json.dumps(value) + "\n" for value in values), "chat.jsonl")


@pytest.fixture
def write_tree(tmp_path: Path) -> WriteTree:
    """Write files below a new folder called "tree" and give the folder."""

    def write(files: dict[str, object]) -> Path:
        root = tmp_path / "tree"
        for name, content in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(as_bytes(content))
        return root

    return write
