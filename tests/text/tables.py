"""Tables of what is said and what it means, and a loop that tells every row that is read otherwise."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

TESTS = Path(__file__).parents[1]
Said = TypeVar("Said")


def tables(module: str, *, of: str = "text") -> dict[str, Any]:
    """Give a module's tables by name: what each text means, or texts that all mean the same."""
    found: dict[str, Any] = json.loads((TESTS / of / "cases" / f"{module}.json").read_text("utf-8"))
    return found


def each(said: Iterable[str], meant: object) -> list[tuple[str, object]]:
    """Give a row for all that means the same."""
    return [(text, meant) for text in said]


def misread(read: Callable[[Said], object], table: Iterable[tuple[Said, object]]) -> list[str]:
    """Tell the rows that are read otherwise than they are meant."""
    found = [(said, meant, read(said)) for said, meant in table]
    return [f"{said!r} is read as {got!r}, not {meant!r}" for said, meant, got in found if got != meant]
