"""Views of a drawer: its place, speaker and time, and an excerpt of its text."""

from __future__ import annotations

from datetime import datetime
from math import ceil

from rich.cells import cell_len
from rich.text import Text

from palace.models import Drawer, Hit, Memory, Span
from palace.nlp.aaak import write_tags
from palace.recall.excerpt import focus_of, shown_lines, shown_span, word_pattern
from palace_cli.render.figures import ago, moment, secrets_of
from palace_cli.render.visible import one_line, visible
from palace_cli.styles import FOUND

ELLIPSIS = "…"

LINES = 4
"""Lines of the terminal for the excerpt of a long drawer, about."""

SHORT_LINES = 8
"""Lines for a drawer written in short lines, such as code or a list."""


def excerpt(hit: Hit, *, width: int) -> Text:
    """Return the part of a hit's drawer around its best sentence, in its own lines; the query's words are marked."""
    content = hit.drawer.content

    def cost(text: str) -> float:
        lines = [cell_len(line) for line in text.splitlines() if line.strip()]
        return max(sum(lines) / (LINES * width), sum(ceil(line / width) for line in lines) / SHORT_LINES)

    shown = shown_span(content, Span(0, len(content)), focus_of(hit), cost, reach=LINES * width)
    text = Text("\n".join(visible(line) for line in shown_lines(content, shown)))
    marked = word_pattern(word for forms in hit.words for word in forms)
    if marked:
        text.highlight_regex(marked, style=FOUND)
    return text


def preview(content: str, *, limit: int) -> str:
    """Return the beginning of a text on one line, at most ``limit`` characters and "…"."""
    text = one_line(content.strip())
    if len(text) <= limit:
        return text
    kept = text[:limit]
    at_word_end = text[limit] == " " or " " not in kept
    return (kept if at_word_end else kept.rpartition(" ")[0]).rstrip() + ELLIPSIS


def whereabouts(drawer: Drawer) -> str:
    """Return the names of wing, room and closet, on one line."""
    names = (drawer.wing_name, drawer.room_name, drawer.closet_name)
    return " / ".join(one_line(name) for name in names if name)


def said(drawer: Drawer, now: datetime | None = None, *, memory: Memory | None = None) -> str:
    """Return speaker and time, how long before ``now`` that was, and remarks on this drawer.

    Of a ``memory``, the speaker is who said what it stands on.
    """
    remarks = [
        *([f"answers {drawer.answers}"] if drawer.answers else []),
        *([version(drawer)] if version(drawer) else []),
        *([holding(drawer)] if drawer.until else []),
        *([f"taken out: {secrets_of(drawer.redacted)}"] if drawer.redacted else []),
        *(["characters that cannot be stored were replaced"] if drawer.is_repaired else []),
    ]
    line = f"{memory.origin if memory else speaker(drawer)}, {moment(drawer.said_at)}"
    if drawer.said_at and now:
        line += f", {ago(drawer.said_at, now)}"
    return f"{line} ({'; '.join(remarks)})" if remarks else line


def tagged(drawer: Drawer) -> list[str]:
    """Return a line with its tags, ``@p Anna @l Ghent``; no line if it has none."""
    return [one_line(write_tags(drawer.tags))] if drawer.tags else []


def version(drawer: Drawer) -> str:
    """Return which version of its message it is; "" if there is only one."""
    if drawer.replaced_at is None:
        return "a later version" if drawer.is_revision else ""
    when = f"{drawer.replaced_at.astimezone():%Y-%m-%d}"
    if drawer.replaced_by:
        return f"replaced on {when} by {drawer.replaced_by}"
    return f"no longer in its source since {when}"


def holding(drawer: Drawer) -> str:
    """Return until when its statement was true and where the new one is; "" if nothing of it has ended."""
    if drawer.until is None:
        return ""
    until = f"until {drawer.until.astimezone():%Y-%m-%d}"
    if drawer.ended:
        # The words of relations are read from files, which few hits need.
        from palace.graph.wording import written_ended

        until = f"{one_line(written_ended(drawer.ended))} {until}"
    return f"{until}, then {drawer.superseded_by}" if drawer.superseded_by else until


def speaker(drawer: Drawer) -> str:
    """Return the speaker's name, or the role if the source has no name."""
    return one_line(drawer.speaker or drawer.role.value)
