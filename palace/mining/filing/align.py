"""Aligns two sequences of turns in order. Pure."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple


class Pair(NamedTuple):
    """Indexes of one turn in both sequences."""

    known: int
    given: int


def align(known: Sequence[Hashable], given: Sequence[Hashable]) -> list[Pair]:
    """Return pairs of equal items, ascending in both sequences.

    The common beginning and end are matched first, then the longest runs between them. If it matches as many items, the
    overlap of the end of ``known`` with the beginning of ``given`` is used instead.
    """
    most = min(len(known), len(given))
    front = next((n for n in range(most) if known[n] != given[n]), most)
    back = next((n for n in range(most - front) if known[-1 - n] != given[-1 - n]), most - front)
    ends = len(known) - back, len(given) - back
    pairs = [Pair(n, n) for n in range(front)]
    # SequenceMatcher ignores very frequent items except next to rare ones, which keeps the time near linear.
    inner = SequenceMatcher(None, known[front : ends[0]], given[front : ends[1]])
    for at, other, size in inner.get_matching_blocks():
        pairs += [Pair(front + at + n, front + other + n) for n in range(size)]
    pairs += [Pair(ends[0] + n, ends[1] + n) for n in range(back)]
    overlap = _overlap(known, given)
    if overlap and overlap >= len(pairs):
        return [Pair(len(known) - overlap + n, n) for n in range(overlap)]
    return pairs


def _overlap(known: Sequence[Hashable], given: Sequence[Hashable]) -> int:
    """Return the length of the longest suffix of ``known`` that is a prefix of ``given`` (Knuth-Morris-Pratt)."""
    failure = [0] * len(given)
    length = 0
    for index in range(1, len(given)):
        while length and given[index] != given[length]:
            length = failure[length - 1]
        length += given[index] == given[length]
        failure[index] = length
    length = 0
    for item in known:
        while length and (length == len(given) or item != given[length]):
            length = failure[length - 1]
        length += item == given[length]
    return length


def longest_ascending(pairs: Sequence[Pair]) -> list[Pair]:
    """Return the longest subsequence of pairs that ascends in ``given``; the pairs must ascend in ``known``."""
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
    """The unmatched items between two matches, on both sides."""

    known: range
    given: range
    is_first: bool
    """Whether no match precedes it."""
    is_last: bool
    """Whether no match follows it."""


def gaps_between(pairs: Sequence[Pair], known: int, given: int) -> Iterator[Gap]:
    """Yield the gaps before, between and after ascending matches of sequences of lengths ``known`` and ``given``."""
    before = Pair(-1, -1)
    for after in (*pairs, Pair(known, given)):
        yield Gap(
            range(before.known + 1, after.known),
            range(before.given + 1, after.given),
            is_first=before.known < 0,
            is_last=after.known == known,
        )
        before = after
