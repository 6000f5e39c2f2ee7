"""What the arms propose together: everything that may answer, and more within the times a query speaks of."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from palace import Palace
from palace.recall.arms import LONGEST_WINDOW, Arms, _scopes_in_time
from palace.recall.reading import Reading, read_query
from palace.recall.request import make_request
from palace.records import Scope, Span
from palace.text.times import TimeWindow

NOW = datetime(2026, 6, 14, 12, tzinfo=UTC)


def window(length: timedelta, softness: timedelta = timedelta(days=2)) -> TimeWindow:
    return TimeWindow(NOW - length, NOW, Span(0, 1), softness)


def test_each_time_a_query_speaks_of_is_looked_through_as_wide_as_it_is_soft() -> None:
    week, month = window(timedelta(days=7)), window(timedelta(days=30), timedelta(days=3))
    soft = timedelta(days=2)
    assert _scopes_in_time(Scope(wing_id=7), Reading(NOW, (week, month))) == [
        Scope(wing_id=7, since=week.start - soft, until=NOW + soft),
        Scope(wing_id=7, since=month.start - timedelta(days=3), until=NOW + timedelta(days=3)),
    ]


def test_a_time_that_holds_too_much_is_not_looked_through() -> None:
    just, more = window(LONGEST_WINDOW), window(LONGEST_WINDOW + timedelta(days=1))
    (scope,) = _scopes_in_time(Scope(), Reading(NOW, (more, just)))
    assert scope.since == just.start - just.softness
    assert _scopes_in_time(Scope(), Reading(NOW)) == []


@pytest.mark.parametrize("scope", [Scope(since=NOW), Scope(until=NOW)])
def test_where_the_caller_says_when_that_alone_counts(scope: Scope) -> None:
    assert _scopes_in_time(scope, Reading(NOW, (window(timedelta(days=1)),))) == []


@pytest.fixture
def diary(palace: Palace, tmp_path: Path) -> Palace:
    """One turn a day for six weeks, all but the last about regattas."""
    said = [(day, f"The regatta of day {day} was loud.") for day in range(42)]
    said.append((32, "A heron stood on the jetty."))
    turns = [
        {"role": "user", "content": content, "timestamp": (NOW - timedelta(days=42 - day)).isoformat()}
        for day, content in said
    ]
    path = tmp_path / "diary.json"
    path.write_text(json.dumps(turns), encoding="utf-8")
    palace.mine(path)
    return palace


def proposed(palace: Palace, query: str, scope: Scope = Scope()) -> set[str]:  # noqa: B008
    opened = palace._opened
    arms = Arms(opened.database, opened.find_model)
    request = make_request(query, top_k=5, scope=scope, context=0, now=NOW)
    ids = arms.propose(request, read_query(query, NOW)).drawer_ids
    assert len(ids) == len(set(ids))
    rooms = [room for wing in palace.tree.wings() for room in palace.tree.rooms(wing)]
    return {drawer.content for room in rooms for drawer in palace.tree.drawers(room) if drawer.id in ids}


def test_what_was_said_at_a_time_is_proposed_however_little_it_resembles_the_query(
    diary: Palace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("palace.recall.arms.VECTORS", 10)
    monkeypatch.setattr("palace.recall.arms.PASSAGES", 10)
    heron = "A heron stood on the jetty."
    assert heron not in proposed(diary, "how loud was the regatta?")
    assert heron in proposed(diary, "how loud was the regatta ten days ago?")
    confined = Scope(since=NOW - timedelta(days=50))
    assert heron not in proposed(diary, "how loud was the regatta ten days ago?", confined)


def test_what_only_one_arm_proposes_is_proposed(diary: Palace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palace.recall.arms.VECTORS", 1)
    assert len(proposed(diary, "regatta heron")) > 1
    assert proposed(diary, "herons") == {"A heron stood on the jetty."}
