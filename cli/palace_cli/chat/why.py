"""All that a turn knows of itself, for a person: why memory was looked at, what was asked, what was found, how long."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType

from palace.records import Recollection
from palace_cli.render.hits.view import recollection_view
from palace_cli.render.layout import named_values

if TYPE_CHECKING:
    from palace.turns import Turn


def why_view(turn: Turn, *, width: int) -> Group:
    """Show all of a turn."""
    decision, query = turn.decision, turn.query
    rows = [
        ("gate", f"{'searched' if decision.searched else 'not searched'}: {decision.reason} ({decision.rule})"),
        ("query", (query.text or "(nothing: the most useful memories)") if query else ""),
        ("because", query.why if query else ""),
        ("terms", ", ".join(query.terms) if query else ""),
        ("put in", f"{len(turn.block):,} characters, {len(turn.hits)} hits" if turn.block else "nothing"),
        ("took", ", ".join(f"{step} {spent:.0f} ms" for step, spent in turn.timings.items())),
        *(("note", note) for note in turn.notes),
    ]
    parts: list[RenderableType] = [named_values(rows)]
    if turn.hits:
        found = Recollection(query.text if query else "", turn.hits)
        parts += ["", recollection_view(found, width=width, verbose=True)]
    return Group(*parts)
