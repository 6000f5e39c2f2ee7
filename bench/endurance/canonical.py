"""A palace as text that two palaces with one history share: no internal id, no run, no clock time."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from bench.harness import read_statements
from palace import Palace

ROWS = read_statements(Path(__file__).with_name("canonical.sql"))


def canonical_form(palace: Palace) -> dict[str, list[str]]:
    """Give the user's rows of every kind as sorted lines."""
    with palace._opened.session() as session:
        run = session.connection.exec_driver_sql
        return {kind: sorted(str(tuple(row)) for row in run(query)) for kind, query in ROWS.items()}


def difference(one: dict[str, list[str]], other: dict[str, list[str]]) -> list[str]:
    """List the lines that only one of two forms has, each with its kind and the side it is on."""
    return [
        f"{side} {kind} {line}"
        for kind in one
        for side, lines in (("-", Counter(one[kind])), ("+", Counter(other[kind])))
        for line in sorted((lines - Counter(other[kind] if side == "-" else one[kind])).elements())
    ]
