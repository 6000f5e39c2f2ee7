"""Which of several drawers stands in front when they say the same kind of thing."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace import Palace
from palace.recall.intent import read_intent
from palace.recall.ranking.fuse import Fused
from palace.recall.ranking.present import Of, Present, asked_of, earlier_first, latest_first, of_one_number
from palace.records import Alike, Compared, PassageKey
from palace.text.asked.states import Earlier

NOW = datetime(2026, 9, 1, 12, tzinfo=UTC)


def fused(number: int, *, day: int, similarity: float = 0.6, coverage: float = 0.8, is_person: bool = True) -> Fused:
    """A drawer said so many days after the first of January, worth less the higher its number."""
    compared = Compared(
        passage=PassageKey(number, 0),
        room_id=number,
        turn=(number, 0),
        is_person=is_person,
        said_at=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=day),
        speaks_of_it=False,
        similarity=similarity,
        preference=None,
        keyword=1.0,
        phrase=0.0,
        coverage=coverage,
    )
    return Fused(compared, 1 - number / 100)


def alike(*pairs: tuple[int, int], likeness: float = 0.8, shares: bool = True) -> dict[frozenset[int], Alike]:
    """Pairs of which both say a rare word and name what an answer must."""
    return {frozenset(pair): Alike(likeness, shares, frozenset(pair)) for pair in pairs}


def order(ranked: list[Fused]) -> list[int]:
    return [each.drawer.passage.drawer_id for each in ranked]


def test_the_newest_of_what_is_alike_stands_first_and_the_others_say_so() -> None:
    ranked = [fused(1, day=10), fused(2, day=1), fused(3, day=90), fused(4, day=50)]
    placed = latest_first(ranked, alike((1, 3), (1, 4), (3, 4)), Present())
    assert order(placed) == [3, 4, 1, 2]
    assert placed[0].score == ranked[0].score
    newer = [each.newer and each.newer.passage.drawer_id for each in placed]
    assert newer == [None, 3, 3, None]


@pytest.mark.parametrize(
    "newer",
    [
        fused(2, day=90, similarity=0.3),
        fused(2, day=90, coverage=0.4),
        fused(2, day=90, coverage=0.6),
        fused(2, day=10),
    ],
    ids=["far from the query", "without its words", "with fewer of them", "said at the same time"],
)
def test_what_says_less_of_the_query_renews_nothing(newer: Fused) -> None:
    placed = latest_first([fused(1, day=10), newer], alike((1, 2)), Present())
    assert order(placed) == [1, 2]
    assert [each.newer for each in placed] == [None, None]


def test_where_an_answer_may_name_anything_more_is_asked() -> None:
    ranked = [fused(1, day=10, coverage=0.3), fused(2, day=90, coverage=0.3)]
    pair = alike((1, 2), likeness=0.5)
    assert order(latest_first(ranked, pair, Present(), Of.NAMED)) == [2, 1]
    assert order(latest_first(ranked, pair, Present(), Of.ONE)) == [1, 2]


def test_what_is_hardly_alike_is_something_else() -> None:
    assert order(latest_first([fused(1, day=10), fused(2, day=90)], alike((1, 2), likeness=0.6), Present())) == [1, 2]


@pytest.mark.parametrize(
    ("query", "drawers"),
    [
        ("When is my dentist appointment?", [1, 3]),
        ("When was my dentist appointment?", []),
        ("When did I see the dentist?", []),
        ("What was my first appointment at the dentist?", [1, 3]),
        ("Which dentist did I change to?", [1, 3]),
        ("How long have I had my dentist?", [1, 3]),
        ("Why did I change to my dentist?", []),
        ("How many days passed between my visits?", []),
        ("What is my dentist appointment in May?", []),
    ],
)
def test_only_the_present_is_brought_forward(query: str, drawers: list[int]) -> None:
    ranked = [fused(1, day=10), fused(2, day=20, is_person=False), fused(3, day=30)]
    assert asked_of(ranked, read_intent(query, NOW), Present()) == drawers
    assert asked_of(ranked, read_intent("my dentist", NOW), Present(drawers=0)) == []


def test_where_one_statement_answers_less_is_asked_of_the_newest() -> None:
    ranked = [fused(1, day=10, coverage=0.3), fused(2, day=90, coverage=0.25)]
    pair = alike((1, 2), likeness=0.45)
    assert order(latest_first(ranked, pair, Present())) == [1, 2]
    placed = latest_first(ranked, pair, Present(), Of.NAMED)
    assert order(placed) == [2, 1]
    assert placed[1].newer is placed[0].drawer


@pytest.mark.parametrize(
    ("newer", "known"),
    [
        (fused(2, day=90, coverage=0.3), alike((1, 2), likeness=0.45, shares=False)),
        (fused(2, day=90, coverage=0.3), alike((1, 2), likeness=0.35)),
        (fused(2, day=90, coverage=0.3), alike((1, 2), likeness=0.99)),
        (fused(2, day=90, coverage=0.3), {frozenset((1, 2)): Alike(0.45, True, frozenset([1]))}),
        (fused(2, day=90, coverage=0.1), alike((1, 2), likeness=0.45)),
        (fused(2, day=90, coverage=0.3, similarity=0.4), alike((1, 2), likeness=0.45)),
        (fused(40, day=90, coverage=0.3), alike((1, 40), likeness=0.45)),
        (fused(2, day=5, coverage=0.3), alike((1, 2), likeness=0.45)),
    ],
    ids=["no word", "unlike", "the same again", "no answer", "fewer words", "far from the query", "poor", "older"],
)
def test_even_then_it_must_be_of_the_same(newer: Fused, known: dict[frozenset[int], Alike]) -> None:
    ranked = [fused(1, day=10, coverage=0.3), newer]
    assert order(latest_first(ranked, known, Present(), Of.NAMED)) == order(ranked)


def test_of_an_amount_both_must_name_it_and_less_is_asked_beside() -> None:
    ranked = [fused(1, day=10, coverage=0.8), fused(2, day=90, coverage=0.45, similarity=0.4)]
    both = alike((1, 2), likeness=0.45)
    assert order(latest_first(ranked, both, Present(), Of.NAMED)) == [1, 2]
    assert order(latest_first(ranked, both, Present(), Of.AMOUNT)) == [2, 1]
    one = {frozenset((1, 2)): Alike(0.9, True, frozenset([2]))}
    assert order(latest_first(ranked, one, Present(), Of.AMOUNT)) == [1, 2]


def test_of_an_amount_what_is_said_in_nearly_the_same_words_needs_no_rare_one() -> None:
    ranked = [fused(1, day=10), fused(2, day=90, coverage=0.6)]
    for likeness, first in ((0.7, [2, 1]), (0.6, [1, 2])):
        pair = alike((1, 2), likeness=likeness, shares=False)
        assert order(latest_first(ranked, pair, Present(), Of.AMOUNT)) == first


def test_what_gives_the_amount_stands_before_the_same_without_it() -> None:
    ranked = [fused(1, day=10), fused(2, day=90)]
    for likeness, first in ((0.7, [2, 1]), (0.6, [1, 2])):
        one = {frozenset((1, 2)): Alike(likeness, True, frozenset([2]))}
        assert order(latest_first(ranked, one, Present(), Of.AMOUNT)) == first


@pytest.mark.parametrize("of", [Of.AMOUNT, Of.NAMED])
def test_what_gives_amounts_of_one_thing_is_linked_by_what_was_said_between(of: Of) -> None:
    ranked = [fused(1, day=50), fused(2, day=10), fused(3, day=90)]
    chain = alike((1, 2), (2, 3), likeness=0.5)
    assert order(latest_first(ranked, chain, Present(), of)) == [3, 1, 2]
    assert order(latest_first(ranked, chain, Present(), Of.ONE)) == [1, 2, 3]


@pytest.mark.parametrize(("asked", "first"), [(Earlier.FIRST, 1), (Earlier.BEFORE, 2)])
def test_an_earlier_state_comes_in_front_of_the_best(asked: Earlier, first: int) -> None:
    ranked = [fused(3, day=90), fused(2, day=50), fused(4, day=60), fused(1, day=10)]
    placed = earlier_first(ranked, alike((3, 2), (3, 1)), Present(), asked)
    assert order(placed)[:2] == [first, 3]
    assert placed[0].score == ranked[0].score
    assert earlier_first(ranked, {}, Present(), asked) == ranked
    assert earlier_first(ranked, alike((3, 1), shares=False), Present(), asked) == ranked


@given(
    st.lists(st.tuples(st.integers(0, 50), st.floats(0, 1), st.floats(0, 1)), max_size=12),
    st.dictionaries(st.frozensets(st.integers(0, 11), min_size=2, max_size=2), st.floats(0.4, 1), max_size=30),
    st.sampled_from(Of),
)
def test_nothing_is_lost_and_no_score_rises_above_the_one_in_front(
    said: list[tuple[int, float, float]], pairs: dict[frozenset[int], float], of: Of
) -> None:
    ranked = [fused(n, day=day, similarity=near, coverage=held) for n, (day, near, held) in enumerate(said)]
    known = {pair: Alike(likeness, True, pair) for pair, likeness in pairs.items()}
    placed = latest_first(ranked, known, Present(), of)
    assert sorted(order(placed)) == sorted(order(ranked))
    assert all(one.score >= other.score for one, other in pairwise(placed))


def test_of_two_that_do_not_both_say_the_number_asked_for_none_renews_the_other() -> None:
    ranked = [fused(1, day=10), fused(2, day=90), fused(3, day=95)]
    ranked[0] = replace(ranked[0], drawer=replace(ranked[0].drawer, phrase=4.0))
    assert set(of_one_number(ranked, alike((1, 2), (2, 3)))) == {frozenset((2, 3))}


def test_a_number_is_found_where_it_stands_beside_the_word_that_it_is_asked_with(palace: Palace) -> None:
    said = [
        {"role": "user", "content": f"Tree number {at} bears {at % 8} kg.", "timestamp": f"2026-03-{at:02}T12:00:00Z"}
        for at in range(1, 29)
    ]
    palace.file(said, id="orchard")
    assert palace.recall("tree number 7").hits[0].drawer.content == "Tree number 7 bears 7 kg."
