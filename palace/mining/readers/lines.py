"""The lines of a text and what is known of each: where it stands, whether it is inside a code fence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_LINE_OF_RETURNS = re.compile(r"[^\r]*\r|[^\r]+")
_FENCE = re.compile(r" {0,3}(`{3,}+|~{3,}+)([^`]*)$")
_TITLE_STARTS = ("#", "t", "T")
_HEADING = re.compile(r"#{1,6}[ \t]++(.*)")
_TITLE = re.compile(r"title:(.*)", re.IGNORECASE)


class Line(NamedTuple):
    """One line of a text."""

    text: str
    """Without its line break."""
    start: int
    end: int
    """Span in the whole text, line break included."""
    is_code: bool
    """Inside a fenced block, or one of its fences."""


def split_lines(text: str) -> list[Line]:
    """Cut a text at its line feeds; at its carriage returns where it has none, as old Macs ended lines.

    A fence that is never closed fences nothing.
    """
    ends = _LINE if "\n" in text else _LINE_OF_RETURNS
    found = [(match.start(), match.end(), match.group().rstrip("\r\n")) for match in ends.finditer(text)]
    code = _code_lines([line for _, _, line in found])
    return [Line(line, start, end, index in code) for index, (start, end, line) in enumerate(found)]


def _code_lines(lines: list[str]) -> set[int]:
    code: set[int] = set()
    opening: tuple[int, str] | None = None
    for index, line in enumerate(lines):
        fence = _FENCE.fullmatch(line)
        if fence is None:
            continue
        if opening is None:
            opening = index, fence[1]
        elif fence[1].startswith(opening[1]) and not fence[2].strip():
            code.update(range(opening[0], index + 1))
            opening = None
    return code


def with_line_feeds(beginning: str) -> str:
    """Return the beginning of a text with its lines ended by line feeds, to tell what it is; the length stays."""
    return beginning if "\n" in beginning else beginning.replace("\r", "\n")


def front_matter_end(lines: Sequence[Line]) -> int:
    """Return the index of the line after YAML front matter, 0 where a text has none."""
    if not lines or lines[0].text.rstrip() != "---":
        return 0
    rest = enumerate(islice(lines, 1, None), 1)
    return next((index for index, line in rest if line.text.rstrip() in ("---", "...")), -1) + 1


def find_title(lines: Sequence[Line]) -> str | None:
    """Find a title: that of the front matter, else the first heading."""
    front = front_matter_end(lines)
    for pattern, part in ((_TITLE, lines[:front]), (_HEADING, lines[front:])):
        for line in part:
            found = pattern.fullmatch(line.text.strip()) if line.text.strip()[:1] in _TITLE_STARTS else None
            title = found[1].strip(" \t#\"'") if found else ""
            if title and not line.is_code:
                return title
    return None


def without_outer_breaks(text: str) -> str:
    """Take off the line breaks that set a message off from the labels around it, and nothing else."""
    return text.strip("\r\n")
