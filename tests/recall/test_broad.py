"""Questions for all of a kind: more hits, each statement once, and in the order in which it was said."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from palace import BadRequest, HitOrder, Palace, Palaces, Strategy
from palace.models import Floor
from palace.recall.floor import told_once, within_budget, within_reach
from tests.recall.ranked import fused, order

BROADLY = Strategy().broad
NOW = datetime(2026, 9, 1, 12, tzinfo=UTC)
ISLANDS = [
    "Sylt",
    "Amrum",
    "Juist",
    "Baltrum",
    "Pellworm",
    "Borkum",
    "Spiekeroog",
    "Langeoog",
    "Norderney",
    "Wangerooge",
]
BROAD = "Which islands have I visited?"
NARROW = "What island is my sister on?"


@pytest.fixture(scope="module")
def palace(bundled: Palaces) -> Palace:
    """A palace that tells of ten islands in ten talks, and of taxes."""
    opened = bundled.palace(f"user-{uuid.uuid4()}")
    for number, island in enumerate(ISLANDS):
        said(opened, f"2026-0{1 + number % 8}-1{number % 9}", f"I visited the island of {island} on a ferry.")
    said(opened, "2026-03-01", *(f"The quarterly tax return number {n} is due at the office." for n in range(8)))
    return opened


def said(palace: Palace, day: str, *texts: str) -> None:
    turns = [{"role": "user", "content": text, "timestamp": f"{day}T10:0{n}:00Z"} for n, text in enumerate(texts)]
    palace.file(turns, id=f"{day} {uuid.uuid4()}")


def test_a_broad_question_is_answered_with_more_than_five_hits(palace: Palace) -> None:
    hits = palace.recall(BROAD, now=NOW).hits
    assert {island for island in ISLANDS for hit in hits if island in hit.drawer.content} == set(ISLANDS)
    assert not any("tax" in hit.drawer.content for hit in hits)
    assert len(palace.recall(NARROW, now=NOW).hits) == 5


def test_hits_stand_in_the_order_in_which_they_were_said_and_a_block_leaves_out_the_last(
    palace: Palace,
) -> None:
    found = palace.recall(BROAD, now=NOW, order="time")
    moments = [hit.drawer.said_at for hit in found.hits if hit.drawer.said_at]
    assert moments == sorted(moments)
    assert found.order is HitOrder.TIME
    best_first = palace.recall(BROAD, now=NOW)
    assert best_first.order is HitOrder.RELEVANCE
    assert {hit.drawer.id for hit in best_first.hits} == {hit.drawer.id for hit in found.hits}
    scores = [hit.score for hit in best_first.hits]
    assert scores == sorted(scores, reverse=True)
    with pytest.raises(BadRequest, match="order must be one of relevance, time, not 'newest'"):
        palace.recall(BROAD, order="newest")
    best = max(found.hits, key=lambda hit: hit.score)
    block = palace.context_block(found, token_budget=60)
    assert 1 <= block.count("§") < len(found.hits)
    assert str(best.drawer.pointer) in block
    whole = palace.context_block(found)
    places = [whole.index(f"\n{hit.drawer.pointer} ") for hit in found.hits]
    assert places == sorted(places)


def test_what_is_told_again_stands_behind_the_front_and_nothing_is_lost() -> None:
    ranked = [fused(number, similarity=0.5, keyword=1.0) for number in range(6)]
    alike = {frozenset((0, 1)): 0.95, frozenset((2, 4)): 0.95}
    assert order(told_once(ranked, alike, 3)) == [0, 2, 3, 1, 4, 5]
    assert order(told_once(ranked, {}, 3)) == [0, 1, 2, 3, 4, 5]


def test_the_first_five_stay_however_little_relevant() -> None:
    ranked = [fused(number, similarity=0.9 if number == 0 else 0.01, keyword=1.0) for number in range(8)]
    assert order(within_reach(ranked, Floor(), BROADLY)) == [0, 1, 2, 3, 4]
    assert order(within_reach(ranked, Floor(), replace(BROADLY, reach=0.0))) == list(range(8))
    assert within_budget((), BROADLY) == ()
