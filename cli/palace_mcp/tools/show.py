"""``show``: one drawer as it was said, with its neighbours."""

from __future__ import annotations

from palace.records import LARGEST_NUMBER, Drawer, Span
from palace_mcp.arguments import Argument, Kind
from palace_mcp.quoting import block_of, written
from palace_mcp.tools.tool import QUOTED, Answer, Called, Tool, quoting

LONGEST_TEXT = 24_000
"""Characters of a drawer that are shown at once: hosts refuse answers that are much longer."""
LONGEST_NEIGHBOUR = 1200
MOST_NEIGHBOURS = 10


def show(call: Called) -> Answer:
    """Give a drawer back."""
    pointer, first = call.given["pointer"], call.given["start"]
    shown = call.shown(pointer, context=call.given["context"])
    zone, length = call.bounds.zone, len(shown.drawer.content)
    part = Span(min(first, length), min(first + LONGEST_TEXT, length))
    drawers = [*map(_beginning, shown.before), (shown.drawer, part), *map(_beginning, shown.after)]
    block = block_of(written(drawer, of, zone) for drawer, of in drawers)
    left = f"{length - part.end:,} more characters: show {shown.drawer.pointer} with start={part.end}"
    return quoting(block, [left] if part.end < length else [])


def _beginning(drawer: Drawer) -> tuple[Drawer, Span]:
    return drawer, Span(0, min(len(drawer.content), LONGEST_NEIGHBOUR))


TOOL = Tool(
    name="show",
    description=(
        "Show a remembered message in full, with what was said around it. Call it when recall's excerpt is not enough, "
        "or to check wording."
    ),
    arguments=(
        Argument("pointer", "From recall, like W-001/R-02/D-003.", is_required=True),
        Argument("context", "Messages before and after.", Kind.COUNT, most=MOST_NEIGHBOURS, otherwise=0),
        Argument("start", "Character to begin at.", Kind.COUNT, most=LARGEST_NUMBER, otherwise=0),
    ),
    answers=QUOTED,
    run=show,
)
