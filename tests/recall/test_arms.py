"""What the arms propose together: everything that may answer, and more within the times a query speaks of."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from palace import Arm, ArmRequest, Candidate, OutOfTime, Palace, Palaces, PassageKey, Proposal, Scope, Strategy
from palace.operations.recall import recall
from palace.recall.request import make_request
from palace.testing import HashingEmbedder

NOW = datetime(2026, 6, 14, 12, tzinfo=UTC)
HERON = "A heron stood on the jetty."
FEW = {"semantic": {"vectors": 10}, "keyword": {"passages": 10}}


@pytest.fixture(scope="module")
def diary(palaces: Palaces) -> Palace:
    """One turn a day for six weeks, all but the last about regattas; and a note in another wing."""
    said = [(day, f"The regatta of day {day} was loud.") for day in range(42)]
    said.append((32, HERON))
    turns = [
        {"role": "user", "content": content, "timestamp": (NOW - timedelta(days=42 - day)).isoformat()}
        for day, content in said
    ]
    palace = palaces.palace(f"user-{uuid.uuid4()}")
    palace.file(turns, id="diary", wing="Diary")
    palace.note("Nothing.", wing="Elsewhere")
    return palace


def found(palace: Palace, query: str, strategy: Strategy, **how: Any) -> set[str]:
    hits = palace.recall(query, now=NOW, top_k=100, floor="none", strategy=strategy, **how).hits
    return {hit.drawer.content for hit in hits}


def test_what_was_said_at_a_time_is_proposed_however_little_it_resembles_the_query(diary: Palace) -> None:
    few = Strategy.of(FEW)
    assert HERON not in found(diary, "how loud was the regatta?", few)
    assert HERON in found(diary, "how loud was the regatta ten days ago?", few)
    # Where the caller says when, that alone counts.
    assert HERON not in found(diary, "how loud was the regatta ten days ago?", few, since=NOW - timedelta(days=50))


def test_what_only_one_arm_proposes_is_proposed(diary: Palace) -> None:
    one = Strategy.of({"arms": ["semantic", "keyword"], "semantic": {"vectors": 1}})
    assert len(found(diary, "regatta heron", one)) > 1
    assert found(diary, "herons", one) == {HERON}
    assert len(found(diary, "regatta heron", Strategy.of({"arms": ["semantic"], "semantic": {"vectors": 1}}))) == 1
    assert diary.recall(HERON, strategy=Strategy(arms=())).hits == ()


def test_what_one_arm_proposes_is_compared_in_every_way(diary: Palace) -> None:
    for arm in ("keyword", "semantic"):
        first = diary.recall(HERON, now=NOW, strategy=Strategy.of({"arms": [arm]})).hits[0]
        assert first.drawer.content == HERON
        assert {"semantic", "keyword"} <= {reason.arm for reason in first.arms}
        assert {"similarity", "keyword"} <= {part.signal for part in first.parts}
        assert sum(part.share for part in first.parts) == pytest.approx(first.score, abs=1e-4)


class CarelessArm:
    """Proposes the same drawers whatever is asked: an arm that somebody else might write."""

    name = "careless"
    needs_vector = False

    def __init__(self, drawer_ids: list[int], *, is_slow: bool = False) -> None:
        self.drawer_ids = drawer_ids
        self.is_slow = is_slow

    def propose(self, session: Any, request: ArmRequest) -> Proposal:
        """Propose them all."""
        if self.is_slow:
            raise OutOfTime("a statement took more than 1 ms and was stopped")
        return Proposal(tuple(Candidate(PassageKey(number, 0), 0.9) for number in self.drawer_ids))


def earliest(palace: Palace) -> list[int]:
    room = palace.tree.rooms(palace.tree.wing("Diary"))[0]
    return [drawer.id for drawer in palace.tree.drawers(room)[:3]]


def test_an_arm_of_somebody_elses_proposes_beside_the_others(diary: Palace) -> None:
    arm: Arm = CarelessArm(earliest(diary))
    few = Strategy(arms=(*Strategy().arms, arm), semantic=Strategy.of({"semantic": {"vectors": 1}}).semantic)
    assert {HERON, "The regatta of day 0 was loud."} <= found(diary, "heron", few)
    assert "careless" in diary.recall("heron", now=NOW, strategy=few).timings_ms


def test_an_arm_that_runs_out_of_time_is_a_warning_and_the_others_answer(diary: Palace) -> None:
    slow = Strategy(arms=(CarelessArm([], is_slow=True), *Strategy().arms))
    told = diary.recall(HERON, now=NOW, strategy=slow)
    assert told.warnings == ("the careless arm took too long and proposes nothing",)
    assert told.hits[0].drawer.content == HERON


def test_whatever_an_arm_proposes_the_callers_scope_holds_and_nobody_is_told_anothers(
    diary: Palace, palace: Palace
) -> None:
    careless = Strategy(arms=(CarelessArm(earliest(diary)),))
    query = "how loud was the regatta of day 0?"
    noon = NOW - timedelta(days=41, hours=12)
    asked: list[tuple[dict[str, Any], int]] = [
        ({}, 3),
        ({"until": noon}, 1),
        ({"since": noon}, 2),
        ({"wing": "Elsewhere"}, 0),
        ({"wings": []}, 0),
        ({"role": "assistant"}, 0),
        ({"scope": Scope(wing_ids=(diary.tree.wing("Elsewhere").id,))}, 0),
    ]
    assert [len(found(diary, query, careless, **scope)) for scope, _ in asked] == [count for _, count in asked]
    palace.note("Mine.")
    assert found(palace, query, careless) == set()


def test_without_the_model_the_arms_that_need_no_vector_answer(diary: Palace) -> None:
    embedder = diary._opened.embedders.first()
    assert isinstance(embedder, HashingEmbedder)
    embedder.fail_on = lambda _text: True
    told = diary.recall(HERON, now=NOW)
    embedder.fail_on = None
    assert told.hits[0].drawer.content == HERON
    assert "semantic" not in told.timings_ms
    assert told.warnings == ("keywords only, the query could not be embedded: testing/hashing-384 did not answer",)


def test_names_and_times_of_a_query_are_told(palace: Palace) -> None:
    said = "My sister Anna Berg works at Bosch in Ghent."
    palace.file([{"role": "user", "content": said, "timestamp": "2026-05-04T10:00:00Z"}], id="talk")
    told = palace.recall("where does Anna Berg work?", floor="none", now=NOW)
    assert "Anna Berg" in told.names
    assert told.times == ()
    then = palace.recall("what did I say about work in May 2026?", floor="none", now=NOW)
    assert [time.start.month for time in then.times] == [5]


def test_the_keywords_find_what_a_rare_speaker_said_among_much_of_another(palace: Palace) -> None:
    little = [f"The lantern festival by the harbour, said {who}, moves to the park this year." for who in ("Ada", "Bo")]
    talk = [{"role": "user", "name": "Melanie", "content": f"Lantern festival, harbour: {n}."} for n in range(120)]
    talk[60:60] = [{"role": "user", "name": "Rosa", "content": content} for content in little]
    palace.file(talk, id="talk")
    few = Strategy.of({"arms": ["keyword"], "keyword": {"passages": 10}})
    for query in ("lantern festival harbour", "lantern"):
        assert found(palace, query, few, speaker="rosa") == set(little), query


def test_what_is_mined_after_the_basis_was_read_is_found_by_its_vector(palaces: Palaces) -> None:
    palace = palaces.palace(f"user-{uuid.uuid4()}")
    opened = palace._opened
    chosen, basis = opened.effective_and_basis()
    palace.note(HERON)
    request = make_request("a heron on the jetty", top_k=None, scope=Scope(), context=0, now=NOW)
    (hit,) = recall(opened, request, chosen, basis=basis).hits
    assert "semantic" in {arm.arm for arm in hit.arms}
