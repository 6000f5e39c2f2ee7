"""Timelines: some that a person can check by eye, and what is true of any, on random histories."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from random import Random
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace.graph.fold import fold
from palace.graph.folding import history as drawing
from palace.models.claims import Action, Precision, VagueDate
from palace.models.graph import Assertion, FoldedRelation
from tests.text.tables import misread, tables

PREDICATES = st.sampled_from(["lives_in", "has_battery", "owns", "planned"])
_STEPS = {4: Precision.YEAR, 7: Precision.MONTH, 10: Precision.DAY}


def moment(text: str) -> datetime:
    """Return "2026-03-01" or "2026-03-01T10:00" as a moment in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def at(
    relations: Iterable[FoldedRelation], as_of: datetime | None = None, believed: datetime | None = None
) -> list[FoldedRelation]:
    """Return what held at one moment, at any unless given, as it was believed at another, now unless given."""
    known = [
        r
        for r in relations
        if (r.superseded_at is None if believed is None else r.recorded_at <= believed)
        and (believed is None or r.superseded_at is None or believed < r.superseded_at)
    ]
    return [
        r
        for r in known
        if as_of is None
        or ((r.valid_from is None or r.valid_from <= as_of) and (r.valid_to is None or as_of < r.valid_to))
    ]


def vague(text: str | None) -> VagueDate | None:
    """Return "2026", "2026-03" or "2026-03-01" as exactly as it is written."""
    if text is None:
        return None
    return VagueDate(date.fromisoformat((text + "-01-01")[:10] if len(text) < 10 else text), _STEPS[len(text)])


def history(*told: tuple[str, ...]) -> list[Assertion]:
    """Return assertions of rows: learned, action, object, and from and to where told ("" for not)."""
    rows = ((*row, "", "")[:5] for row in told)
    return [
        Assertion(
            id=number,
            drawer_id=number,
            learned_at=moment(learned),
            ordinal=0,
            object_key=name.casefold(),
            object=name,
            object_id=None,
            action=Action(action),
            valid_from=vague(start or None),
            valid_to=vague(end or None),
            position=number,
        )
        for number, (learned, action, name, start, end) in enumerate(rows, start=1)
    ]


def lines(relations: Iterable[FoldedRelation]) -> list[str]:
    """Return what is believed now, an interval a line: "Ghent ? .. 2026-05-01 month"."""
    return [
        f"{r.object} {_day(r.valid_from, '?')} .. {_day(r.valid_to, 'now')}"
        for r in relations
        if r.superseded_at is None
    ]


def _day(at: datetime | None, without: str) -> str:
    return at.strftime("%Y-%m-%d") if at else without


_START = datetime(2026, 1, 1, tzinfo=UTC)
_MOMENTS = st.integers(0, 60).map(lambda n: _START + timedelta(days=n * 5, hours=n % 3 * 7))


@st.composite
def _vague_dates(draw: st.DrawFn) -> VagueDate | None:
    precision = draw(st.sampled_from([None, *list(Precision)[1:]]))
    if precision is None:
        return None
    day = (_START + timedelta(days=draw(st.integers(-300, 500)))).date()
    if precision in (Precision.MONTH, Precision.SEASON):
        day = day.replace(day=1)
    elif precision is Precision.YEAR:
        day = day.replace(month=1, day=1)
    return VagueDate(day, precision)


@st.composite
def assertions(draw: st.DrawFn) -> Assertion:
    """Any assertion of four objects, or of none."""
    action = draw(st.sampled_from(list(Action)))
    name = draw(st.sampled_from(["Ghent", "Utrecht", "Porto", "Lisbon"]))
    if action in (Action.ENDS, Action.DENIES) and draw(st.integers(0, 4)) == 0:
        name = ""
    return Assertion(
        id=0,
        drawer_id=0,
        learned_at=draw(_MOMENTS),
        ordinal=draw(st.integers(0, 2)),
        object_key=name.casefold(),
        object=name,
        object_id=None,
        action=action,
        valid_from=draw(_vague_dates()),
        valid_to=draw(_vague_dates()),
        position=draw(st.integers(0, 3)),
    )


@st.composite
def histories(draw: st.DrawFn, most: int = 14) -> list[Assertion]:
    """Histories of one subject and predicate, each assertion with an id of its own."""
    told = draw(st.lists(assertions(), max_size=most))
    return [replace(a, id=n, drawer_id=n) for n, a in enumerate(told, start=1)]


def unnamed(relations: Iterable[FoldedRelation]) -> list[tuple[object, ...]]:
    """Return relations without the ids of their assertions, with how many say each."""
    return [
        (*(getattr(r, name) for name in r.__slots__ if name not in ("evidence", "closed_by")), len(r.evidence))
        for r in relations
    ]


_TOLD = re.compile(r"(?P<learned>\S+) (?P<action>\w+) ?(?P<name>.*?)(?: from (?P<start>\S+))?(?: to (?P<end>\S+))?")


def test_a_timeline_reads_as_it_was_told() -> None:
    def believed(title: str) -> list[str]:
        rows = [_TOLD.fullmatch(each) for each in timelines[title]["told"]]
        given = history(*(tuple(part or "" for part in row.groups()) for row in rows if row))
        assert len(given) == len(rows), title
        return lines(fold(timelines[title]["predicate"], given, UTC).relations)

    timelines = tables("timelines", of="graph")
    assert misread(believed, [(title, timelines[title]["believed"]) for title in timelines]) == []


