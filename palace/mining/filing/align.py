"""Which turns of one sequence are which of another: a matching that keeps order. Pure."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple


class Pair(NamedTuple):
    """Places of one turn in both sequences."""

    known: int
    given: int


def align(known: Sequence[Hashable], given: Sequence[Hashable]) -> list[Pair]:
    """Match equal items of two sequences, ascending in both; everything where one begins or ends with the other.

    What both begin and end with is matched first, then the longest runs between. Where that is no less, one goes over
    into the other.
    """
    most = min(len(known), len(given))
    front = next((n for n in range(most) if known[n] != given[n]), most)
    back = next((n for n in range(most - front) if known[-1 - n] != given[-1 - n]), most - front)
    ends = len(known) - back, len(given) - back
    pairs = [Pair(n, n) for n in range(front)]
    # What comes very often is matched only beside what does not, which keeps the time near linear.
    inner = SequenceMatcher(None, known[front : ends[0]], given[front : ends[1]])
    for at, other, size in inner.get_matching_blocks():
        pairs += [Pair(front + at + n, front + other + n) for n in range(size)]
    pairs += [Pair(ends[0] + n, ends[1] + n) for n in range(back)]
    overlap = _overlap(known, given)
    if overlap and overlap >= len(pairs):
        return [Pair(len(known) - overlap + n, n) for n in range(overlap)]
    return pairs


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


class Gap(NamedTuple):
    """What stands between two matches, on both sides."""

    known: range
    given: range
    is_first: bool
    """Nothing is matched before it."""
    is_last: bool
    """Nothing is matched after it."""


def gaps_between(pairs: Sequence[Pair], known: int, given: int) -> Iterator[Gap]:
    """Yield what stands before, between and behind ascending matches of two sequences of these lengths."""
    before = Pair(-1, -1)
    for after in (*pairs, Pair(known, given)):
        yield Gap(
            range(before.known + 1, after.known),
            range(before.given + 1, after.given),
            is_first=before.known < 0,
            is_last=after.known == known,
        )
        before = after
