"""The tools ``recall`` and ``show``: find drawers for a question, and show one with its neighbours."""

from __future__ import annotations

from palace.models import LARGEST_NUMBER, Recollection, Span
from palace.recall.pack import written_item
from palace_mcp.arguments import Argument, Kind
from palace_mcp.tools.tool import BUDGET, QUOTED, WING, Answer, Called, Tool, block_of, one_line

NOTHING = "Nothing here seems to answer this."
ABOUT_WORK, MOST_WORK = ("file", "command", "error"), 8
LIKELY = 0.45
"""Confidence of the best hit below which the answer is marked as uncertain."""
UNSURE = "Uncertain ({:.0%}) whether any of this answers. If it does not, say that nothing is remembered."


def recall(call: Called) -> Answer:
    """Search the memory; the tool ``recall``."""
    given, work = call.given, _work(call)
    found = call.palace.recall(
        given["query"],
        scope=call.scope,
        since=given["since"],
        until=given["until"],
        agent=call.bounds.agent,
        floor=call.palace.settings.effective(call.bounds.agent).model_floor,
    )
    block = call.palace.context_block(found, token_budget=given["max_tokens"])
    nearest = "" if found.nearest is None else f" Nearest: {found.nearest.drawer.pointer}."
    return Answer.quoting("\n".join(filter(None, (work, block))), _notes(found), NOTHING + nearest)


def _work(call: Called) -> str:
    """Return a block with past work on the file, command or error of the call; "" without one."""
    # Paths are compared as text; the file system is not read.
    asked = {name: call.given[name] for name in ABOUT_WORK} | {"file": (call.given["file"] or "").lstrip("/") or None}
    if not any(asked.values()):
        return ""
    history = call.palace.work(**asked, scope=call.scope, since=call.given["since"], limit=MOST_WORK)
    return call.palace.context_block(history, token_budget=call.given["max_tokens"])


def _notes(found: Recollection) -> tuple[str, ...]:
    read = (f"nothing says {each.typed!r}: read as {each.read_as!r}" for each in found.corrections)
    best = max((hit.confidence for hit in found.hits if hit.confidence is not None), default=None)
    is_asked_for = all(hit.is_standing for hit in found.hits)
    unsure = (UNSURE.format(best),) if best is not None and best < LIKELY and not is_asked_for else ()
    return tuple(map(one_line, (*unsure, *read, *found.warnings)))


RECALL = Tool(
    name="recall",
    description=(
        "Search the person's memory of conversations and notes. Call it BEFORE answering whatever "
        "may depend on them: people, projects, preferences, decisions, past work."
    ),
    arguments=(
        Argument(
            "query",
            'Question or key words. For advice add what they may have said: "I am allergic to nuts".',
            is_required=True,
        ),
        WING,
        Argument("since", "Said from 2026-04-30 on.", Kind.FIRST),
        Argument("until", "Said up to then.", Kind.LAST),
        Argument("file", "Work on this file, command, error."),
        Argument("command"),
        Argument("error"),
        BUDGET,
    ),
    answers=QUOTED,
    run=recall,
)


LONGEST_TEXT = 24_000
"""Characters of a drawer that are shown at once: hosts refuse much longer answers."""
LONGEST_NEIGHBOUR = 1200
MOST_NEIGHBOURS = 10


def show(call: Called) -> Answer:
    """Show a drawer; the tool ``show``."""
    pointer, first = call.given["pointer"], call.given["start"]
    shown = call.show(pointer, context=call.given["context"])
    zone, length = call.bounds.zone, len(shown.drawer.content)
    part = Span(min(first, length), min(first + LONGEST_TEXT, length))
    before, after = (
        [written_item(each, Span(0, min(len(each.content), LONGEST_NEIGHBOUR)), "", zone) for each in side]
        for side in (shown.before, shown.after)
    )
    block = block_of([*before, written_item(shown.drawer, part, "", zone, shown.memory), *after])
    left = f"{length - part.end:,} more characters: show {shown.drawer.pointer} with start={part.end}"
    return Answer.quoting(block, [left] if part.end < length else [])


SHOW = Tool(
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
