"""A result as a table for a person."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bench.harness import Figures


def table(found: Figures) -> str:
    """Write a result as lines: what it is of, then a figure a line, those of one kind on one line."""
    head = [f"{found['part']} of {found['tree']}"]
    return "\n".join([*head, *(f"  {name:<28} {value}" for name, value in _rows(found))])


def _rows(found: Figures) -> Iterator[tuple[str, str]]:
    for name, value in found.items():
        if name in ("part", "tree"):
            continue
        if isinstance(value, dict) and any(isinstance(inner, dict) for inner in value.values()):
            for inner, figures in value.items():
                yield f"{name}: {inner}", _line(figures)
        else:
            yield name, _line(value) if isinstance(value, dict) else _shown(value)


def _line(figures: dict[str, Any]) -> str:
    return ", ".join(f"{name} {_shown(value)}" for name, value in figures.items())


def _shown(value: Any) -> str:
    return f"{value:,.2f}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)