def test_what_was_believed_before_a_correction_is_kept() -> None:
    told = history(("2026-03-04", "holds", "12V20Ah"), ("2026-03-06", "corrects", "24V20Ah"))
    relations = fold("has_battery", told, UTC).relations
    assert [r.object for r in at(relations, moment("2026-03-05"), moment("2026-03-05"))] == ["12V20Ah"]
    assert [r.object for r in at(relations, moment("2026-03-05"), moment("2026-03-07"))] == ["24V20Ah"]
    assert [r.object for r in at(relations, moment("2026-03-05"))] == ["24V20Ah"]


def test_a_version_that_does_not_change_keeps_when_it_was_recorded() -> None:
    told = history(
        ("2026-01-04", "holds", "Ghent"), ("2026-02-04", "holds", "Ghent"), ("2026-06-10", "begins", "Utrecht")
    )
    first, second, third = fold("lives_in", told, UTC).relations
    ended = moment("2026-06-10")
    assert (first.recorded_at, first.superseded_at, first.evidence) == (moment("2026-01-04"), ended, (1, 2))
    assert (second.recorded_at, second.valid_to, second.evidence) == (ended, ended, (1, 2))
    assert (second.closed_by, third.evidence) == (3, (3,))


def test_a_day_begins_at_midnight_of_the_zone() -> None:
    told = history(("2026-06-10", "begins", "Utrecht", "2026-05-12"))
    (relation,) = fold("lives_in", told, ZoneInfo("Europe/Brussels")).relations
    assert relation.valid_from == moment("2026-05-11T22:00")
    assert relation.from_precision is Precision.DAY


def test_what_no_longer_holds_says_until_when_and_what_does() -> None:
    told = history(
        ("2026-01-04", "holds", "Ghent"),
        ("2026-03-04", "begins", "Porto", "2026-06"),
        ("2026-04-04", "denies", "Porto"),
        ("2026-07-03", "begins", "Utrecht"),
    )
    overtaken = [(o.assertion_id, o.until, o.successor_id) for o in fold("lives_in", told, UTC).overtaken]
    assert overtaken == [(1, moment("2026-07-03"), 4), (2, moment("2026-04-04"), None)]


def test_dates_at_the_ends_of_time_are_folded() -> None:
    told = history(("2026-01-04", "begins", "Ghent", "0001-01-01"), ("2026-01-05", "begins", "Porto", "9999-12-31"))
    relations = fold("lives_in", told, ZoneInfo("Asia/Tokyo")).relations
    assert [r.object for r in relations if not r.superseded_at] == ["Ghent", "Porto"]


def _filed(name: str, filed: str, said: str | None = None) -> Assertion:
    (told,) = history((said or filed, "holds", name))
    return replace(told, id=len(name), position=0, filed_at=moment(filed), is_dated=said is not None)


def test_what_nobody_knows_when_it_was_said_ends_nothing_that_was_told_with_a_date_unless_it_was_filed_later() -> None:
    dated = _filed("Lisbon", "2026-05-01T10:00:05", "2024-03-01")
    for filed, meant in (("2026-05-01T10:00:00", "Lisbon"), ("2026-06-01T10:00:00", "Ghent")):
        found = at(fold("lives_in", [_filed("Ghent", filed), dated], UTC).relations)
        assert [each.object for each in found if each.valid_to is None] == [meant]


def _validity(relation: FoldedRelation) -> tuple[object, ...]:
    r = relation
    return r.object_key, r.valid_from, r.from_precision, r.valid_to, r.to_precision


@given(PREDICATES, histories(), st.randoms(use_true_random=False))
def test_any_order_of_mining_gives_the_same_timeline(predicate: str, told: list[Assertion], random: Random) -> None:
    mined = list(told)
    random.shuffle(mined)
    renamed = [_numbered(assertion, number) for number, assertion in enumerate(mined, start=500)]
    assert fold(predicate, mined, UTC) == fold(predicate, told, UTC)
    assert unnamed(fold(predicate, renamed, UTC).relations) == unnamed(fold(predicate, told, UTC).relations)


def _numbered(assertion: Assertion, number: int) -> Assertion:
    return replace(assertion, id=number, drawer_id=number)


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


@given(PREDICATES, histories())
def test_every_relation_has_evidence_that_says_its_object(predicate: str, told: list[Assertion]) -> None:
    known = {a.id: a for a in told}
    for relation in fold(predicate, told, UTC).relations:
        assert relation.evidence
        assert {known[i].object_key for i in relation.evidence} == {relation.object_key}
        assert len(set(relation.evidence)) == len(relation.evidence)
        assert relation.valid_from is None or relation.valid_to is None or relation.valid_from <= relation.valid_to
        assert relation.superseded_at is None or relation.recorded_at < relation.superseded_at


@given(PREDICATES, histories())
def test_what_is_overtaken_is_evidence_of_nothing_that_holds_without_end(predicate: str, told: list[Assertion]) -> None:
    folded = fold(predicate, told, UTC)
    known = {a.id: a for a in told}
    open_ended = {i for r in at(folded.relations) if r.valid_to is None for i in r.evidence}
    overtaken = {o.assertion_id for o in folded.overtaken}
    assert not overtaken & open_ended
    stale = {a.id for a in told if a.action in (Action.HOLDS, Action.BEGINS) and predicate != "planned"}
    assert {i for i in stale - open_ended if known[i].object_key} <= overtaken


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
