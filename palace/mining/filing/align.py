"""Which turns of one sequence are which of another: a matching that keeps order, in near-linear time. Pure.

What both hold once is matched first, as far as it stands in one order (patience diff, Bram Cohen), again and again;
what is left between is matched from both ends, and then in order of appearance.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

DEEPEST = 40
"""How often what is left is looked at again for what both hold once; a bound against texts that are made to be slow."""


class Pair(NamedTuple):
    """Places of one turn in both sequences."""

    known: int
    given: int


class _Stretch(NamedTuple):
    known_start: int
    known_end: int
    given_start: int
    given_end: int
    depth: int = 0
    """How many times what is around it was matched first."""


def align(known: Sequence[Hashable], given: Sequence[Hashable]) -> list[Pair]:
    """Match equal items of two sequences, ascending in both; everything where one begins or ends with the other."""
    return sorted(_aligned(known, given, _Stretch(0, len(known), 0, len(given))))


def _aligned(known: Sequence[Hashable], given: Sequence[Hashable], whole: _Stretch) -> Iterator[Pair]:
    waiting = [whole]
    while waiting:
        stretch = waiting.pop()
        if stretch.known_start == stretch.known_end or stretch.given_start == stretch.given_end:
            continue
        anchors = _anchors(known, given, stretch) if stretch.depth < DEEPEST else []
        if not anchors:
            yield from _repetitions(known, given, stretch, is_whole=stretch is whole)
            continue
        yield from anchors
        bounds = [
            Pair(stretch.known_start - 1, stretch.given_start - 1),
            *anchors,
            Pair(stretch.known_end, stretch.given_end),
        ]
        waiting += (
            _Stretch(one.known + 1, other.known, one.given + 1, other.given, stretch.depth + 1)
            for one, other in pairwise(bounds)
        )


def _repetitions(
    known: Sequence[Hashable], given: Sequence[Hashable], stretch: _Stretch, *, is_whole: bool
) -> list[Pair]:
    """Match what has nothing that both hold once: from the ends; or, where that is no less, as one goes over into the
    other.
    """
    inner, pairs = _from_ends(known, given, stretch, is_whole=is_whole)
    pairs += _in_order(known, given, inner)
    overlap = _overlap(known, given) if is_whole else 0
    if overlap < len(pairs) or overlap == 0:
        return pairs
    return [Pair(stretch.known_end - overlap + n, stretch.given_start + n) for n in range(overlap)]


def _from_ends(
    known: Sequence[Hashable], given: Sequence[Hashable], stretch: _Stretch, *, is_whole: bool
) -> tuple[_Stretch, list[Pair]]:
    """Match from the end that agrees longer, then from the other."""
    known_start, known_end, given_start, given_end, depth = stretch
    most = min(known_end - known_start, given_end - given_start)
    ahead = range(most)
    front = next((n for n in ahead if known[known_start + n] != given[given_start + n]), most)
    back = next((n for n in ahead if known[known_end - 1 - n] != given[given_end - 1 - n]), most)
    # What stands before all that is matched may have lost its beginning.
    prefers_front = front > back or (front == back and (is_whole or known_start > 0))
    front, back = (front, min(back, most - front)) if prefers_front else (min(front, most - back), back)
    pairs = [Pair(known_start + n, given_start + n) for n in range(front)]
    pairs += [Pair(known_end - 1 - n, given_end - 1 - n) for n in range(back)]
    return _Stretch(known_start + front, known_end - back, given_start + front, given_end - back, depth), pairs


def _overlap(known: Sequence[Hashable], given: Sequence[Hashable]) -> int:
    """Count how many items ``known`` ends with and ``given`` begins with (by the failures of Knuth-Morris-Pratt)."""
    failure = [0] * len(given)
    length = 0
    for place in range(1, len(given)):
        while length and given[place] != given[length]:
            length = failure[length - 1]
        length += given[place] == given[length]
        failure[place] = length
    length = 0
    for item in known:
        while length and (length == len(given) or item != given[length]):
            length = failure[length - 1]
        length += item == given[length]
    return length


def _anchors(known: Sequence[Hashable], given: Sequence[Hashable], inner: _Stretch) -> list[Pair]:
    """Match what both hold once, in the longest run that is ascending in both."""
    known_once = _once(known, inner.known_start, inner.known_end)
    given_once = _once(given, inner.given_start, inner.given_end)
    shared = [Pair(place, given_once[item]) for item, place in known_once.items() if item in given_once]
    return longest_ascending(shared)


def _once(items: Sequence[Hashable], start: int, end: int) -> dict[Hashable, int]:
    counts = Counter(items[start:end])
    return {items[place]: place for place in range(start, end) if counts[items[place]] == 1}


def longest_ascending(pairs: Sequence[Pair]) -> list[Pair]:
    """Take as many pairs as ascend in ``given``; they come ascending in ``known``."""
    tails: list[int] = []
    at: list[int] = []
    before: list[int] = []
    for index, pair in enumerate(pairs):
        length = bisect_left(tails, pair.given)
        before.append(at[length - 1] if length else -1)
        if length == len(tails):
            tails.append(pair.given)
            at.append(index)
        else:
            tails[length], at[length] = pair.given, index
    taken: list[Pair] = []
    index = at[-1] if at else -1
    while index >= 0:
        taken.append(pairs[index])
        index = before[index]
    return taken[::-1]


def _in_order(known: Sequence[Hashable], given: Sequence[Hashable], inner: _Stretch) -> Iterator[Pair]:
    """Match each item with the next equal one: what is left here repeats itself, or is new."""
    places: dict[Hashable, list[int]] = defaultdict(list)
    for place in range(inner.given_start, inner.given_end):
        places[given[place]].append(place)
    least = inner.given_start
    for place in range(inner.known_start, inner.known_end):
        found = places.get(known[place])
        if not found:
            continue
        index = bisect_left(found, least)
        if index < len(found):
            yield Pair(place, found[index])
            least = found[index] + 1
