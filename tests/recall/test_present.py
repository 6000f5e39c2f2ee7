"""Which of several drawers stands in front when they say the same kind of thing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from palace import Palace
from palace.models import Alike
from palace.recall.fuse import Fused
from palace.recall.intent import read_intent
from palace.recall.present import Of, Present, asked_of, earlier_first, latest_first, of_one_number
from tests.recall.ranked import fused as ranked_drawer
from tests.recall.ranked import order

NOW = datetime(2026, 9, 1, 12, tzinfo=UTC)


def fused(number: int, *, day: int, similarity: float = 0.6, coverage: float = 0.8, **known: Any) -> Fused:
    """A drawer said so many days after the first of January, worth less the higher its number."""
    said_at = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=day)
    return ranked_drawer(number, similarity=similarity, coverage=coverage, keyword=1.0, said_at=said_at, **known)


def alike(*pairs: tuple[int, int], likeness: float = 0.8, shares: bool = True) -> dict[frozenset[int], Alike]:
    """Pairs of which both say a rare word and name what an answer must."""
    return {frozenset(pair): Alike(likeness, shares, frozenset(pair)) for pair in pairs}


def test_the_newest_of_what_is_alike_stands_first_and_the_others_say_so() -> None:
    ranked = [fused(1, day=10), fused(2, day=1), fused(3, day=90), fused(4, day=50)]
    placed = latest_first(ranked, alike((1, 3), (1, 4), (3, 4)), Present())
    assert order(placed) == [3, 4, 1, 2]
    assert placed[0].score == ranked[0].score
    newer = [each.newer and each.newer.passage.drawer_id for each in placed]
    assert newer == [None, 3, 3, None]


def test_what_says_less_of_the_query_renews_nothing() -> None:
    for newer in (
        fused(2, day=90, similarity=0.3),
        fused(2, day=90, coverage=0.4),
        fused(2, day=90, coverage=0.6),
        fused(2, day=10),
    ):
        placed = latest_first([fused(1, day=10), newer], alike((1, 2)), Present())
        assert order(placed) == [1, 2]
        assert [each.newer for each in placed] == [None, None]


def test_only_the_present_is_brought_forward() -> None:
    ranked = [fused(1, day=10), fused(2, day=20, is_person=False), fused(3, day=30)]
    present = [
        "When is my dentist appointment?",
        "What was my first appointment at the dentist?",
        "Which dentist did I change to?",
        "How long have I had my dentist?",
    ]
    past = [
        "When was my dentist appointment?",
        "When did I see the dentist?",
        "Why did I change to my dentist?",
        "How many days passed between my visits?",
        "What is my dentist appointment in May?",
    ]
    found = {query: asked_of(ranked, read_intent(query, NOW), Present()) for query in (*present, *past)}
    assert found == {query: [1, 3] for query in present} | {query: [] for query in past}
    assert asked_of(ranked, read_intent("my dentist", NOW), Present(drawers=0)) == []


def test_where_one_statement_answers_less_is_asked_of_the_newest() -> None:
    ranked = [fused(1, day=10, coverage=0.3), fused(2, day=90, coverage=0.25)]
    pair = alike((1, 2), likeness=0.45)
    assert order(latest_first(ranked, pair, Present())) == [1, 2]
    placed = latest_first(ranked, pair, Present(), Of.NAMED)
    assert order(placed) == [2, 1]
    assert placed[1].newer is placed[0].drawer


def test_less_is_asked_of_what_says_that_something_is_otherwise_now() -> None:
    older, newer = fused(1, day=10, similarity=0.8), fused(2, day=20, similarity=0.6, coverage=0.1)

    def placed(**known: Any) -> list[int]:
        said = {"likeness": 0.6, "shares": True, "changing": frozenset({2}), **known}
        return order(latest_first([older, newer], {frozenset({1, 2}): Alike(**said)}, Present()))

    assert placed() == [2, 1]
    for known in ({"changing": frozenset[int]()}, {"changing": frozenset({1})}, {"shares": False}, {"likeness": 0.3}):
        assert placed(**known) == [1, 2], known


def test_only_a_newer_one_that_changes_may_leave_out_a_number() -> None:
    ranked = [fused(1, day=10, phrase=1.0), fused(2, day=20)]
    for changing, placed in (([1], [1, 2]), ([2], [2, 1])):
        pairs = {frozenset({1, 2}): Alike(0.8, True, frozenset({1, 2}), frozenset(changing))}
        assert order(latest_first(ranked, of_one_number(ranked, pairs), Present(), Of.NAMED)) == placed


def test_a_change_comes_in_front_of_what_it_changes_and_not_of_another_appointment(palace: Palace) -> None:
    for day, said in (
        ("01", "The dentist appointment with Dr. Okafor is on Thursday 26 November."),
        ("03", "The grant meeting with Priya is on Wednesday 25 November at 10:00."),
        ("04", "Coffee with Priya on 24 November at 8:30."),
        ("08", "Moved: the dentist appointment with Dr. Okafor is now on Friday the 27th."),
        ("09", "I moved the grant meeting with Priya to Thursday 26 November."),
    ):
        palace.file([{"role": "user", "content": said, "timestamp": f"2026-11-{day}T10:00:00Z"}])

    def first(query: str) -> tuple[str, bool]:
        hit = palace.recall(query, now=datetime(2026, 11, 20, tzinfo=UTC)).hits[0]
        return hit.drawer.content.split(",")[0][:20], hit.newer is None

    assert first("dentist appointment with Dr. Okafor") == ("Moved: the dentist a", True)
    assert first("grant meeting with Priya") == ("I moved the grant me", True)
    assert first("coffee with Priya") == ("Coffee with Priya on", True)


def test_even_then_it_must_be_of_the_same() -> None:
    cases = [
        (fused(2, day=90, coverage=0.3), alike((1, 2), likeness=0.45, shares=False)),
        (fused(2, day=90, coverage=0.3), alike((1, 2), likeness=0.35)),
        (fused(2, day=90, coverage=0.3), alike((1, 2), likeness=0.99)),
        (fused(2, day=90, coverage=0.3), {frozenset((1, 2)): Alike(0.45, True, frozenset([1]))}),
        (fused(2, day=90, coverage=0.1), alike((1, 2), likeness=0.45)),
        (fused(2, day=90, coverage=0.3, similarity=0.4), alike((1, 2), likeness=0.45)),
        (fused(40, day=90, coverage=0.3), alike((1, 40), likeness=0.45)),
        (fused(2, day=5, coverage=0.3), alike((1, 2), likeness=0.45)),
    ]
    for newer, known in cases:
        ranked = [fused(1, day=10, coverage=0.3), newer]
        assert order(latest_first(ranked, known, Present(), Of.NAMED)) == order(ranked), (newer, known)


def test_of_an_amount_both_must_name_it_and_less_is_asked_beside() -> None:
    ranked = [fused(1, day=10, coverage=0.8), fused(2, day=90, coverage=0.45, similarity=0.4)]
    both = alike((1, 2), likeness=0.45)
    assert order(latest_first(ranked, both, Present(), Of.NAMED)) == [1, 2]
    assert order(latest_first(ranked, both, Present(), Of.AMOUNT)) == [2, 1]
    one = {frozenset((1, 2)): Alike(0.9, True, frozenset([2]))}
    assert order(latest_first(ranked, one, Present(), Of.AMOUNT)) == [1, 2]


def test_an_earlier_state_comes_in_front_of_the_best() -> None:
    ranked = [fused(3, day=90), fused(2, day=50), fused(4, day=60), fused(1, day=10)]
    for query, first in (("Which van did I have first?", 1), ("Which van did I have before this one?", 2)):
        asked = read_intent(query, NOW).earlier
        assert asked is not None
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


def test_a_number_is_found_where_it_stands_beside_the_word_that_it_is_asked_with(palace: Palace) -> None:
    said = [
        {"role": "user", "content": f"Tree number {at} bears {at % 8} kg.", "timestamp": f"2026-03-{at:02}T12:00:00Z"}
        for at in range(1, 29)
    ]
    palace.file(said, id="orchard")
    assert palace.recall("tree number 7").hits[0].drawer.content == "Tree number 7 bears 7 kg."
