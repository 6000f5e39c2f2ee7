"""How likely a hit answers."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from palace.recall.ranking.calibration import CALIBRATIONS
from palace.recall.ranking.confidence import features_of, likelihood
from palace.recall.ranking.fuse import Fused
from palace.records import Compared, PassageKey

MEASURED = next(iter(CALIBRATIONS.values())).confidence
shares = st.floats(0, 1)


def drawer(similarity: float | None, coverage: float = 0.0) -> Compared:
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    return Compared(PassageKey(1, 0), 1, (1, 0), True, moment, False, similarity, None, 0.0, 0.0, coverage)


def test_a_drawer_is_held_against_the_ten_most_similar_others() -> None:
    others = [drawer(0.1)] * 20 + [drawer(0.3)] * 5 + [drawer(0.5)] * 5
    one = drawer(0.6, 0.7)
    first = features_of(Fused(one, 1.0), [*others, one], drawers=1000, is_first=True)
    assert first == (0.6, 0.7, 0.6 - 0.4, 3.0, 1.0, 0.0, 0.0)
    assert features_of(Fused(one, 1.0), [one], drawers=1, is_first=False) == (0.6, 0.7, 0.0, 0.0, 0.0, 0.0, 0.0)
    assert features_of(Fused(drawer(None), 1.0), [], drawers=0, is_first=False) == (0.0,) * 7


def test_a_question_is_less_likely_to_answer_than_what_answers_it() -> None:
    assert MEASURED is not None
    asked = replace(drawer(0.9, 1.0), asked="What does the charger give?")
    alone = features_of(Fused(asked, 1.0), [asked], drawers=100, is_first=True)
    answer = drawer(0.4, 0.2)
    answered = features_of(Fused(answer, 1.0, asked), [asked, answer], drawers=100, is_first=True)
    assert (alone[5:], answered[5:]) == ((1.0, 0.0), (0.0, 1.0))
    assert likelihood(alone, MEASURED) < 0.3 < likelihood(answered, MEASURED)


@given(shares, shares, st.lists(shares, max_size=15), st.integers(1, 10**7), st.booleans())
def test_it_is_a_likelihood_that_rises_with_similarity(
    similarity: float, coverage: float, others: list[float], drawers: int, is_first: bool
) -> None:
    assert MEASURED is not None
    compared = [drawer(each) for each in others]
    rising = (Fused(drawer(near, coverage), 1.0) for near in (similarity, similarity + 0.1))
    found = [likelihood(features_of(each, compared, drawers=drawers, is_first=is_first), MEASURED) for each in rising]
    assert 0 < found[0] < found[1] < 1
