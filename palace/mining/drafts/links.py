"""Resolves ids between the turns of a conversation, and lays out conversations stored as trees. Pure.

Regenerated answers and edited questions are branches of such a tree.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import NamedTuple

from palace.models import Role, Turn


def with_own_ids(turns: Sequence[Turn]) -> list[Turn | None]:
    """Return turns with unique ids: other content under a known id gets a new id, an exact repetition becomes None."""
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
    """A map from ids of messages to turns; a message may have become several turns, or none."""

    def __init__(self) -> None:
        self._first: dict[str, str] = {}
        self._whole: set[str] = set()
        self._places: dict[str, int] = {}

    def mark(self, message: str, place: int) -> None:
        """Record the position, as an index of turns, of a message, whether or not it became a turn."""
        self._places.setdefault(message, place)

    def stand(self, message: str, own: str, *, is_part: bool) -> None:
        """Record the id of a message's turn; its whole turn takes precedence over its parts."""
        if message not in self._first or (not is_part and message not in self._whole):
            self._first[message] = own
        if not is_part:
            self._whole.add(message)

    def resolve(self, turns: Sequence[Turn | None]) -> Iterator[Turn]:
        """Yield the turns with links that lead to existing turns; others are dropped.

        If a replacing message became no turn, the next unreplaced turn of the same role, or else of any role, takes its
        place.
        """
        there = {turn.source_id for turn in turns if turn is not None}
        shown = [(index, turn) for index, turn in enumerate(turns) if turn is not None and turn.replaced_by is None]
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
    """A message of a tree, and the id of the message whose branch replaced it."""

    key: str
    replaced_by: str | None = None


def lay_out(leaf: str, parents: Mapping[str, str | None]) -> tuple[list[Placed], str | None]:
    """Return all messages of a tree in order: the path to ``leaf``, with each abandoned branch before its replacement.

    An abandoned branch is replaced by the message on the path where it forked. If the leaf has children, the path
    continues to the last of them. Messages unconnected to the path come first, unreplaced. Siblings keep the order of
    ``parents``. The second value is the id of a parent that is missing, or None if the path begins at a root.
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
    """Walk from a node up to its root or a cycle; return the path from the top, and the id of a missing parent."""
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
    """Map rewound messages to the prompts that replaced them, in an append-only log.

    ``parents`` holds every line of the log, in order; ``said`` those with a message, True for the user's prompts. If
    two prompts follow one message, the user went back to it, unless the log later continues the first one, as when two
    programs share a session.
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
        # A line without a parent counts as a beginning only if other lines refer to it.
        gone = (each for each in prompts[:-1] if last[each] < place[newest] and (under or last[each] > place[each]))
        replaced |= dict.fromkeys(gone, newest)
    taken_back: dict[str, str] = {}
    for key, parent in parents.items():
        if by := taken_back.get(str(parent)) or replaced.get(key):
            taken_back[key] = by
    return taken_back
