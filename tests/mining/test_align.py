"""Matching one sequence to another in order."""

from __future__ import annotations

import sys
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from palace.mining.filing.align import align

sequences = st.lists(st.integers(0, 5), max_size=30)


@given(sequences, sequences)
def test_what_is_matched_is_equal_and_ascends_in_both(known: list[int], given_: list[int]) -> None:
    pairs = align(known, given_)
    assert all(known[pair.known] == given_[pair.given] for pair in pairs)
    assert all(one.known < other.known and one.given < other.given for one, other in pairwise(pairs))


@given(sequences, sequences)
def test_what_has_grown_or_lost_its_beginning_is_matched_whole(old: list[int], more: list[int]) -> None:
    assert [pair.known for pair in align(old, old + more)] == list(range(len(old)))
    assert [pair.given for pair in align(more + old, old)] == list(range(len(old)))


@given(st.lists(st.integers(), unique=True, max_size=30), st.data())
def test_an_edit_in_the_middle_leaves_the_rest_matched(items: list[int], data: st.DataObject) -> None:
    if not items:
        return
    place = data.draw(st.integers(0, len(items) - 1))
    edited: list[object] = list(items)
    edited[place] = "another"
    assert len(align(items, edited)) == len(items) - 1


def test_what_repeats_is_matched_to_the_end_that_agrees() -> None:
    assert align("oXoY", "oY") == [(2, 0), (3, 1)]


def test_long_sequences_take_little_more_work_than_short_ones() -> None:
    def work(size: int) -> int:
        calls = 0

        def count(frame: object, event: str, argument: object) -> None:
            nonlocal calls
            calls += 1

        class Item:
            def __init__(self, value: int) -> None:
                self.value = value

            def __eq__(self, other: object) -> bool:
                return isinstance(other, Item) and self.value == other.value

            def __hash__(self) -> int:
                return hash(self.value)

        sys.setprofile(count)
        try:
            align([Item(n % 7) for n in range(size)], [Item(n % 5) for n in range(size)])
            align([Item(n) for n in range(size)], [Item(size - n) for n in range(size)])
        finally:
            sys.setprofile(None)
        return calls

    assert work(8000) < 12 * work(1000)
