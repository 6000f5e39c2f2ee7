"""Fusing arms, and the floor beneath them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from palace.recall.floor import above_floor
from palace.recall.fuse import fuse
from palace.records import Candidate, PassageKey


def candidate(drawer: int, score: float, ordinal: int = 0, coverage: float = 0.0) -> Candidate:
    return Candidate(PassageKey(drawer, ordinal), score, coverage)


candidates = st.lists(
    st.builds(candidate, st.integers(1, 30), st.floats(0, 1), st.integers(0, 3), st.floats(0, 1)), max_size=40
)


@given(candidates, candidates)
def test_the_union_is_real_ordered_and_scored_within_bounds(near: list[Candidate], matching: list[Candidate]) -> None:
    fused = fuse({"semantic": near, "keyword": matching})
    assert {drawer.drawer_id for drawer in fused} == {c.key.drawer_id for c in near + matching}
    assert [drawer.score for drawer in fused] == sorted((drawer.score for drawer in fused), reverse=True)
    assert all(0 <= drawer.score <= 1 for drawer in fused)


@given(candidates, candidates)
def test_the_order_of_proposals_does_not_matter(near: list[Candidate], matching: list[Candidate]) -> None:
    forwards = fuse({"semantic": near, "keyword": matching})
    backwards = fuse({"semantic": near[::-1], "keyword": matching[::-1]})
    assert [(d.drawer_id, d.score) for d in forwards] == [(d.drawer_id, d.score) for d in backwards]


def test_a_drawer_that_only_keywords_find_can_win() -> None:
    near = [candidate(1, 0.5), candidate(2, 0.49), candidate(3, 0.1)]
    matching = [candidate(9, 8.0, coverage=1.0), candidate(1, 1.0, coverage=0.2), candidate(3, 0.9)]
    fused = fuse({"semantic": near, "keyword": matching})
    assert {fused[0].drawer_id, fused[1].drawer_id} == {9, 1}


def test_a_drawer_counts_with_its_best_passage() -> None:
    (first, *_) = fuse({"semantic": [candidate(1, 0.2, 0), candidate(1, 0.9, 3), candidate(2, 0.1)]})
    assert first.passage == PassageKey(1, 3)
    assert first.arms[0].score == 0.9
    assert first.arms[0].rank == 1


def test_nothing_relevant_gives_nothing() -> None:
    weak = [candidate(1, 0.21), candidate(2, 0.12)]
    assert above_floor(fuse({"semantic": weak, "keyword": [candidate(1, 3.0, coverage=0.2)]})) == []


def test_one_clear_answer_lets_related_drawers_in_and_keeps_strangers_out() -> None:
    near = [candidate(1, 0.6), candidate(2, 0.2), candidate(3, 0.01)]
    assert [d.drawer_id for d in above_floor(fuse({"semantic": near}))] == [1, 2]


def test_rare_words_alone_are_a_clear_answer() -> None:
    fused = fuse({"semantic": [candidate(1, 0.05)], "keyword": [candidate(7, 2.0, coverage=0.9)]})
    assert [d.drawer_id for d in above_floor(fused)] == [7]
