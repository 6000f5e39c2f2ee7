"""Embedding models in use, as a table."""

from __future__ import annotations

from rich.table import Table

from palace.records import GenerationStatus
from palace_cli.render.layout import cell, table


def generations_view(generations: tuple[GenerationStatus, ...]) -> Table:
    """Show a line a model."""
    numbers = ("dimension", "embedded", "pending")
    shown = table("model", "dimension", "state", "embedded", "pending", numbers=numbers, elastic=("model",))
    for status in generations:
        generation = status.generation
        counts = (f"{status.embedded:,}", f"{status.pending:,}")
        shown.add_row(cell(generation.model), str(generation.dimension), status.state, *counts)
    return shown
