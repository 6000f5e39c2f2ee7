"""Conversations kept as trees: regenerated answers and edited questions are branches of them. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple


class Placed(NamedTuple):
    """A message of a tree, and the one whose branch took the place of its own."""

    key: str
    replaced_by: str | None = None


def path_to(leaf: str, parents: Mapping[str, str | None]) -> tuple[list[str], str | None]:
    """Walk from a node up to its root; give the nodes in the order they were said.

    The second value is the id of a parent that is named but not there, None where the walk ended at a root. A
    walk that comes back to where it has been ends there.
    """
    path: dict[str, None] = {}
    node: str | None = leaf
    while node is not None and node in parents and node not in path:
        path[node] = None
        node = parents[node]
    is_lost = node is not None and node not in path
    return list(reversed(path)), node if is_lost else None


def lay_out(leaf: str, parents: Mapping[str, str | None]) -> tuple[list[Placed], str | None]:
    """Put every message of a tree in order: along the path to a leaf, each abandoned branch before what replaced it.

    A whole abandoned branch is replaced by the message of the path that stands where it began. Where the leaf has
    messages below it, the path goes on to the last of them. What hangs together with nothing of the path comes
    first, replaced by nothing. The second value is what ``path_to`` says is lost. Siblings keep the order of
    ``parents``.
    """
    below: dict[str | None, list[str]] = {}
    for key, parent in parents.items():
        below.setdefault(parent, []).append(key)
    path, lost = path_to(leaf, parents)
    seen = set(path)
    while path and (last := next((key for key in reversed(below.get(path[-1], ())) if key not in seen), None)):
        path.append(last)
        seen.add(last)
    order: list[Placed] = []
    for key in path:
        parent = parents[key]
        for sibling in below[parent] if parent is not None else ():
            order += (Placed(lower, key) for lower in _walk(sibling, below, seen))
        order.append(Placed(key))
    roots = [key for key, parent in parents.items() if parent not in parents]
    apart = [Placed(key) for start in (*roots, *parents) for key in _walk(start, below, seen)]
    return apart + order, lost if path else None


def _walk(start: str, below: Mapping[str | None, list[str]], seen: set[str]) -> Iterator[str]:
    """Give a node and all below it that were not seen yet, parents first."""
    waiting = [start]
    while waiting:
        key = waiting.pop()
        if key not in seen:
            seen.add(key)
            yield key
            waiting += reversed(below.get(key, ()))
