"""From judgements to figures."""

from __future__ import annotations

import pytest

from bench.answering.models import Call, Judged, costs
from bench.answering.score import score


def judged(name: str, kind: str, right: bool, *, judging: str = "plain") -> Judged:
    """Make a line of a log."""
    return Judged(name, kind, judging, "words", right, [Call("m", 10, 0.001, 0.5, "ok")])


LINES = [
    judged("1", "near", True),
    judged("2", "near", True),
    judged("3", "near", False),
    judged("4", "far", True),
    judged("5_abs", "far", False, judging="abstention"),
    judged("6_abs", "far", True, judging="abstention"),
    judged("7", "5 adversarial", True, judging="adversarial"),
]


def test_right_answers_are_counted_by_type_and_abstentions_apart() -> None:
    figures = score(LINES, asked=9)
    assert (figures["asked"], figures["judged"]) == (9, 7)
    assert (figures["overall"]["count"], figures["overall"]["right"]) == (4, 3)
    assert figures["overall"]["value"] == 0.75
    shares = {kind: (figure["right"], figure["count"]) for kind, figure in figures["by_type"].items()}
    assert shares == {"near": (2, 3), "far": (1, 1)}
    assert (figures["abstention"]["right"], figures["abstention"]["count"]) == (2, 3)


def test_the_published_way_of_counting_takes_abstentions_in() -> None:
    published = score(LINES, asked=7)["as_published"]
    assert (published["overall"]["right"], published["overall"]["count"]) == (5, 7)
    assert published["type_mean"] == pytest.approx((2 / 3 + 2 / 3 + 1) / 3, abs=1e-6)


def test_intervals_hold_the_share_and_widen_with_doubt() -> None:
    figure = score(LINES * 10, asked=70)["overall"]
    low, high = figure["interval"]
    assert 0.5 < low < figure["value"] < high < 1
    assert score([judged("1", "near", True)], asked=1)["overall"]["interval"] == [1, 1]


def test_costs_are_summed_with_what_failed() -> None:
    failed = Judged("1", "near", "plain", "words", None, [Call("m", 0, 0.0, 2.0, "timeout")], "no reply")
    summed = {"calls": 3, "failed_calls": 1, "tokens": 20, "cost_usd": 0.002, "seconds": 3.0}
    assert costs([*LINES[:2], failed]) == summed
