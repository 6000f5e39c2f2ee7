"""Cuts a long drawer down to what surrounds its best passage."""

from __future__ import annotations

from typing import NamedTuple

from palace.records import Span
from palace_cli.render.visible import one_line

ELLIPSIS = "…"


class Excerpt(NamedTuple):
    """A passage in its context; joined, the three parts read as one line."""

    before: str
    passage: str
    after: str


def excerpt(content: str, passage: Span, *, limit: int) -> Excerpt:
    """Keep at most ``limit`` characters, the passage before its surroundings.

    What the passage leaves goes to both sides evenly. Cuts fall between words and show as "…", which is not
    counted.
    """
    parts = content[: passage.start], content[passage.start : passage.end], content[passage.end :]
    before, said, after = (one_line(part) for part in parts)
    room = max(limit - len(said), 0)
    behind = max(room // 2, room - len(after))
    shown_before = _tail(before, behind)
    ahead = room - min(len(before), behind)
    return Excerpt(shown_before, _head(said, limit), "" if len(said) > limit else _head(after, ahead))


def preview(content: str, *, limit: int) -> str:
    """Show how a text begins, on one line of at most ``limit`` characters and "…"."""
    return _head(one_line(content.strip()), limit)


def _head(text: str, room: int) -> str:
    if len(text) <= room:
        return text
    kept = text[:room]
    at_word_end = text[room] == " " or " " not in kept
    return (kept if at_word_end else kept.rpartition(" ")[0]).rstrip() + ELLIPSIS


def _tail(text: str, room: int) -> str:
    return _head(text[::-1], room)[::-1]
