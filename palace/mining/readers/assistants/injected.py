"""What coding assistants put around a person's words before a model reads them: told apart by its tags. Pure.

Each program writes its own. Only what stands in front of a text or behind it is taken off: whoever quotes such a tag
between words of their own has said it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from palace.mining.readers.fields import as_list, as_object

ATTACHED = "context that the program attached"
SUBAGENTS = "work of subagents"
SUMMARIES = "summaries of sessions that grew too long"
TOLD_BY_PROGRAM = "notices of the program"

_IMAGE_MARKS = re.compile(r"<image\b[^<>\n]{0,2000}>|</image>")


class Parted(NamedTuple):
    """A text without what a program put around it."""

    said: str
    """As it stands where nothing was taken off; else without the blank lines that parted it from that."""
    blocks: int
    """How many were taken off."""


class Tags:
    """The tags that one program writes around what it puts in front of a person's words or behind them."""

    def __init__(self, *names: str) -> None:
        """Know the tags of these names, written ``<name>…</name>``."""
        self._begin = re.compile(rf"\s*<({'|'.join(map(re.escape, names))})(?:\s[^<>\n]{{0,500}})?>")
        self._endings = tuple(f"</{name}>" for name in names)

    def part(self, text: str) -> Parted:
        """Take the blocks off both ends of a text; one that does not end is left as it is."""
        start, end, count = 0, len(text), 0
        while (begun := self._begin.match(text, start, end)) is not None:
            closing = f"</{begun[1]}>"
            found = text.find(closing, begun.end(), end)
            if found < 0:
                break
            start, count = found + len(closing), count + 1
        while (opened := self._last(text, start, end)) is not None:
            end, count = opened, count + 1
        return Parted(text[start:end].strip(), count) if count else Parted(text, 0)

    def _last(self, text: str, start: int, end: int) -> int | None:
        """Find where the block begins that a stretch of text ends with."""
        while end > start and text[end - 1].isspace():
            end -= 1
        closing = next((ending for ending in self._endings if text.endswith(ending, start, end)), None)
        if closing is None:
            return None
        name = closing[2:-1]
        opened = max(text.rfind(f"<{name}>", start, end), text.rfind(f"<{name} ", start, end))
        return opened if opened >= start else None


def part_content(content: object, part: Callable[[str], Parted], leave_out: Callable[[str, int], None]) -> object:
    """Take what was put around them off the texts of a message's content; what then says nothing is left out."""
    if isinstance(content, str):
        said, blocks = part(content)
        if blocks:
            leave_out(ATTACHED, blocks)
        return said
    if not isinstance(content, list):
        return content
    return [left for item in content for left in _part_item(item, part, leave_out)]


def _part_item(item: object, part: Callable[[str], Parted], leave_out: Callable[[str, int], None]) -> Iterable[Any]:
    text = item if isinstance(item, str) else as_object(item).get("text")
    if not isinstance(text, str):
        return [item]
    said, blocks = part(text)
    if blocks:
        leave_out(ATTACHED, blocks)
    if said == text:
        return [item]
    if not said:
        return []
    return [said if isinstance(item, str) else {**as_object(item), "text": said}]


def without_image_marks(content: object) -> object:
    """Leave out the tags that a program writes in front of a picture and behind it: the picture has its placeholder."""
    if not isinstance(content, list):
        return content
    return [part for part in as_list(content) if not _is_image_mark(as_object(part).get("text"))]


def _is_image_mark(text: object) -> bool:
    return isinstance(text, str) and _IMAGE_MARKS.fullmatch(text.strip()) is not None
