"""Text of messages as it may stand in a page: nothing in it is markup or acts on what shows it. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

# Controls but tab and line feed; marks that turn the direction of what follows, which could change how it reads.
_ACTING = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]")


def harmless(text: str) -> str:
    """Give a text with line ends as line feeds, and controls and marks of direction written as their numbers."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    return _ACTING.sub(lambda found: f"\\u{{{ord(found[0]):x}}}", lines)


_FENCES = re.compile(r"`{3,}")
_MARKUP = re.compile(
    r"[\\`*\[\]<{~$@^]"
    r"|(?<!\w)_+|_++(?!\w)"
    r"|&(?=#?\w{1,40};)|%(?=%)|=(?==)"
    r"|:(?=[^\s\d])|(?<=www)\."
    r"|(?:(?<=\s)|^)#(?=#*$)",
    re.IGNORECASE,
)
"""What can be markup within a line: CommonMark 0.31, GitHub's links and what editors add. Nothing that is escaped
begins a line, so that lists, quotations and rules cannot; a heading may end in number signs."""


class Plain(str):
    """Text that stands in a page as it is."""

    __slots__ = ()


def markdown_line(text: str) -> Plain:
    """Return a text on one line of Markdown, with what could be markup escaped."""
    return Plain(_MARKUP.sub(lambda found: "".join(f"\\{sign}" for sign in found[0]), " ".join(harmless(text).split())))


def fenced(text: str) -> Plain:
    """Return a text as a block of code in Markdown, where no markup of it counts."""
    content = harmless(text)
    fence = "`" * max([3, *(len(run) + 1 for run in _FENCES.findall(content))])
    return Plain(f"{fence}text\n{content}\n{fence}")


_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_ROW = re.compile(r"\s*(?:\||\+[-=+]|[\u2500-\u257f])")
"""A row of a table that begins with a bar, or a line of a frame."""
_RULE = re.compile(r"\s*\|?\s*:?-{3,}:?\s*(?:\|\s*:?-+:?\s*)+\|?\s*")
"""What stands below the head of a table (GitHub Flavored Markdown, section 4.10)."""


def in_parts(text: str) -> Iterator[tuple[str, bool]]:
    """Cut a text into parts, each with whether its letters line up; together they are the text."""
    part: list[str] = []
    was = False
    for line, lines_up in _lines(text.splitlines(keepends=True)):
        if part and lines_up != was:
            yield "".join(part), was
            part = []
        was = lines_up
        part.append(line)
    if part:
        yield "".join(part), was


def _lines(lines: list[str]) -> Iterator[tuple[str, bool]]:
    fence, in_table = "", False
    for place, line in enumerate(lines):
        opening = _FENCE.match(line)
        if fence:
            yield line, True
            if opening and opening[1].startswith(fence) and not line[opening.end() :].strip():
                fence = ""
            continue
        if opening:
            fence, in_table = opening[1], False
            yield line, True
            continue
        following = lines[place + 1] if place + 1 < len(lines) else ""
        in_table = "|" in line and (in_table or bool(_RULE.fullmatch(following.rstrip())))
        yield line, in_table or bool(_ROW.match(line))
