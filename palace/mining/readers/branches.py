"""Conversations kept as trees: regenerated answers and edited questions are branches of them."""

from __future__ import annotations

from collections.abc import Mapping


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
