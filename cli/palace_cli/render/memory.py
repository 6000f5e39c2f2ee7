"""Views of typed memories: one line of what each is, a table, and one in full."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from palace.models import (
    EXPIRED,
    Conflict,
    Drawer,
    HandOvers,
    Impact,
    MadeMemories,
    Memory,
    MemoryState,
    Pointer,
    SweepSummary,
)
from palace_cli.render.drawer import preview, said, whereabouts
from palace_cli.render.figures import count, moment
from palace_cli.render.layout import Columns, named_values, records
from palace_cli.render.visible import one_line, visible
from palace_cli.styles import ASIDE, CITED, HEADING

PREVIEW = 120
"""Characters of a memory on its line."""


def kind_of(memory: Memory) -> str:
    """Return in one line the type of a memory, its state unless it is accepted, and what it stands on."""
    evidence = " ".join(map(str, memory.evidence))
    return ", ".join((memory.type.noun, *_remarks(memory), *([f"from {evidence}"] if evidence else [])))


def _remarks(memory: Memory) -> Iterator[str]:
    is_expired = memory.is_expired(datetime.now(UTC))
    if is_expired or memory.state is not MemoryState.ACCEPTED:
        yield state_of(memory)
    if memory.is_pinned:
        yield "pinned"
    if memory.expires_at and not is_expired:
        yield f"until {moment(memory.expires_at)}"


def state_of(memory: Memory) -> str:
    """Return whether it counts: its state, with the reason if there is one, or that it has expired."""
    if memory.is_expired(datetime.now(UTC)):
        return f"{EXPIRED} {moment(memory.expires_at)}"
    return memory.state.value + (f" ({one_line(memory.reason)})" if memory.reason else "")


def memories_view(memories: Sequence[Memory]) -> Table:
    columns: Columns = {
        "memory": "id",
        "filed": "created_at",
        "type": lambda each: each.type.noun,
        "state": _short_state,
        "begins": lambda each: preview(each.content, limit=PREVIEW),
    }
    return records(memories, columns, elastic=("begins",))


def _short_state(memory: Memory) -> str:
    if memory.superseded_by:
        return f"superseded by {memory.superseded_by}"
    state = EXPIRED if memory.is_expired(datetime.now(UTC)) else memory.state.value
    return f"{state}, pinned" if memory.is_pinned else state


def proposals_view(memories: Sequence[Memory], evidence: Mapping[Pointer, Drawer]) -> Group:
    """Show what each memory would be, what it says, and the first message that it stands on; ``evidence`` has those."""
    return Group(*(line for each in memories for line in (*_proposal(each, evidence), "")))


def _proposal(memory: Memory, evidence: Mapping[Pointer, Drawer]) -> Iterator[RenderableType]:
    yield Text(str(memory.id), style=CITED) + Text(f"  {whereabouts(memory.drawer)}", style=HEADING)
    yield Text(origin_line(memory), style=ASIDE)
    yield Padding(Text(visible(memory.content)), (0, 0, 0, 2), expand=False)
    if line := evidence_line(memory, evidence):
        yield Text(line, style=ASIDE)


def origin_line(memory: Memory) -> str:
    """Return in one line who said what a memory stands on, when, and what kind of memory it is."""
    return f"{said(memory.drawer, memory=memory)}, {kind_of(memory)}"


def evidence_line(memory: Memory, evidence: Mapping[Pointer, Drawer]) -> str:
    """Return in one line the first message that a memory stands on; "" if there is none."""
    first = next((evidence[each] for each in memory.evidence if each in evidence), None)
    return f"{first.pointer}  {said(first)}: {preview(first.content, limit=PREVIEW)}" if first else ""


def memory_view(memory: Memory) -> Group:
    """Show what is known of a memory, then its text, indented."""
    facts = {
        "memory": memory.id,
        "project": memory.project,
        "type": memory.type.noun,
        "state": state_of(memory),
        "pinned": "yes" if memory.is_pinned else "",
        "superseded by": memory.superseded_by,
        "said": said(memory.drawer, memory=memory),
        "from": " ".join(map(str, memory.evidence)),
        "alike": " ".join(map(str, memory.alike)),
        "contradicts": " ".join(map(str, memory.contradicts)),
        "made by": memory.maker.value,
        "importance": f"{memory.importance:.2f}",
        "confidence": f"{memory.confidence:.2f}",
        "expires": memory.expires_at,
        "in requests": f"{memory.injected_count:,}, used in {memory.used_count:,} replies"
        if memory.injected_count
        else "",
        "corrected": count(memory.corrected_count, "time") if memory.corrected_count else "",
    }
    return Group(named_values(facts), "", Padding(Text(visible(memory.content)), (0, 0, 0, 2), expand=False))


def made_view(made: MadeMemories) -> Group:
    read = f"{count(made.conversations, 'conversation')}, {count(made.drawers, 'drawer')} read"
    waiting = f", {made.proposed:,} to accept first (palace memories --state proposed)" if made.proposed else ""
    undo = f"; palace undo {made.run_id} takes them back" if made.run_id is not None else ""
    new = len(made.memories)
    told = f"{read}: {new:,} new {'memory' if new == 1 else 'memories'}{waiting}{undo}"
    return Group(told, *([memories_view(made.memories)] if made.memories else []))


def conflicts_view(conflicts: Sequence[Conflict]) -> Table:
    """Show two lines for each pair, the older memory first."""
    sides = [side for each in conflicts for side in (("older", each.older), ("newer", each.newer))]
    columns: Columns = {
        "": lambda side: side[0],
        "memory": lambda side: side[1].id,
        "said": lambda side: said(side[1].drawer, memory=side[1]),
        "begins": lambda side: preview(side[1].content, limit=PREVIEW),
    }
    return records(sides, columns, elastic=("begins",))


def swept_view(swept: SweepSummary) -> str:
    return f"{swept.expired:,} expired, {swept.over_quota:,} over the quota, {swept.faded:,} faded"


def impact_view(found: Sequence[Impact] | Sequence[HandOvers]) -> Table:
    if found and isinstance(found[0], HandOvers):
        counts = ("handed over", "used", "tokens", "milliseconds")
        by_week: Columns = {
            "week": "week",
            "project": "wing",
            "handed over": "count",
            "used": "used",
            "tokens": "tokens",
        }
        return records(found, {**by_week, "milliseconds": lambda each: f"{each.milliseconds:,.0f}"}, numbers=counts)
    columns = {
        "drawer": lambda each: each.drawer.pointer,
        "in requests": "injected_count",
        "used": "used_count",
        "corrected": "corrected_count",
        "last": "used_at",
        "type": lambda each: each.memory.type.noun if each.memory else "",
        "begins": lambda each: preview(each.drawer.content, limit=PREVIEW),
    }
    return records(found, columns, numbers=("in requests", "used", "corrected"), elastic=("begins",))
