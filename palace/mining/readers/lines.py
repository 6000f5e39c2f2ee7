"""Splits a text into lines with their offsets, and finds code fences, front matter and the title."""

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
    """Split a text at line feeds, or at carriage returns if it has no line feed (classic Mac OS).

    An unclosed code fence is ignored.
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
    """Replace carriage returns by line feeds in a text without line feeds; the length stays the same."""
    return beginning if "\n" in beginning else beginning.replace("\r", "\n")


def front_matter_end(lines: Sequence[Line]) -> int:
    """Return the index of the line after YAML front matter, or 0 without front matter."""
    if not lines or lines[0].text.rstrip() != "---":
        return 0
    rest = enumerate(islice(lines, 1, None), 1)
    return next((index for index, line in rest if line.text.rstrip() in ("---", "...")), -1) + 1


def find_title(lines: Sequence[Line]) -> str | None:
    """Return the title in the front matter, else the first heading, else None."""
    front = front_matter_end(lines)
    for pattern, part in ((_TITLE, lines[:front]), (_HEADING, lines[front:])):
        for line in part:
            found = pattern.fullmatch(line.text.strip()) if line.text.strip()[:1] in _TITLE_STARTS else None
            title = found[1].strip(" \t#\"'") if found else ""
            if title and not line.is_code:
                return title
    return None


def without_outer_breaks(text: str) -> str:
    """Remove line breaks, and only those, from both ends of a message."""
    return text.strip("\r\n")
