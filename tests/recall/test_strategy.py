"""A strategy: what it holds, what it refuses, and that recall keeps to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

import palace as package
from palace import BadRequest, Palace, Settings, Strategy
from palace.models import Floor, KeywordLimits
from palace.testing import HashingEmbedder


def test_a_strategy_is_public_and_cannot_be_changed() -> None:
    assert "Strategy" in package.__all__
    mine = {"room": 0.1}
    strategy = Strategy(weights=mine)
    mine["room"] = 9.0
    assert strategy.weights == {"room": 0.1}
    with pytest.raises(FrozenInstanceError):
        strategy.spare = 3  # type: ignore[misc]  # what is refused


def test_what_a_strategy_describes_makes_the_same_one_again() -> None:
    few, strict = KeywordLimits(passages=7), Floor(hit=0.3)
    strategy = Strategy(arms=Strategy().arms[:1], weights={"time": 0.0}, keyword=few, floor=strict, spare=2)
    assert Strategy.of(strategy.describe()) == strategy
    assert Strategy.of(Strategy().describe()) == Strategy.of({}) == Strategy()


def test_what_makes_no_strategy_is_refused_in_one_line() -> None:
    wrong: list[tuple[Mapping[str, Any], str]] = [
        ({"speed": 1}, "there is no part of a strategy 'speed': one of semantic, keyword"),
        ({"keyword": {"budget": 1}}, "there is no number of keyword 'budget'"),
        ({"keyword": 7}, "keyword of a strategy must be names with numbers, not 7"),
        ({"weights": {"crowd": 0}}, "there is no signal 'crowd'"),
        ({"weights": {"room": -0.1}}, "weights.room of a strategy must be from 0 to 100,000,000, not -0.1"),
        ({"weights": {"room": "much"}}, "weights.room of a strategy must be a number, not 'much'"),
        ({"weights": {"room": float("nan")}}, "weights.room of a strategy must be from 0"),
        ({"semantic": {"vectors": 1.5}}, "semantic.vectors of a strategy must be a whole number, not 1.5"),
        ({"semantic": {"vectors": True}}, "semantic.vectors of a strategy must be a whole number, not True"),
        ({"times": {"recent_days": 0.0}}, "times.recent_days of a strategy must be from 0"),
        ({"spare": 10**9}, "spare of a strategy must be from 0 to 100,000,000, not 1000000000"),
        ({"arms": ["walks"]}, "there is no arm 'walks': one of semantic, named"),
    ]
    for described, message in wrong:
        with pytest.raises(BadRequest, match=message):
            Strategy.of(described)


def test_what_is_no_strategy_is_refused_where_it_is_given(palace: Palace, settings: Settings) -> None:
    with pytest.raises(BadRequest, match=r"strategy must be a palace\.Strategy, not dict"):
        palace.recall("boat", strategy={"spare": 1})  # type: ignore[arg-type]  # what is refused
    with pytest.raises(BadRequest, match=r"strategy must be a palace\.Strategy, not str"):
        Palace.open(settings, strategy="fast")  # type: ignore[arg-type]  # what is refused


def test_a_palace_keeps_to_the_strategy_it_was_opened_with_unless_a_call_brings_another(
    palace: Palace, settings: Settings
) -> None:
    palace.note("The red boat lies in the harbour.")
    strict = Strategy.of({"floor": {"recollection": 3.0}})
    with Palace.open(settings, user=palace.user, embedder=HashingEmbedder(), strategy=strict) as opened:
        assert opened.recall("red boat").hits == ()
        assert len(opened.recall("red boat", strategy=Strategy()).hits) == 1


def test_each_floor_keeps_back_what_is_beneath_it(palace: Palace) -> None:
    palace.note("The red boat lies in the harbour.")
    palace.note("A red kettle.")
    assert len(palace.recall("red boat in the harbour").hits) == 2
    (hit,) = palace.recall("red boat in the harbour", strategy=Strategy.of({"floor": {"hit": 0.6}})).hits
    assert hit.drawer.content.startswith("The red boat")
    without_coverage = Strategy.of({"floor": {"coverage": 0.0, "recollection": 1.0}})
    assert palace.recall("red boat in the harbour", strategy=without_coverage).hits == ()
    quantised = Strategy.of({"scan": {"exact_up_to": 0}})
    assert palace.recall("red boat", strategy=quantised).hits == palace.recall("red boat").hits
