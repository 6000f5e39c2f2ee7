"""What the arms propose together: everything that may answer, and more within the times a query speaks of."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from palace import Palace, Strategy
from palace.embedding.protocol import EmbeddedTexts, Embedder
from palace.errors import OutOfTime
from palace.recall.arms import ARMS
from palace.recall.arms.propose import Asked, Proposals, propose
from palace.recall.arms.protocol import Arm, ArmRequest, Proposal
from palace.recall.arms.semantic import SemanticLimits, scopes_in_time
from palace.recall.arms.understand import Understood
from palace.recall.intent import Intent, read_intent
from palace.recall.ranking.signals import SIGNALS, Background, Kind, Signal
from palace.records import CallRecord, Candidate, Compared, PassageKey, Scope, Span
from palace.store.database import UserSession
from palace.store.drawers import Part, list_room_drawers
from palace.testing import HashingEmbedder
from palace.text.times import TimeWindow

NOW = datetime(2026, 6, 14, 12, tzinfo=UTC)
LIMITS = SemanticLimits()
LONGEST = timedelta(days=LIMITS.longest_window_days)
HERON = "A heron stood on the jetty."


def window(length: timedelta, softness: timedelta = timedelta(days=2)) -> TimeWindow:
    return TimeWindow(NOW - length, NOW, Span(0, 1), softness)


def test_each_time_a_query_speaks_of_is_looked_through_as_wide_as_it_is_soft() -> None:
    week, month = window(timedelta(days=7)), window(timedelta(days=30), timedelta(days=3))
    soft = timedelta(days=2)
    assert scopes_in_time(Scope(wing_ids=(7,)), Intent(NOW, (week, month)), LIMITS) == [
        Scope(wing_ids=(7,), since=week.start - soft, until=NOW + soft),
        Scope(wing_ids=(7,), since=month.start - timedelta(days=3), until=NOW + timedelta(days=3)),
    ]


def test_a_time_that_holds_too_much_is_not_looked_through() -> None:
    just, more = window(LONGEST), window(LONGEST + timedelta(days=1))
    (scope,) = scopes_in_time(Scope(), Intent(NOW, (more, just)), LIMITS)
    assert scope.since == just.start - just.softness
    assert scopes_in_time(Scope(), Intent(NOW), LIMITS) == []


@pytest.mark.parametrize("scope", [Scope(since=NOW), Scope(until=NOW)])
def test_where_the_caller_says_when_that_alone_counts(scope: Scope) -> None:
    assert scopes_in_time(scope, Intent(NOW, (window(timedelta(days=1)),)), LIMITS) == []


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


def ask(palace: Palace, query: str, strategy: Strategy, scope: Scope) -> Proposals:
    opened = palace._opened
    request = ArmRequest(query, read_intent(query, NOW), scope, strategy)
    return propose(Asked(opened.database, opened.find_model), request)


def proposed(palace: Palace, query: str, strategy: Strategy, scope: Scope = Scope()) -> set[str]:  # noqa: B008
    ids = ask(palace, query, strategy, scope).drawer_ids
    rooms = [room for wing in palace.tree.wings() for room in palace.tree.rooms(wing)]
    return {drawer.content for room in rooms for drawer in palace.tree.drawers(room) if drawer.id in ids}


def test_what_was_said_at_a_time_is_proposed_however_little_it_resembles_the_query(diary: Palace) -> None:
    few = Strategy.of({"semantic": {"vectors": 10}, "keyword": {"passages": 10}})
    assert HERON not in proposed(diary, "how loud was the regatta?", few)
    assert HERON in proposed(diary, "how loud was the regatta ten days ago?", few)
    confined = Scope(since=NOW - timedelta(days=50))
    assert HERON not in proposed(diary, "how loud was the regatta ten days ago?", few, confined)


def test_what_only_one_arm_proposes_is_proposed(diary: Palace) -> None:
    one = Strategy.of({"arms": ["semantic", "keyword"], "semantic": {"vectors": 1}})
    assert len(proposed(diary, "regatta heron", one)) > 1
    assert proposed(diary, "herons", one) == {HERON}


def test_a_strategy_without_an_arm_does_not_ask_it(diary: Palace) -> None:
    few = {"semantic": {"vectors": 1}}
    worded = Strategy.of({"arms": ["keyword"], **few})
    near = Strategy.of({"arms": ["semantic"], **few})
    assert ask(diary, "regatta heron", worded, Scope()).by_arm.keys() == {"keyword"}
    assert len(proposed(diary, "regatta heron", near)) == 1
    # What is proposed is compared in every way all the same.
    alone = [diary.recall(HERON, now=NOW, strategy=strategy).hits[0] for strategy in (worded, near)]
    assert {reason.arm for reason in alone[0].arms} - {"room"} == {reason.arm for reason in alone[1].arms}
    assert {"semantic", "keyword"} <= {reason.arm for reason in alone[1].arms}


def test_without_arms_nothing_is_found(diary: Palace) -> None:
    assert diary.recall(HERON, strategy=Strategy(arms=())).hits == ()


class EarliestArm:
    """Proposes the first drawers of a room, whatever is asked: an arm that somebody else might write."""

    name = "earliest"
    needs_vector = False

    def __init__(self, room_id: int, *, is_slow: bool = False) -> None:
        self.room_id = room_id
        self.is_slow = is_slow

    def propose(self, session: UserSession, request: ArmRequest) -> Proposal:
        """Propose three drawers."""
        if self.is_slow:
            raise OutOfTime("a statement took more than 1 ms and was stopped")
        drawers = list_room_drawers(session, Part(self.room_id), limit=3)
        return Proposal(tuple(Candidate(PassageKey(drawer.id, 0), 0.9) for drawer in drawers))


def first_room(palace: Palace) -> int:
    return palace.tree.rooms(palace.tree.wings()[0])[0].id


def test_an_arm_of_somebody_elses_proposes_beside_the_others_and_its_scores_can_be_a_signal(diary: Palace) -> None:
    arm: Arm = EarliestArm(first_room(diary))

    def early(drawer: Compared, known: Background) -> float:
        return known.proposed["earliest"].get(drawer.passage.drawer_id, 0.0)

    few = Strategy(
        arms=(*ARMS, arm),
        signals=(*SIGNALS, Signal("early", Kind.ROOM, 9.0, early, reason="early")),
        semantic=SemanticLimits(vectors=1),
    )
    assert {HERON, "The regatta of day 0 was loud."} <= proposed(diary, "heron", few)
    found = diary.recall("heron regatta", now=NOW, strategy=few)
    assert found.hits[0].drawer.content in {f"The regatta of day {day} was loud." for day in range(3)}
    assert ("early", 0.9, 1) in [(each.arm, each.score, each.rank) for each in found.hits[0].arms]
    assert "earliest" in found.timings_ms


def test_an_arm_that_runs_out_of_time_is_a_warning_and_the_others_answer(diary: Palace) -> None:
    slow = Strategy(arms=(EarliestArm(first_room(diary), is_slow=True), *ARMS))
    found = diary.recall(HERON, now=NOW, strategy=slow)
    assert found.warnings == ("the earliest arm took too long and proposes nothing",)
    assert found.hits[0].drawer.content == HERON


def test_what_an_arm_proposes_is_a_value_of_its_own(diary: Palace) -> None:
    found = ask(diary, HERON, Strategy(), Scope())
    assert found.by_arm["semantic"].near is None
    assert found.understood == Understood(HERON, found.understood.words)
    assert found.near is found.embedded.near
    assert list(found.timings_ms) == ["words", "embed", "semantic", "keyword", "named", "graph", "kinds"]
    assert found.scores["semantic"].keys() | found.scores["keyword"].keys() == found.drawer_ids


def test_without_the_model_the_arms_that_need_no_vector_answer(diary: Palace) -> None:
    embedder = diary._opened.embedders.first()
    assert isinstance(embedder, HashingEmbedder)
    embedder.fail_on = lambda _text: True
    try:
        found = ask(diary, HERON, Strategy(), Scope())
    finally:
        embedder.fail_on = None
    assert found.by_arm.keys() == {"keyword", "graph", "kinds"}
    assert found.warnings == ("keywords only, the query could not be embedded: testing/hashing-384 did not answer",)


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({}, 3),
        ({"until": NOW - timedelta(days=41, hours=12)}, 1),
        ({"since": NOW - timedelta(days=41, hours=12)}, 2),
        ({"wing": "Elsewhere"}, 0),
        ({"role": "assistant"}, 0),
    ],
)
def test_whatever_an_arm_proposes_the_callers_scope_holds(diary: Palace, asked: dict[str, Any], found: int) -> None:
    diary.note("Nothing.", wing="Elsewhere")
    careless = Strategy(arms=(EarliestArm(first_room(diary)),))
    hits = diary.recall("how loud was the regatta of day 0?", now=NOW, top_k=50, strategy=careless, **asked).hits
    assert len(hits) == found


class Other(HashingEmbedder):
    """An embedder of another model, whose calls cost something."""

    def embed_queries(self, texts: Sequence[str]) -> EmbeddedTexts:
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        return EmbeddedTexts(vectors, (CallRecord("other", 1, Decimal(1), 1.0, "ok"),))


def _same(embedder: Embedder | None) -> Embedder | None:
    return embedder


def test_a_likely_embedder_is_taken_only_where_it_is_the_palaces_own_and_paid_either_way(diary: Palace) -> None:
    opened = diary._opened
    request = ArmRequest(HERON, read_intent(HERON, NOW), Scope(), Strategy())
    own = propose(Asked(opened.database, opened.find_model), request)
    assert own.near is not None
    assert opened.embedders.likely is opened.embedders.of(own.near[0])
    for likely in (opened.embedders.likely, Other()):
        asked = Asked(opened.database, opened.find_model, partial(_same, likely))
        assert propose(asked, request).near == own.near
    assert [(line.model, line.calls) for line in diary.costs()] == [("other", 1)]
