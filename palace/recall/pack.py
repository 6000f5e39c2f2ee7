"""Writing hits out for a model: one block, compact, within a budget, every line citing its pointer. Pure.

Recalled text is data. Whatever it is, and whatever the people in it are called, a block is read in one way:

    block   = "<memory_context>" LF, { line LF }, "</memory_context>"
    line    = pointer, " | ", when, " | ", who, " | ", text
    pointer = "§ W-", digits, "/R-", digits, "/D-", digits
    when    = date ("2026-04-30") or "undated", [ ", no longer so since ", date ]
    who     = role, [ ' "', name, '"' ]
    role    = "user", "assistant", "system" or "tool"

The role is Palace's word, never the source's; a name that a source gives stands behind it in quotation marks. A name
holds neither quotation mark nor bar; a text runs to the end of its line. ``<``, ``>`` and ``§`` stand only in what
Palace writes itself. In names and texts they are written out, as is all that does not show (``palace.text.inert``).
"""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo

from palace.records import Drawer, Hit, Recollection, Span
from palace.text.inert import inert, inert_name
from palace.zones import in_zone

OPEN = "<memory_context>"
CLOSE = "</memory_context>"
CHARACTERS_PER_TOKEN = 4
"""What English text comes to in the tokenizers of today's language models, rounded down."""

LONGEST_LINE = 1200

LONGEST_NAME = 60
"""Characters of a speaker's name that are shown."""


def memory_context(recollection: Recollection, *, token_budget: int = 1500, zone: tzinfo = UTC) -> str:
    """Write a recollection as a block; "" when there is no hit, or none fits the budget.

    Dates are those in ``zone``. The budget counts four characters a token; hits that no longer fit are left out, the
    best come first.
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
    """Write a drawer as one line, ``pointer | when | who | text``; of a long one its passage."""
    when = _date(drawer.said_at, zone) if drawer.said_at else "undated"
    if drawer.replaced_at:
        when += f", no longer so since {_date(drawer.replaced_at, zone)}"
    text = inert(excerpt(drawer.content, passage, LONGEST_LINE))
    return f"{drawer.pointer} | {when} | {_who(drawer)} | {text}"


def _date(moment: datetime, zone: tzinfo) -> str:
    return in_zone(moment, zone).date().isoformat()


def _who(drawer: Drawer) -> str:
    name = " ".join((drawer.speaker or "").split())
    shown = inert_name(excerpt(name, Span(0, LONGEST_NAME), LONGEST_NAME))
    return f'{drawer.role.value} "{shown}"' if shown else drawer.role.value


def excerpt(content: str, passage: Span, longest: int) -> str:
    """Give all of a content that is short enough, else its passage, an ellipsis where something is left out."""
    if len(content) <= longest:
        return content
    start, end = passage.start, min(passage.end, passage.start + longest)
    return ("… " if start else "") + content[start:end] + (" …" if end < len(content) else "")
