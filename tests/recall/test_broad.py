"""Questions for all of a kind: more hits, each statement once, and in the order in which it was said."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from palace import HitOrder, Palace, Strategy
from palace.errors import BadRequest
from palace.recall.ranking.fuse import Fused
from palace.recall.strategy import Broad
from palace.recall.wanted.broad import told_once, within_budget, within_reach
from palace.records import Compared, Floor, PassageKey
from palace.settings import Settings

NOW = datetime(2026, 9, 1, 12, tzinfo=UTC)
ISLANDS = (
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
)
BROAD = "Which islands have I visited?"
NARROW = "What island is my sister on?"


@pytest.fixture
def palace(settings: Settings) -> Iterator[Palace]:
    """A palace that tells of ten islands in ten talks, the last one first."""
    with Palace.open(settings, user=f"user-{uuid.uuid4()}") as opened:
        for number, island in enumerate(ISLANDS):
            said(opened, f"2026-0{1 + number % 8}-1{number % 9}", f"I visited the island of {island} on a ferry.")
        yield opened


def said(palace: Palace, day: str, *texts: str) -> None:
    turns = [{"role": "user", "content": text, "timestamp": f"{day}T10:0{n}:00Z"} for n, text in enumerate(texts)]
    palace.file(turns, id=f"{day} {uuid.uuid4()}")


def test_a_broad_question_is_answered_with_more_than_five_hits(palace: Palace) -> None:
    hits = palace.recall(BROAD, now=NOW).hits
    assert {island for island in ISLANDS for hit in hits if island in hit.drawer.content} == set(ISLANDS)
    assert len(palace.recall(NARROW, now=NOW).hits) == 5


def test_a_number_that_is_given_holds(palace: Palace) -> None:
    assert [len(palace.recall(BROAD, top_k=number, now=NOW).hits) for number in (3, 5, 9)] == [3, 5, 9]


def test_what_is_much_less_relevant_is_not_added(palace: Palace) -> None:
    for number in range(8):
        said(palace, "2026-03-01", f"The quarterly tax return number {number} is due at the office.")
    hits = palace.recall(BROAD, now=NOW).hits
    assert not any("tax" in hit.drawer.content for hit in hits)


def test_what_is_added_fits_a_block(settings: Settings) -> None:
    with Palace.open(settings, user=f"user-{uuid.uuid4()}") as palace:
        for number, island in enumerate(ISLANDS):
            said(
                palace, f"2026-05-1{number}", f"I visited the island of {island}. " + "The ferry was late again. " * 45
            )
        found = palace.recall(BROAD, now=NOW)
        assert len(found.hits) == 5
        wide = Strategy(broad=Broad(characters=100_000))
        assert len(palace.recall(BROAD, now=NOW, strategy=wide).hits) == 10


def test_one_statement_counts_once_in_front(palace: Palace) -> None:
    for day in range(1, 8):
        said(palace, f"2026-04-0{day}", f"I visited the island of Sylt on a ferry{'!' * day}")
    hits = palace.recall(BROAD, now=NOW).hits
    front = [hit.drawer.content for hit in hits[: len(ISLANDS)]]
    assert {island for island in ISLANDS for content in front if island in content} == set(ISLANDS)


def test_hits_stand_in_the_order_in_which_they_were_said_if_asked_for(palace: Palace) -> None:
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


def test_a_block_in_order_of_time_leaves_out_the_least_relevant(palace: Palace) -> None:
    found = palace.recall(BROAD, now=NOW, order="time")
    best = max(found.hits, key=lambda hit: hit.score)
    block = palace.context_block(found, token_budget=60)
    assert 1 <= block.count("§") < len(found.hits)
    assert str(best.drawer.pointer) in block
    whole = palace.context_block(found)
    places = [whole.index(f"\n{hit.drawer.pointer} ") for hit in found.hits]
    assert places == sorted(places)


def fused(number: int, *, similarity: float) -> Fused:
    compared = Compared(
        passage=PassageKey(number, 0),
        room_id=number,
        turn=(number, 0),
        is_person=True,
        said_at=NOW,
        speaks_of_it=False,
        similarity=similarity,
        preference=None,
        keyword=1.0,
        phrase=0.0,
        coverage=0.0,
    )
    return Fused(compared, 1 - number / 100)


def ids(ranked: list[Fused]) -> list[int]:
    return [each.drawer.passage.drawer_id for each in ranked]


def test_what_is_told_again_stands_behind_the_front_and_nothing_is_lost() -> None:
    ranked = [fused(number, similarity=0.5) for number in range(6)]
    alike = {frozenset((0, 1)): 0.95, frozenset((2, 4)): 0.95}
    assert ids(told_once(ranked, alike, 3)) == [0, 2, 3, 1, 4, 5]
    assert ids(told_once(ranked, {}, 3)) == [0, 1, 2, 3, 4, 5]


def test_the_first_five_stay_however_little_relevant() -> None:
    ranked = [fused(number, similarity=0.9 if number == 0 else 0.01) for number in range(8)]
    assert ids(within_reach(ranked, Floor(), Broad())) == [0, 1, 2, 3, 4]
    assert ids(within_reach(ranked, Floor(), replace(Broad(), reach=0.0))) == list(range(8))
    assert within_budget((), 1200, Broad()) == ()
