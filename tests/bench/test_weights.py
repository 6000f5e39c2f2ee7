"""Fitting what signals weigh."""

from __future__ import annotations

import numpy as np
import pytest

from bench.weights.features import Listed
from bench.weights.fit import fit, loss_of
from bench.weights.measure import figures_of


@pytest.mark.nightly
def test_a_fit_finds_what_tells_and_is_held_to_what_was() -> None:
    random = np.random.default_rng(7)
    listed = []
    for _ in range(200):
        rows = random.random((12, 3))
        # The second signal tells nothing, the third tells more than is thought.
        answers = np.zeros(12, bool)
        answers[int(np.argmax(rows @ np.array([1.0, 0.0, 2.0])))] = True
        listed.append(Listed(rows, answers))
    usual = np.array([1.0, 1.0, 1.0])
    loose, firm = fit(listed, usual, ridge=0.01), fit(listed, usual, ridge=1e6)
    assert (loose[0], firm[0]) == pytest.approx((1.0, 1.0))
    assert loose[1] < 0.2
    assert loose[2] == pytest.approx(2.0, abs=0.4)
    assert firm == pytest.approx(usual, abs=0.05)
    assert loss_of(listed, loose * 8, usual, 0.0) < loss_of(listed, usual * 8, usual, 0.0)


def test_figures_tell_where_answers_stand() -> None:
    assert figures_of(["a", "b", "c"], frozenset("bc")) == {
        "any@1": 0.0,
        "any@5": 1.0,
        "all@5": 1.0,
        "share@10": 1.0,
        "mrr": 0.5,
    }
    assert figures_of(["a"], frozenset("x"))["mrr"] == 0.0
