"""Fusing what is known of drawers, and the floor beneath them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace import Strategy
from palace.models import ArmScore, Calibration, Compared, Drawer, Floor, FloorLevel, Hit, Pointer, Role, Span
from palace.recall import floor
from palace.recall.fuse import Fused, Fusion, fuse
from palace.recall.intent import Intent, read_intent
from palace.recall.signals import SIGNALS, Background
from tests.recall.ranked import NOW, drawer
from tests.recall.ranked import order as order_of

PLAIN = Intent(NOW)
WEIGHING = Strategy().weighing(Calibration())


def plainly(compared: list[Compared], rooms: dict[int, float], intent: Intent) -> Fusion:
    """Fuse as Palace comes."""
    return fuse(compared, Background(intent, rooms), WEIGHING)


def order(ranked: Fusion | list[Fused]) -> list[int]:
    return order_of(ranked.ranked if isinstance(ranked, Fusion) else ranked)


def above_floor(ranked: list[Fused]) -> list[Fused]:
    return floor.above_floor(ranked, Floor())


drawers = st.lists(
    st.builds(
        drawer,
        st.integers(1, 40),
        st.none() | st.floats(-1, 1),
        keyword=st.floats(0, 30),
        phrase=st.floats(0, 30),
        coverage=st.floats(0, 1),
        room_id=st.integers(1, 5),
        turn=st.tuples(st.integers(1, 3), st.integers(0, 9)),
        is_person=st.booleans(),
        said_at=st.integers(-2000, 2000).map(lambda days: NOW + timedelta(days=days)),
    ),
    max_size=30,
    unique_by=lambda each: each.passage,
)
queries = st.sampled_from(["the boat", "what did I do last week?", "what did you suggest?", "any tips for now?"])


@given(drawers, st.dictionaries(st.integers(1, 5), st.floats(0, 20)), queries)
def test_every_drawer_is_ordered_and_scored_within_bounds(
    compared: list[Compared], rooms: dict[int, float], query: str
) -> None:
    fused = plainly(compared, rooms, read_intent(query, NOW))
    assert sorted(order(fused)) == sorted(each.passage.drawer_id for each in compared)
    scores = [each.score for each in fused.ranked]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


@given(drawers)
def test_the_order_in_which_drawers_are_proposed_does_not_matter(compared: list[Compared]) -> None:
    distinct = list({each.turn: each for each in compared}.values())
    forwards, backwards = plainly(distinct, {}, PLAIN), plainly(distinct[::-1], {}, PLAIN)
    assert forwards.ranked == backwards.ranked


def test_a_drawer_that_only_keywords_speak_for_can_win() -> None:
    compared = [drawer(1, 0.30), drawer(2, 0.29), drawer(9, 0.25, keyword=8.0, phrase=8.0, coverage=0.5)]
    assert order(plainly(compared, {}, PLAIN))[0] == 9


def test_a_drawer_without_a_vector_is_ranked_by_its_words() -> None:
    compared = [drawer(1, None, keyword=1.0), drawer(2, None, keyword=4.0, coverage=0.5), drawer(3, None)]
    assert order(plainly(compared, {}, PLAIN)) == [2, 1, 3]


QUESTION = "What does the charger give?"


def test_an_answer_takes_the_place_of_its_question_and_both_are_one() -> None:
    asked = drawer(1, 0.9, turn=(1, 0), asked=QUESTION)
    back = drawer(2, 0.1, turn=(1, 1), asked="Which charger do you mean?")
    answer = drawer(3, 0.2, turn=(1, 2))
    ranked = plainly([asked, back, answer, drawer(4, 0.5)], {}, PLAIN).ranked
    assert order(ranked) == [3, 4]
    assert ranked[0].question == asked


def test_a_question_nobody_answered_stays_and_counts_for_less() -> None:
    ranked = plainly([drawer(1, 0.5, turn=(1, 0), asked=QUESTION), drawer(2, 0.45, turn=(2, 0))], {}, PLAIN).ranked
    assert order(ranked) == [2, 1]
    assert [each.question for each in ranked] == [None, None]


def test_what_the_person_said_goes_before_what_was_answered_unless_the_query_asks_back() -> None:
    compared = [drawer(1, 0.5, is_person=False), drawer(2, 0.48)]
    assert order(plainly(compared, {}, read_intent("a hotel in Lisbon", NOW))) == [2, 1]
    assert order(plainly(compared, {}, read_intent("which hotel did you suggest in Lisbon?", NOW))) == [1, 2]


def test_a_time_lifts_what_was_said_then_and_what_speaks_of_it_and_hides_nothing() -> None:
    asked = read_intent("what did I plant three weeks ago?", NOW)
    compared = [
        drawer(1, 0.5, said_at=NOW - timedelta(days=300)),
        drawer(2, 0.4, said_at=NOW - timedelta(days=21)),
        drawer(3, 0.4, said_at=NOW - timedelta(days=250), speaks_of_it=True),
    ]
    assert order(plainly(compared, {}, asked)) == [2, 3, 1]
    assert order(plainly([replace(each, speaks_of_it=False) for each in compared], {}, PLAIN))[0] == 1


def test_the_latest_wins_where_the_present_is_asked_for() -> None:
    compared = [drawer(1, 0.5, said_at=NOW - timedelta(days=400)), drawer(2, 0.45, said_at=NOW - timedelta(days=2))]
    assert order(plainly(compared, {}, read_intent("where do I work?", NOW))) == [1, 2]
    assert order(plainly(compared, {}, read_intent("where do I work now?", NOW))) == [2, 1]


def test_what_else_the_person_said_in_the_room_lifts_a_drawer() -> None:
    compared = [drawer(1, 0.5), drawer(2, 0.49, coverage=0.5)]
    assert order(plainly(compared, {2: 3.0}, PLAIN)) == [2, 1]


def test_words_count_as_far_as_they_cover_the_query() -> None:
    """One word of many in common is no reason to stand in front of what means the same."""
    nearer = drawer(1, 0.5)
    assert order(plainly([nearer, drawer(2, 0.4, keyword=3.0, coverage=0.1)], {2: 3.0}, PLAIN)) == [1, 2]
    assert order(plainly([nearer, drawer(2, 0.4, keyword=3.0, coverage=0.5)], {2: 3.0}, PLAIN)) == [2, 1]


def test_few_words_count_less_where_the_vector_is_sure() -> None:
    """Half of the words that are enough do not outweigh what is nearest by far, but do where nothing is."""
    worded = drawer(2, 0.4, keyword=3.0, coverage=0.3)
    assert order(plainly([drawer(1, 0.5), drawer(3, 0.49), worded], {2: 3.0}, PLAIN))[0] == 2
    assert order(plainly([drawer(1, 0.5), drawer(3, 0.30), worded], {2: 3.0}, PLAIN))[0] == 1


def test_who_said_it_counts_less_in_a_talk_that_the_query_names() -> None:
    answered, said = drawer(1, 0.5, is_person=False), drawer(2, 0.48)
    assert order(plainly([answered, said], {}, PLAIN)) == [2, 1]
    named = [replace(answered, named=0.7), replace(said, named=0.7)]
    assert order(plainly(named, {}, PLAIN)) == [1, 2]


def test_what_was_said_after_the_moment_of_asking_comes_later_and_is_not_hidden() -> None:
    compared = [drawer(1, 0.5, said_at=NOW + timedelta(days=3)), drawer(2, 0.45)]
    assert order(plainly(compared, {}, PLAIN)) == [2, 1]


def test_a_turn_gains_from_the_one_that_takes_it_up() -> None:
    compared = [drawer(1, 0.5), drawer(2, 0.48, turn=(7, 4)), drawer(3, 0.47, turn=(7, 5), room_id=2)]
    assert order(plainly(compared, {}, PLAIN))[0] == 2


def test_an_answer_that_stands_in_front_already_keeps_its_place() -> None:
    answer, asked = drawer(3, 0.9, turn=(1, 1)), drawer(1, 0.3, turn=(1, 0), asked=QUESTION)
    ranked = plainly([answer, drawer(2, 0.5), asked], {}, PLAIN).ranked
    assert order(ranked) == [3, 2]
    assert ranked[0].question == asked


def test_an_answer_is_looked_for_in_the_wording_that_still_stands() -> None:
    asked = drawer(1, 0.9, turn=(1, 0), asked=QUESTION)
    versions = [drawer(2, 0.2, turn=(1, 1), is_person=False), drawer(3, 0.4, turn=(1, 1), is_replaced=True)]
    ranked = plainly([asked, *versions], {}, PLAIN).ranked
    assert ranked[0].drawer == versions[0]
    assert ranked[0].question == asked


def test_a_hit_says_what_spoke_for_it() -> None:
    compared = [drawer(1, 0.5, keyword=2.0), drawer(2, 0.6)]
    fusion = plainly(compared, {1: 1.5}, PLAIN)
    first = next(each for each in fusion.ranked if each.drawer.passage.drawer_id == 1)
    assert [(arm.arm, arm.score, arm.rank) for arm in fusion.reasons_of(first)] == [
        ("semantic", 0.5, 2),
        ("keyword", 2.0, 1),
        ("room", 1.5, 1),
    ]


def test_the_floor_rises_by_its_level() -> None:
    ranked = plainly([drawer(1, 0.2), drawer(2, 0.09)], {}, PLAIN).ranked

    def kept(least: float, level: FloorLevel = FloorLevel.NORMAL) -> list[int]:
        return order(floor.above_floor(ranked, Floor(recollection=least, hit=0.08), level))

    assert (kept(0.2), kept(0.21)) == ([1, 2], [])
    assert (kept(0.21, FloorLevel.LOW), kept(0.1, FloorLevel.STRICT), kept(0.9, FloorLevel.NONE)) == (
        [1, 2],
        [],
        [1, 2],
    )


def test_one_clear_answer_lets_related_drawers_in_and_keeps_strangers_out() -> None:
    weak = [drawer(1, 0.21, keyword=3.0, coverage=0.2), drawer(2, 0.12)]
    assert above_floor(plainly(weak, {}, PLAIN).ranked) == []
    rare = [drawer(1, 0.05), drawer(7, 0.0, keyword=2.0, coverage=0.9)]
    assert order(above_floor(plainly(rare, {}, PLAIN).ranked)) == [7], "rare words alone are a clear answer"
    near = [drawer(1, 0.6), drawer(2, 0.2), drawer(3, 0.01)]
    assert order(above_floor(plainly(near, {}, PLAIN).ranked)) == [1, 2]


@given(drawers, st.dictionaries(st.integers(1, 5), st.floats(0, 20)), queries)
def test_a_signal_is_never_more_than_it_says_and_nothing_where_it_is_not_asked(
    compared: list[Compared], rooms: dict[int, float], query: str
) -> None:
    background = Background(read_intent(query, NOW), rooms)
    for signal in SIGNALS:
        values = signal.scaled(signal.own(compared, background))
        highest = signal.most if signal.is_asked(background.intent) else 0.0
        assert all(-1 <= value <= highest for value in values)


def test_a_weight_of_a_strategy_goes_before_that_of_the_calibration_and_that_before_the_tables() -> None:
    measured = Calibration(similarity=2.0)
    assert Strategy().weighing(measured).weights["similarity"] == 2.0
    given_one = Strategy(weights={"similarity": 0.5, "room": 0.0}).weighing(measured)
    assert (given_one.weights["similarity"], given_one.weights["room"], given_one.weights["keyword"]) == (0.5, 0, 0.35)


def hit(number: int, score: float, confidence: float | None, **known: object) -> Hit:
    said = Drawer(number, Pointer(1, 1, number), "x", Role.USER, None, NOW, NOW, "Efoil", "Evening", None, number)
    return Hit(said, score, Span(0, 1), (), confidence=confidence, **known)  # type: ignore[arg-type]  # of several types


def test_what_is_far_behind_the_best_and_hardly_answers_is_dropped() -> None:
    asked, standing = hit(9, 0.0, 0.0).drawer, ArmScore("standing", 0.3, 1)
    hits = [
        *(hit(1, 0.9, 0.01), hit(2, 0.2, 0.01), hit(3, 0.2, 0.06), hit(4, 0.2, 0.6)),
        *(hit(5, 0.2, 0.04, question=asked), hit(6, 0.2, 0.2, newer=Pointer(1, 1, 7))),
        *(hit(7, 0.2, 0.04), hit(8, 0.2, None), replace(hit(9, 0.2, 0.01), arms=(standing,))),
    ]

    def kept(level: FloorLevel, hits: Sequence[Hit] = hits) -> list[int]:
        return [each.drawer.id for each in floor.without_tail(hits, Floor(), level)]

    assert kept(FloorLevel.NORMAL) == kept(FloorLevel.STRICT) == [1, 3, 4, 5, 6, 7, 8, 9]
    assert kept(FloorLevel.NONE) == kept(FloorLevel.LOW) == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    near = [hit(1, 0.9, 0.2), hit(2, 0.2, 0.03), hit(3, 0.2, 0.01), hit(4, 0.4, 0.01)]
    assert kept(FloorLevel.NORMAL, near) == [1, 2, 4]
    assert kept(FloorLevel.NORMAL, []) == []


@given(drawers)
def test_the_parts_of_a_score_add_up_to_it(compared: list[Compared]) -> None:
    fusion = plainly(list({each.passage.drawer_id: each for each in compared}.values()), {1: 2.0}, PLAIN)
    for fused in fusion.ranked:
        parts = fusion.parts_of(fused)
        assert sum(part.share for part in parts) == pytest.approx(fused.score, abs=1e-4)
        assert [abs(part.share) for part in parts] == sorted((abs(part.share) for part in parts), reverse=True)


def test_what_has_no_vector_yet_counts_as_similar_as_the_others_and_is_told_as_not_similar() -> None:
    compared = [drawer(1, 0.5), drawer(2, 0.6), drawer(3, None, keyword=5.0, coverage=1.0)]
    fusion = fuse(compared, Background(PLAIN, {}, unembedded=0.55), WEIGHING)
    assert order(fusion) == [3, 2, 1]
    assert "semantic" not in {score.arm for score in fusion.reasons_of(fusion.ranked[0])}


def test_a_signal_without_a_number_is_an_error() -> None:
    with pytest.raises(TypeError):
        SIGNALS[0].scaled([0.5, None])  # type: ignore[list-item]
