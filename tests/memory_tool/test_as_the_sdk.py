"""The memory tool answers as the SDK's own one on a file system does, whatever is asked of the two."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from anthropic.lib.tools import BetaAbstractMemoryTool, ToolError
from anthropic.lib.tools._beta_builtin_memory_tool import BetaLocalFilesystemMemoryTool
from hypothesis import given, settings
from hypothesis import strategies as st

from palace import Palace, Palaces
from palace.api.memory_tool import PalaceMemoryTool

NAMES = st.sampled_from(["a", "b", "ä.md", ".hidden", "..", ".", ""])
PATHS = st.one_of(
    st.lists(NAMES, max_size=4).map(lambda names: "/".join(["/memories", *names])),
    st.sampled_from(["/memories/a", "/memories/b/a", "/memories/b/a/b/a", "/etc/passwd", "memories/a"]),
)
TEXTS = st.text(alphabet="ab \n\r\tß", max_size=12)
LINES = st.integers(-2, 6)


def command(name: str, **fields: Any) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({"command": st.just(name), **fields})


COMMANDS = st.one_of(
    command("view", path=PATHS),
    command("view", path=PATHS, view_range=st.tuples(LINES, LINES).map(list)),
    command("create", path=PATHS, file_text=TEXTS),
    command("create", path=PATHS, file_text=TEXTS),
    command("str_replace", path=PATHS, old_str=st.text(alphabet="ab\n", max_size=2), new_str=TEXTS),
    command("insert", path=PATHS, insert_line=LINES, insert_text=TEXTS),
    command("delete", path=PATHS),
    command("rename", old_path=PATHS, new_path=PATHS),
)


def answer(tool: BetaAbstractMemoryTool, asked: dict[str, Any]) -> str:
    """Return a tool's text, or its error; what the SDK's tool does not catch of the file system is any error."""
    try:
        text = str(tool.call(asked))
    except ToolError as problem:
        return f"error: {problem}"
    except OSError:
        return "error"
    # Directories have other sizes on each file system.
    return re.sub(rf"(?m)^\S+\t((?:/.*/)|{re.escape(asked.get('path', '-'))})$", r"4K\t\1", text)


def without_empty_folders(root: Path) -> None:
    """Remove folders without files: a palace has none."""
    for folder in sorted((each for each in root.rglob("*") if each.is_dir()), reverse=True):
        if not any(folder.iterdir()):
            folder.rmdir()


def compare(palace: Palace, commands: list[dict[str, Any]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        theirs, ours = BetaLocalFilesystemMemoryTool(folder), PalaceMemoryTool(palace)
        for asked in [*commands, {"command": "view", "path": "/memories"}]:
            expected, got = answer(theirs, asked), answer(ours, asked)
            without_empty_folders(theirs.memory_root)
            assert got == expected or (expected == "error" and got.startswith("error: ")), asked


@settings(max_examples=10, derandomize=True)
@given(st.lists(COMMANDS, min_size=2, max_size=10))
def test_any_commands_are_answered_as_by_the_sdks_file_system(palaces: Palaces, commands: list[dict[str, Any]]) -> None:
    compare(palaces.palace(f"user-{uuid4()}"), commands)


@pytest.mark.nightly
@given(st.lists(COMMANDS, min_size=5, max_size=30))
def test_long_runs_of_commands_are_answered_as_by_the_sdks_file_system(
    palaces: Palaces, commands: list[dict[str, Any]]
) -> None:
    compare(palaces.palace(f"user-{uuid4()}"), commands)


def test_a_life_of_files_is_answered_as_by_the_sdks_file_system(palace: Palace) -> None:
    notes, moved = "/memories/crew/notes.md", "/memories/old/crew/notes.md"
    compare(
        palace,
        [
            {"command": "create", "path": notes, "file_text": "Mara: welder\nDerek: pilot\n\nRao: cook\n"},
            {"command": "create", "path": notes, "file_text": "again"},
            {"command": "create", "path": f"{notes}/below", "file_text": "a file is no directory"},
            {"command": "create", "path": "/memories/empty", "file_text": ""},
            {"command": "create", "path": "/memories/crew/.draft", "file_text": "x" * 3000},
            {"command": "create", "path": "/memories/a/b/c/d", "file_text": "x" * 1536},
            {"command": "view", "path": "/memories"},
            {"command": "view", "path": "/memories/crew/"},
            {"command": "view", "path": "/memories/crew/.draft"},
            {"command": "view", "path": notes, "view_range": [2, 3]},
            {"command": "view", "path": notes, "view_range": [3, -1]},
            {
                "command": "str_replace",
                "path": notes,
                "old_str": "Derek: pilot",
                "new_str": "Derek: diver\nAmal: pilot",
            },
            {"command": "str_replace", "path": notes, "old_str": "r: ", "new_str": ""},
            {"command": "str_replace", "path": notes, "old_str": "nobody", "new_str": ""},
            {"command": "str_replace", "path": "/memories/crew", "old_str": "a", "new_str": "b"},
            {"command": "str_replace", "path": "/memories/empty", "old_str": "", "new_str": "no longer"},
            {"command": "insert", "path": notes, "insert_line": 1, "insert_text": "Ines: doctor\n"},
            {"command": "insert", "path": notes, "insert_line": 99, "insert_text": "far"},
            {"command": "view", "path": notes},
            {"command": "rename", "old_path": "/memories/crew", "new_path": "/memories/crew/inside"},
            {"command": "rename", "old_path": "/memories/crew", "new_path": "/memories/old/crew"},
            {"command": "rename", "old_path": "/memories/empty", "new_path": moved},
            {"command": "rename", "old_path": "/memories", "new_path": "/memories/x"},
            {"command": "view", "path": moved},
            {"command": "view", "path": notes},
            {"command": "delete", "path": "/memories/a/b"},
            {"command": "delete", "path": "/memories/a/b"},
            {"command": "delete", "path": "/memories"},
            {"command": "view", "path": "/memories/../etc/passwd"},
        ],
    )
