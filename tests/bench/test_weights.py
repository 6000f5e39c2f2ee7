"""Fitting what signals weigh."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.weights.examples import Example
from bench.weights.features import Listed, list_places, rows_of, weights_of
from bench.weights.fit import fit, loss_of
from bench.weights.measure import figures_of
from palace import Strategy
from palace.recall.comparison import Comparison
from palace.recall.intent import read_intent
from palace.recall.ranking.fuse import Diversity, fuse
from palace.recall.ranking.signals import Background
from palace.records import Calibration, Compared, PassageKey
from palace.store.candidates.words import QueryWords

NOW = datetime(2026, 9, 1, tzinfo=UTC)


def example(similarities: list[float], *, answer: int = 1) -> Example:
    """Turns of one conversation, as similar as they are told to be."""
    drawers = [
        Compared(
            passage=PassageKey(number, 0),
            room_id=number,
            turn=(1, number),
            is_person=number % 2 == 0,
            said_at=NOW - timedelta(days=number),
            speaks_of_it=False,
            similarity=similarity,
            preference=None,
            keyword=similarity / 3,
            phrase=0.0,
            coverage=similarity,
        )
        for number, similarity in enumerate(similarities)
    ]
    found = Comparison(drawers, Background(read_intent("my dentist", NOW)), Calibration(), QueryWords((), ()))
    places = {drawer.passage.drawer_id: str(drawer.passage.drawer_id) for drawer in drawers}
    return Example("made up", "q1", found, frozenset([answer]), places, frozenset([str(answer)]))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_rows_weighed_order_as_recall_does(similarities: list[float]) -> None:
    asked = example(similarities)
    weighing = Strategy(diversity=Diversity(weight=0.0)).weighing(Calibration())
    worth = rows_of(asked, weighing) @ weights_of(weighing)
    ranked = fuse(asked.found.drawers, asked.found.background, weighing).ranked
    told = [worth[fused.drawer.passage.drawer_id] for fused in ranked]
    assert all(before >= behind - 1e-9 for before, behind in pairwise(told))


def test_the_row_that_answers_is_told() -> None:
    listed = list_places(example([0.9, 0.2, 0.5]), Strategy().weighing(Calibration()))
    assert listed.rows.shape[0] == len(listed.answers) == 3
    assert listed.answers.sum() == 1
    assert listed.can_teach
    assert not list_places(example([0.9], answer=0), Strategy().weighing(Calibration())).can_teach


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
