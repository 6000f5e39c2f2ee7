"""Views of typed memories: one line of what each is, a table, and one in full."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from palace.models import Conflict, Impact, MadeMemories, Memory, MemoryState, SweepSummary
from palace_cli.render.drawer import preview, said
from palace_cli.render.figures import count, moment
from palace_cli.render.layout import named_values, records
from palace_cli.render.visible import one_line, visible

PREVIEW = 120
"""Characters of a memory on its line."""


def kind_of(memory: Memory) -> str:
    """Return in one line the type of a memory, its state unless it is accepted, and what it stands on."""
    evidence = " ".join(map(str, memory.evidence))
    return ", ".join((memory.type.noun, *_remarks(memory), *([f"from {evidence}"] if evidence else [])))


def _remarks(memory: Memory) -> Iterator[str]:
    if memory.state is not MemoryState.ACCEPTED:
        yield state_of(memory)
    if memory.is_pinned:
        yield "pinned"
    if memory.expires_at:
        yield f"until {moment(memory.expires_at)}"


def state_of(memory: Memory) -> str:
    """Return its state, with the reason if there is one."""
    return memory.state.value + (f" ({one_line(memory.reason)})" if memory.reason else "")


def memories_view(memories: Sequence[Memory]) -> Table:
    columns = {
        "memory": "id",
        "filed": "created_at",
        "type": lambda each: each.type.noun,
        "state": lambda each: each.state.value + (", pinned" if each.is_pinned else ""),
        "begins": lambda each: preview(each.content, limit=PREVIEW),
    }
    return records(memories, columns, elastic=("begins",))


def memory_view(memory: Memory) -> Group:
    """Show what is known of a memory, then its text, indented."""
    facts = {
        "memory": memory.id,
        "project": memory.project,
        "type": memory.type.noun,
        "state": state_of(memory),
        "pinned": "yes" if memory.is_pinned else "",
        "said": said(memory.drawer),
        "from": " ".join(map(str, memory.evidence)),
        "alike": " ".join(map(str, memory.alike)),
        "contradicts": " ".join(map(str, memory.contradicts)),
        "origin": memory.origin.value,
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
    columns = {
        "older": lambda each: each.older.id,
        "says": lambda each: preview(each.older.content, limit=PREVIEW),
        "newer": lambda each: each.newer.id,
        "but": lambda each: preview(each.newer.content, limit=PREVIEW),
    }
    return records(conflicts, columns, elastic=("says", "but"))


def swept_view(swept: SweepSummary) -> str:
    return f"{swept.expired:,} expired, {swept.over_quota:,} over the quota, {swept.faded:,} faded"


def impact_view(found: Sequence[Impact]) -> Table:
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
