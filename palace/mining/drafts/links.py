"""Ids of the turns of one conversation and what turns say of each other by them, and conversations kept as trees. Pure.

Regenerated answers and edited questions are branches of a tree.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import NamedTuple

from palace.models import Role, Turn


def with_own_ids(turns: Sequence[Turn]) -> list[Turn | None]:
    """Return another message under the same id one of its own; None in the place of an exact repetition."""
    known: dict[str, set[tuple[Role, str]]] = {}
    named: list[Turn | None] = []
    for turn in turns:
        own, said = turn.source_id, (turn.role, turn.content)
        if own is None:
            named.append(turn)
        elif own not in known:
            known[own] = {said}
            named.append(turn)
        elif said in known[own]:
            named.append(None)
        else:
            known[own].add(said)
            numbers = count(len(known[own]))
            fresh = next(name for number in numbers if (name := f"{own}~{number}") not in known)
            known[fresh] = {said}
            named.append(replace(turn, source_id=fresh))
    return named


class Links:
    """Where the ids of messages lead once their turns are known: a message may have given several turns, or none."""

    def __init__(self) -> None:
        self._first: dict[str, str] = {}
        self._whole: set[str] = set()
        self._places: dict[str, int] = {}

    def mark(self, message: str, place: int) -> None:
        """Note that a message stands at a place, counted in turns, whether or not it gave one."""
        self._places.setdefault(message, place)

    def stand(self, message: str, own: str, *, is_part: bool) -> None:
        """Note the id of a turn that a message gave; the turn of the message itself stands for it before its parts."""
        if message not in self._first or (not is_part and message not in self._whole):
            self._first[message] = own
        if not is_part:
            self._whole.add(message)

    def resolve(self, turns: Sequence[Turn | None]) -> Iterator[Turn]:
        """Let every link lead to a turn that is there, and drop it where there is none.

        What a message that gave no turn took the place of is replaced by the next turn of its role, else the next
        of any, among those that nothing replaced.
        """
        there = {turn.source_id for turn in turns if turn is not None}
        shown = [(place, turn) for place, turn in enumerate(turns) if turn is not None and turn.replaced_by is None]
        by_role = {role: [each for each in shown if each[1].role is role] for role in Role}
        for turn in turns:
            if turn is None:
                continue
            if turn.answers is None and turn.replaced_by is None:
                yield turn
                continue
            answers = self._first.get(turn.answers or "")
            is_linked = answers in there and answers != turn.source_id
            replaced_by = self._successor(turn, (by_role[turn.role], shown))
            yield replace(turn, answers=answers if is_linked else None, replaced_by=replaced_by)

    def _successor(self, turn: Turn, ways: tuple[list[tuple[int, Turn]], ...]) -> str | None:
        place = self._places.get(turn.replaced_by or "")
        if place is None:
            return None
        for shown in ways:
            at = bisect_left(shown, place, key=lambda each: each[0])
            if at < len(shown) and shown[at][1].source_id is not None:
                return shown[at][1].source_id
        return None


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
