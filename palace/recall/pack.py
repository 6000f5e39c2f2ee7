"""Writing hits out for a model: one block, compact, within a budget, every line citing its pointer. Pure.

Recalled text is data. Whatever looks like markup in it is escaped, so that it cannot close the block or open another.
"""

from __future__ import annotations

from datetime import UTC, tzinfo

from palace.records import Drawer, Hit, Recollection, Span
from palace.zones import in_zone

OPEN = "<memory_context>"
CLOSE = "</memory_context>"
CHARACTERS_PER_TOKEN = 4
"""What English text comes to in the tokenizers of today's language models, rounded down."""

LONGEST_LINE = 1200


def memory_context(recollection: Recollection, *, token_budget: int = 1500, zone: tzinfo = UTC) -> str:
    """Write a recollection as a block; "" when there is no hit, or none fits the budget.

    Each line is ``pointer | when | who | text``; the date is that in ``zone``. The budget counts four characters a
    token; hits that no longer fit are left out, the best come first.
    """
    budget = token_budget * CHARACTERS_PER_TOKEN - len(OPEN) - len(CLOSE) - 2
    lines: list[str] = []
    for hit in recollection.hits:
        line = "\n".join(_lines(hit, zone))
        if len(line) + 1 > budget:
            continue
        budget -= len(line) + 1
        lines.append(line)
    return "\n".join([OPEN, *lines, CLOSE]) if lines else ""


def _lines(hit: Hit, zone: tzinfo) -> list[str]:
    neighbours_before = [cited_line(drawer, Span(0, len(drawer.content)), zone) for drawer in hit.before]
    neighbours_after = [cited_line(drawer, Span(0, len(drawer.content)), zone) for drawer in hit.after]
    return [*neighbours_before, cited_line(hit.drawer, hit.passage, zone), *neighbours_after]


def cited_line(drawer: Drawer, passage: Span, zone: tzinfo) -> str:
    """Write a drawer as one line, ``pointer | when | who | text``, escaped; of a long one its passage."""
    when = in_zone(drawer.said_at, zone).date().isoformat() if drawer.said_at else "undated"
    who = " ".join((drawer.speaker or drawer.role.value).split())
    text = " ".join(excerpt(drawer.content, passage, LONGEST_LINE).split())
    return f"{drawer.pointer} | {when} | {escape(who)} | {escape(text)}"


def excerpt(content: str, passage: Span, longest: int) -> str:
    """Give all of a content that is short enough, else its passage, an ellipsis where something is left out."""
    if len(content) <= longest:
        return content
    start, end = passage.start, min(passage.end, passage.start + longest)
    return ("… " if start else "") + content[start:end] + (" …" if end < len(content) else "")


def escape(text: str) -> str:
    """Escape what markup is made of."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
