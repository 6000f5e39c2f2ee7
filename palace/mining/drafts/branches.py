"""Conversations kept as trees: regenerated answers and edited questions are branches of them. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple


class Placed(NamedTuple):
    """A message of a tree, and the one whose branch took the place of its own."""

    key: str
    replaced_by: str | None = None


def lay_out(leaf: str, parents: Mapping[str, str | None]) -> tuple[list[Placed], str | None]:
    """Put every message of a tree in order: along the path to a leaf, each abandoned branch before what replaced it.

    A whole abandoned branch is replaced by the message of the path that stands where it began. Where the leaf has
    messages below it, the path goes on to the last of them. What hangs together with nothing of the path comes
    first, replaced by nothing. Siblings keep the order of ``parents``. The second value is the id of a parent that is
    named but not there, None where the path begins at a root.
    """
    below: dict[str | None, list[str]] = {}
    for key, parent in parents.items():
        below.setdefault(parent, []).append(key)
    path, lost = _path_to(leaf, parents)
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


def _path_to(leaf: str, parents: Mapping[str, str | None]) -> tuple[list[str], str | None]:
    """Walk from a node up to its root, or to where it has been; return the nodes, and a parent that lacks."""
    path: dict[str, None] = {}
    node: str | None = leaf
    while node is not None and node in parents and node not in path:
        path[node] = None
        node = parents[node]
    is_lost = node is not None and node not in path
    return list(reversed(path)), node if is_lost else None


def _walk(start: str, below: Mapping[str | None, list[str]], seen: set[str]) -> Iterator[str]:
    waiting = [start]
    while waiting:
        key = waiting.pop()
        if key not in seen:
            seen.add(key)
            yield key
            waiting += reversed(below.get(key, ()))


def find_taken_back(parents: Mapping[str, str | None], said: Mapping[str, bool]) -> dict[str, str]:
    """Map what a person went back from to what they said instead, in a log that is only added to.

    ``parents`` has every line of the log, in order, and ``said`` those on which something is said: True where the
    person began a turn. Where two turns begin behind one message, the person went back to it; unless the log goes on
    with the first afterwards, as two programs at one session write it.
    """
    place = {key: number for number, key in enumerate(parents)}
    last, above = dict(place), dict[str, str | None]()
    for key in reversed([*parents]):
        if (parent := parents[key]) in last:
            last[parent] = max(last[parent], last[key])
    begun: dict[str | None, list[str]] = {}
    for key, parent in parents.items():
        is_passed_over = parent in parents and parent not in said
        above[key] = (above.get(parent) or parent) if parent is not None and is_passed_over else parent
        if said.get(key):
            begun.setdefault(above[key], []).append(key)
    replaced: dict[str, str] = {}
    for under, prompts in begun.items():
        newest = prompts[-1]
        # What names nothing above it stands at the beginning only where others name it.
        gone = (each for each in prompts[:-1] if last[each] < place[newest] and (under or last[each] > place[each]))
        replaced |= dict.fromkeys(gone, newest)
    taken_back: dict[str, str] = {}
    for key, parent in parents.items():
        if by := taken_back.get(str(parent)) or replaced.get(key):
            taken_back[key] = by
    return taken_back
