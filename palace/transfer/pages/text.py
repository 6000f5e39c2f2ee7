"""Escapes text of messages for pages, so that it is neither markup nor acts on the program that shows it. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

# Controls except tab and line feed; marks of direction, which could change how text reads.
_ACTING = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]")


def harmless(text: str) -> str:
    """Return a text with line feeds as line ends, and controls and marks of direction written as code points."""
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
"""Possible markup within a line: CommonMark 0.31, GitHub's links and extensions of editors. No escaped text begins a
line, so lists, quotations and rules are impossible; a heading may end in number signs."""


class Plain(str):
    """Text that is inserted into a page without escaping."""

    __slots__ = ()


def markdown_line(text: str) -> Plain:
    """Return a text on one line of Markdown, with what could be markup escaped."""
    return Plain(_MARKUP.sub(lambda found: "".join(f"\\{sign}" for sign in found[0]), " ".join(harmless(text).split())))


def fenced(text: str) -> Plain:
    """Return a text as a fenced code block in Markdown."""
    content = harmless(text)
    fence = "`" * max([3, *(len(run) + 1 for run in _FENCES.findall(content))])
    return Plain(f"{fence}text\n{content}\n{fence}")


_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_ROW = re.compile(r"\s*(?:\||\+[-=+]|[\u2500-\u257f])")
"""A table row that begins with a bar, or a line of a box."""
_RULE = re.compile(r"\s*\|?\s*:?-{3,}:?\s*(?:\|\s*:?-+:?\s*)+\|?\s*")
"""The line below the head of a table (GitHub Flavored Markdown, section 4.10)."""


def in_parts(text: str) -> Iterator[tuple[str, bool]]:
    """Split a text into parts, each with whether it needs a fixed-width font, as code and tables do."""
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
    for index, line in enumerate(lines):
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
        following = lines[index + 1] if index + 1 < len(lines) else ""
        in_table = "|" in line and (in_table or bool(_RULE.fullmatch(following.rstrip())))
        yield line, in_table or bool(_ROW.match(line))
