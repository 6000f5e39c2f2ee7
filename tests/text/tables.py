"""Tables of what is said and what it means, and a loop that tells every row that is read otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

Said = TypeVar("Said")


def lines(table: str) -> list[str]:
    """Give what a table lists: a line each, or several in a line with " | " between them."""
    return table.strip().replace(" | ", "\n").splitlines()


def rows(table: str) -> list[tuple[str, str]]:
    """Give the rows of a table whose lines are "said -> meant"; one that ends with a backslash goes on in the next."""
    found = (line.partition("->") for line in table.replace("\\\n", "").strip().splitlines())
    return [(said.strip(), meant.strip()) for said, _, meant in found]


def each(table: str, meant: object) -> list[tuple[str, object]]:
    """Give a row for all that a table lists, which means the same."""
    return [(line, meant) for line in lines(table)]


def misread(read: Callable[[Said], object], table: Iterable[tuple[Said, object]]) -> list[str]:
    """Tell the rows that are read otherwise than they are meant."""
    found = [(said, meant, read(said)) for said, meant in table]
    return [f"{said!r} is read as {got!r}, not {meant!r}" for said, meant, got in found if got != meant]
