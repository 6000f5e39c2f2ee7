"""The words of a time said of another time: they do not speak for what says them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from palace import Hit, Palace, Palaces

NOW = datetime(2026, 9, 10, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def palaces(bundled: Palaces) -> Palaces:
    return bundled


def said(palace: Palace, day: str | None, text: str, role: str = "user") -> None:
    moment = {"timestamp": f"{day}T10:00:00Z"} if day else {}
    palace.file([{"role": role, "content": text, **moment}], id=text)


def hits(palace: Palace, query: str, now: datetime = NOW) -> dict[str, Hit]:
    return {hit.drawer.content: hit for hit in palace.recall(query, now=now, floor="none").hits}


def keyword(hit: Hit) -> float:
    return next((arm.score for arm in hit.arms if arm.arm == "keyword"), 0.0)


def test_yesterday_said_of_another_day_is_no_match_and_of_the_day_that_is_asked_for_is_one(palace: Palace) -> None:
    said(palace, "2026-06-03", "Yesterday I met Ines at the harbour.")
    said(palace, "2026-09-09", "I met Jonas at the quarry.")
    found = hits(palace, "Whom did I meet yesterday?")
    assert next(iter(found)).startswith("I met Jonas")
    june, september = found["Yesterday I met Ines at the harbour."], found["I met Jonas at the quarry."]
    assert (keyword(june), keyword(september)) == (0, 0)
    said(palace, "2026-06-03", "Yesterday the harbour was closed.")
    said(palace, "2026-09-10", "Yesterday the quarry was closed.")
    found = hits(palace, "What was shut yesterday?")
    assert keyword(found["Yesterday the quarry was closed."]) > 0
    assert keyword(found["Yesterday the harbour was closed."]) == 0


def test_what_is_ahead_stands_behind_what_was(palace: Palace) -> None:
    said(palace, "2026-06-10", "We fly to Porto and eat grilled sardines.")
    said(palace, "2026-09-09", "In three months we will fly to Porto and eat grilled sardines again.")
    first = next(iter(hits(palace, "Where did we eat sardines three months ago?")))
    assert first.startswith("We fly to Porto")
    ahead = next(iter(hits(palace, "Where will we eat sardines in three months?")))
    assert ahead.startswith("In three months")
