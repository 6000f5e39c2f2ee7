"""Scores of rankings: worked by hand, held to LongMemEval's own definition, and true of any ranking."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations
from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench import metrics

IDS = st.lists(st.sampled_from("abcdefgh"), unique=True)
GOLD = st.sets(st.sampled_from("abcdefgh"), min_size=1)
PLACES = st.integers(1, 10)


OFFICIAL = [
    # Ranking, gold, k; what `evaluate_retrieval` of LongMemEval's src/retrieval/eval_utils.py says of them: recall_any,
    # recall_all, ndcg_any. It weighs places 1 and 2 alike and divides place i by log2(i); its corpus is a to f.
    ("bacdef", "a", 1, (0, 0, 0)),
    ("bacdef", "a", 5, (1, 1, 1)),
    ("bcadef", "a", 5, (1, 1, 0.6309297535714574)),
    ("bcdaef", "ab", 3, (1, 0, 0.5)),
    ("cadbef", "ab", 5, (1, 1, 0.75)),
    ("cdefab", "abc", 5, (1, 0, (1 + 1 / log2(5)) / (2 + 1 / log2(3)))),
    ("fedcba", "abc", 5, (1, 0, (1 / log2(4) + 1 / log2(5)) / (2 + 1 / log2(3)))),
    ("abcdef", "abc", 30, (1, 1, 1)),
]


def test_scores_are_those_of_the_official_evaluation() -> None:
    for letters, wanted, k, expected in OFFICIAL:
        ranking, gold = list(letters), list(wanted)
        found = (
            metrics.recall_any(ranking, gold, k),
            metrics.recall_all(ranking, gold, k),
            metrics.ndcg(ranking, gold, k),
        )
        assert found == pytest.approx(expected), (letters, wanted, k)


@given(IDS, GOLD, PLACES)
def test_gain_lies_between_nothing_and_the_gold_in_front(ranking: list[str], gold: set[str], k: int) -> None:
    assert 0 <= metrics.ndcg(ranking, gold, k) <= 1 + 1e-12
    in_front = [*gold, *(found for found in ranking if found not in gold)]
    assert metrics.ndcg(in_front, gold, k) == pytest.approx(1)


def test_figures_that_were_worked_out_by_hand() -> None:
    ranking, gold = ["x", "a", "y", "b"], ["a", "b"]
    assert [metrics.recall_any(ranking, gold, k) for k in (1, 2, 4)] == [0, 1, 1]
    assert [metrics.recall_all(ranking, gold, k) for k in (1, 3, 4)] == [0, 0, 1]
    assert [metrics.recall_share(ranking, gold, k) for k in (1, 2, 4)] == [0, 0.5, 1]
    assert metrics.reciprocal_rank(["x", "y", "a", "b"], gold) == pytest.approx(1 / 3)
    assert metrics.reciprocal_rank(["x"], ["a"]) == metrics.ndcg([], ["a"], 5) == 0
    # Found at place 3 of two: 1 / log2(3) of 1 + 1; what was never found counts.
    assert metrics.ndcg(["x", "y", "a"], gold, 5) == pytest.approx((1 / log2(3)) / 2)


def test_percentiles_are_values_that_were_measured() -> None:
    values = [float(value) for value in range(1, 101)]
    assert metrics.percentiles(values) == {"p50": 50, "p95": 95}
    assert metrics.percentile([7.0], 0.95) == 7
    assert metrics.percentile([], 0.5) == 0


def test_an_interval_holds_the_mean_and_narrows_with_more_questions() -> None:
    few, many = metrics.interval([0.0, 1.0] * 10), metrics.interval([0.0, 1.0] * 1000)
    assert few.low < many.low < 0.5 < many.high < few.high
    # The mean of 2,000 tosses has a standard error of 0.0112.
    assert many.high - many.low == pytest.approx(2 * 1.96 * 0.0112, rel=0.15)


def test_a_paired_difference_knows_that_the_same_questions_were_asked() -> None:
    before = [0.0, 1.0] * 50
    after = [score + 0.1 for score in before]
    difference = metrics.paired_difference(before, after)
    assert difference.mean == pytest.approx(0.1)
    # Unpaired, the spread between questions would drown it.
    assert difference.interval == pytest.approx((0.1, 0.1))
    assert (difference.better, difference.worse) == (100, 0)


@given(st.integers(1, 6), st.integers(1, 6), PLACES)
def test_what_lots_score_is_the_mean_over_all_orders(ids: int, gold: int, k: int) -> None:
    names, wanted = [str(number) for number in range(ids)], [str(number) for number in range(min(gold, ids))]
    orders = list(permutations(names))
    chance = metrics.Chance(ids, len(wanted))

    def mean(metric: Callable[[Sequence[str], Sequence[str], int], float]) -> float:
        return sum(metric(order, wanted, k) for order in orders) / len(orders)

    assert chance.recall_any(k) == pytest.approx(mean(metrics.recall_any))
    assert chance.recall_all(k) == pytest.approx(mean(metrics.recall_all))
    assert chance.recall_share(k) == pytest.approx(mean(metrics.recall_share))
    assert chance.ndcg(k) == pytest.approx(mean(metrics.ndcg))
    firsts = sum(metrics.reciprocal_rank(order, wanted) for order in orders) / len(orders)
    assert chance.reciprocal_rank() == pytest.approx(firsts)
