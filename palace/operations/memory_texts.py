"""The texts that the memory tool of Anthropic's SDK answers with, for paths and texts. Pure.

They are those of ``BetaLocalFilesystemMemoryTool``, which the tests compare with.
"""

from __future__ import annotations

import posixpath
import unicodedata
from collections.abc import Mapping, Sequence

from palace.errors import BadRequest

ROOT = "/memories"
LONGEST_PATH = 1024
"""Bytes of a path in UTF-8."""
MOST_SEGMENTS = 20
SIZE_OF_DIRECTORY = 4096
"""Bytes that a listing shows for a directory, as most file systems have it."""
_WIDTH = 6
_AROUND = 2
"""Lines shown before and after a change."""


def resolve_path(path: str) -> str:
    """Return a path without ".", ".." and surplus slashes, in normal form C, as paths that look alike are one.

    Raises:
        BadRequest: it does not begin with /memories, leaves it, is too long, or has control characters.
    """
    if path != ROOT and not path.startswith(f"{ROOT}/"):
        raise BadRequest(f"Path must start with {ROOT}, got: {path}")
    resolved = posixpath.normpath(unicodedata.normalize("NFC", path))
    if resolved != ROOT and not resolved.startswith(f"{ROOT}/"):
        raise BadRequest(f"Path {path} would escape {ROOT} directory")
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in path):
        raise BadRequest("a path has no control characters")
    if len(resolved.encode()) > LONGEST_PATH or resolved.count("/") > MOST_SEGMENTS:
        raise BadRequest(f"a path has {LONGEST_PATH:,} bytes and {MOST_SEGMENTS} segments at most")
    return resolved


def show_directory(path: str, resolved: str, sizes: Mapping[str, int]) -> str:
    """List the files below a directory by their sizes, two levels deep, without hidden ones."""
    entries: dict[tuple[str, ...], str] = {}
    for file, size in sizes.items():
        parts = file.removeprefix(f"{resolved}/").split("/")
        for depth in range(1, min(len(parts), 2) + 1):
            if parts[depth - 1].startswith("."):
                break
            is_file = depth == len(parts)
            name = "/".join(parts[:depth])
            shown = f"{path}/{name}" if is_file else f"{path}/{name}/"
            entries[tuple(parts[:depth])] = f"{_size(size if is_file else SIZE_OF_DIRECTORY)}\t{shown}"
    header = f"Here're the files and directories up to 2 levels deep in {path}, excluding hidden items:"
    return "\n".join([header, f"{_size(SIZE_OF_DIRECTORY)}\t{path}", *(entries[key] for key in sorted(entries))])


def show_file(path: str, text: str, view_range: Sequence[int] | None) -> str:
    """Number the lines of a file, or those in a range of two numbers, where -1 is the last."""
    lines, first = text.split("\n"), 0
    if view_range is not None:
        first = max(1, view_range[0]) - 1
        lines = lines[first : len(lines) if view_range[1] == -1 else view_range[1]]
    return f"Here's the content of {path} with line numbers:\n" + _numbered(lines, first + 1)


def replace_once(path: str, text: str, old: str, new: str) -> str:
    """Replace a part of a text.

    Raises:
        BadRequest: it does not occur, or more than once.
    """
    count = text.count(old)
    if count == 0:
        raise BadRequest(f"No replacement was performed, old_str `{old}` did not appear verbatim in {path}.")
    if count > 1:
        lines, at = [], text.find(old)
        while at != -1:
            lines.append(str(text.count("\n", 0, at) + 1))
            at = text.find(old, at + 1)
        told = f"Multiple occurrences of old_str `{old}` in lines: {', '.join(lines)}"
        raise BadRequest(f"No replacement was performed. {told}. Please ensure it is unique")
    return text.replace(old, new)


def show_change(text: str, line: int) -> str:
    """Show a text around the line, counted from 0, where it was changed."""
    first = max(0, line - _AROUND)
    told = "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n"
    return told + _numbered(text.split("\n")[first : line + _AROUND + 1], first + 1)


def insert_lines(text: str, at: int, inserted: str) -> str:
    """Insert lines after so many lines of a text.

    Raises:
        BadRequest: it does not have so many.
    """
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if not 0 <= at <= len(lines):
        told = f"It should be within the range [0, {len(lines)}]."
        raise BadRequest(f"Invalid `insert_line` parameter: {at}. {told}")
    changed = "\n".join([*lines[:at], inserted.rstrip("\n"), *lines[at:]])
    return changed if changed.endswith("\n") else f"{changed}\n"


def _numbered(lines: Sequence[str], first: int) -> str:
    return "\n".join(f"{number:>{_WIDTH}}\t{line}" for number, line in enumerate(lines, first))


def _size(count: int) -> str:
    if count == 0:
        return "0B"
    power = min((count.bit_length() - 1) // 10, 3)
    size = count / 1024**power
    return f"{size:.0f}{'BKMG'[power]}" if size.is_integer() else f"{size:.1f}{'BKMG'[power]}"
