"""The fold, on a thousand random histories each."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palace.graph.asof import at, holds
from palace.graph.fold import fold
from palace.graph.folding import history as drawing
from palace.records.graph import Action, Assertion, FoldedRelation
from tests.graph.histories import histories, unnamed

PREDICATES = st.sampled_from(["lives_in", "has_battery", "owns", "planned"])
thousand = settings(max_examples=1000, deadline=None)


def _validity(relation: FoldedRelation) -> tuple[object, ...]:
    r = relation
    return r.object_key, r.valid_from, r.from_precision, r.valid_to, r.to_precision


@thousand
@given(PREDICATES, histories(), st.randoms(use_true_random=False))
def test_any_order_of_mining_gives_the_same_timeline(predicate: str, told: list[Assertion], random: Random) -> None:
    mined = list(told)
    random.shuffle(mined)
    renamed = [_numbered(assertion, number) for number, assertion in enumerate(mined, start=500)]
    assert fold(predicate, mined, UTC) == fold(predicate, told, UTC)
    assert unnamed(fold(predicate, renamed, UTC).relations) == unnamed(fold(predicate, told, UTC).relations)


def _numbered(assertion: Assertion, number: int) -> Assertion:
    return replace(assertion, id=number, drawer_id=number)


@thousand
@given(PREDICATES, histories(), st.data())
def test_what_is_forgotten_leaves_the_timeline_as_if_it_had_never_been_said(
    predicate: str, told: list[Assertion], data: st.DataObject
) -> None:
    if not told:
        return
    forgotten = data.draw(st.sampled_from(told))
    left = [assertion for assertion in told if assertion is not forgotten]
    never_said = [_numbered(assertion, number) for number, assertion in enumerate(left, start=1)]
    after = fold(predicate, left, UTC)
    assert unnamed(after.relations) == unnamed(fold(predicate, never_said, UTC).relations)
    assert forgotten.id not in {i for r in after.relations for i in (*r.evidence, r.closed_by)}
    assert forgotten.id not in {i for o in after.overtaken for i in (o.assertion_id, o.successor_id)}


@thousand
@given(st.sampled_from(["lives_in", "has_battery"]), histories())
def test_a_single_value_holds_at_a_time_whenever_it_was_believed(predicate: str, told: list[Assertion]) -> None:
    relations = fold(predicate, told, UTC).relations
    for believed in {a.learned_at for a in told}:
        known = [r for r in at(relations, believed=believed) if r.valid_from is None or r.valid_from != r.valid_to]
        assert sum(r.valid_from is None for r in known) <= 1
        known.sort(key=lambda r: r.valid_from or datetime.min.replace(tzinfo=UTC))
        for before, after in pairwise(known):
            assert before.valid_to is not None
            assert after.valid_from is not None
            assert before.valid_to <= after.valid_from


@thousand
@given(PREDICATES, histories(), st.data())
def test_what_was_believed_is_what_had_been_learned_by_then(
    predicate: str, told: list[Assertion], data: st.DataObject
) -> None:
    if not told:
        return
    moments = sorted({a.learned_at for a in told})
    place = data.draw(st.integers(0, len(moments) - 1))
    then = at(fold(predicate, told, UTC).relations, believed=moments[place])
    alone = at(fold(predicate, [a for a in told if a.learned_at <= moments[place]], UTC).relations)
    assert [_validity(r) for r in then] == [_validity(r) for r in alone]
    after = moments[place + 1] if place + 1 < len(moments) else None
    last = [r.evidence for r in then if r.superseded_at == after]
    assert last == [a.evidence for a, r in zip(alone, then, strict=True) if r.superseded_at == after]


@thousand
@given(PREDICATES, histories())
def test_every_relation_has_evidence_that_says_its_object(predicate: str, told: list[Assertion]) -> None:
    known = {a.id: a for a in told}
    for relation in fold(predicate, told, UTC).relations:
        assert relation.evidence
        assert {known[i].object_key for i in relation.evidence} == {relation.object_key}
        assert len(set(relation.evidence)) == len(relation.evidence)
        assert relation.valid_from is None or relation.valid_to is None or relation.valid_from <= relation.valid_to
        assert relation.superseded_at is None or relation.recorded_at < relation.superseded_at


@thousand
@given(PREDICATES, histories())
def test_what_is_overtaken_is_evidence_of_nothing_that_holds_without_end(predicate: str, told: list[Assertion]) -> None:
    folded = fold(predicate, told, UTC)
    known = {a.id: a for a in told}
    open_ended = {i for r in at(folded.relations) if r.valid_to is None for i in r.evidence}
    overtaken = {o.assertion_id for o in folded.overtaken}
    assert not overtaken & open_ended
    stale = {a.id for a in told if a.action in (Action.HOLDS, Action.BEGINS) and predicate != "planned"}
    assert {i for i in stale - open_ended if known[i].object_key} <= overtaken


@thousand
@given(PREDICATES, histories(30))
def test_what_is_only_repeated_is_drawn_as_if_it_were_looked_at_by_itself(
    predicate: str, told: list[Assertion]
) -> None:
    quick = fold(predicate, told, UTC)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drawing, "_is_repeated", lambda *_: False)
        assert quick == fold(predicate, told, UTC)


@thousand
@given(histories())
def test_a_relation_holds_from_its_beginning_and_not_at_its_end(told: list[Assertion]) -> None:
    for relation in fold("lives_in", told, UTC).relations:
        if relation.valid_to:
            assert not holds(relation, relation.valid_to)
        if relation.valid_from and relation.valid_from != relation.valid_to:
            assert holds(relation, relation.valid_from)


@thousand
@given(PREDICATES, histories(30))
def test_what_is_believed_now_is_exact_where_history_is_looked_at_in_steps(
    predicate: str, told: list[Assertion]
) -> None:
    whole = fold(predicate, told, UTC)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drawing, "WORK", 0)
        patch.setattr(drawing, "FEWEST", 4)
        thinned = fold(predicate, told, UTC)
    # When it was recorded orders what has no known beginning, and may bear a later moment.
    now, exact = ([(_validity(r), r.evidence) for r in at(folded.relations)] for folded in (thinned, whole))
    assert sorted(now, key=repr) == sorted(exact, key=repr)
    assert thinned.overtaken == whole.overtaken
