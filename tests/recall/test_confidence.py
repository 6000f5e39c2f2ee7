"""How likely a hit answers."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from palace.recall.ranking.calibration import CALIBRATIONS
from palace.recall.ranking.confidence import features_of, likelihood
from palace.records import Compared, PassageKey

MEASURED = next(iter(CALIBRATIONS.values())).confidence
shares = st.floats(0, 1)


def drawer(similarity: float | None, coverage: float = 0.0) -> Compared:
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    return Compared(PassageKey(1, 0), 1, (1, 0), True, moment, False, similarity, None, 0.0, 0.0, coverage)


def test_a_drawer_is_held_against_the_ten_most_similar_others() -> None:
    others = [drawer(0.1)] * 20 + [drawer(0.3)] * 5 + [drawer(0.5)] * 5
    one = drawer(0.6, 0.7)
    assert features_of(one, [*others, one], drawers=1000, is_first=True) == (0.6, 0.7, 0.6 - 0.4, 3.0, 1.0)
    assert features_of(one, [one], drawers=1, is_first=False) == (0.6, 0.7, 0.0, 0.0, 0.0)
    assert features_of(drawer(None), [], drawers=0, is_first=False) == (0.0, 0.0, 0.0, 0.0, 0.0)


@given(shares, shares, st.lists(shares, max_size=15), st.integers(1, 10**7), st.booleans())
def test_it_is_a_likelihood_that_rises_with_similarity(
    similarity: float, coverage: float, others: list[float], drawers: int, is_first: bool
) -> None:
    assert MEASURED is not None
    compared = [drawer(each) for each in others]
    found = [
        likelihood(features_of(drawer(near, coverage), compared, drawers=drawers, is_first=is_first), MEASURED)
        for near in (similarity, similarity + 0.1)
    ]
    assert 0 < found[0] < found[1] < 1
