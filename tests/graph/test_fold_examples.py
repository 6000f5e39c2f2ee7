"""Timelines that a person can check by eye."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from palace.graph.asof import at
from palace.graph.fold import fold
from palace.graph.predicates import is_single_valued, tells_events
from palace.records.graph import Action, Assertion, Precision, VagueDate
from tests.graph.histories import history, lines, moment

EXAMPLES: dict[str, tuple[str, list[tuple[str, ...]], list[str]]] = {
    "the battery of the efoil": (
        "has_battery",
        [("2026-03-04", "holds", "12V20Ah"), ("2026-07-03", "begins", "24V20Ah")],
        ["12V20Ah 2026-03-04 .. 2026-07-03", "24V20Ah 2026-07-03 .. now"],
    ),
    "what was mined late takes its place": (
        "has_battery",
        [("2026-07-03", "begins", "24V20Ah"), ("2026-03-04", "holds", "12V20Ah")],
        ["12V20Ah 2026-03-04 .. 2026-07-03", "24V20Ah 2026-07-03 .. now"],
    ),
    "said again": (
        "lives_in",
        [("2026-01-05", "holds", "Ghent"), ("2026-02-05", "holds", "Ghent"), ("2026-03-05", "holds", "Ghent")],
        ["Ghent 2026-01-05 .. now"],
    ),
    "a boat sold": (
        "owns",
        [
            ("2025-06-01", "holds", "boat"),
            ("2025-06-02", "holds", "dog"),
            ("2026-05-10", "ends", "boat", "", "2026-05-03"),
        ],
        ["boat 2025-06-01 .. 2026-05-03", "dog 2025-06-02 .. now"],
    ),
    "a boat sold of which nothing was known": (
        "owns",
        [("2026-05-10", "ends", "boat")],
        ["boat ? .. 2026-05-10"],
    ),
    "an end without a name": (
        "works_at",
        [("2025-01-10", "holds", "Acme"), ("2026-05-10", "ends", "")],
        ["Acme 2025-01-10 .. 2026-05-10"],
    ),
    "an end does not close another value": (
        "works_at",
        [("2025-01-10", "begins", "Acme"), ("2025-06-10", "begins", "Bolt"), ("2026-05-10", "ends", "Acme")],
        ["Acme 2025-01-10 .. 2025-06-10", "Bolt 2025-06-10 .. now"],
    ),
    "an end told later than what was observed since": (
        "works_at",
        [
            ("2025-01-10", "holds", "Acme"),
            ("2026-05-10", "holds", "Acme"),
            ("2026-06-10", "ends", "Acme", "", "2026-04"),
        ],
        ["Acme 2025-01-10 .. 2026-04-01"],
    ),
    "a correction": (
        "has_battery",
        [("2026-03-04", "holds", "12V20Ah"), ("2026-03-06", "corrects", "24V20Ah")],
        ["24V20Ah 2026-03-04 .. now"],
    ),
    "a correction of what was said twice": (
        "has_battery",
        [
            ("2026-01-04", "holds", "9V"),
            ("2026-03-04", "begins", "12V"),
            ("2026-03-05", "holds", "12V"),
            ("2026-03-06", "corrects", "24V"),
        ],
        ["9V 2026-01-04 .. 2026-03-04", "24V 2026-03-04 .. now"],
    ),
    "a corrected date": (
        "lives_in",
        [
            ("2026-01-04", "holds", "Ghent"),
            ("2026-06-04", "begins", "Utrecht", "2026-05"),
            ("2026-06-05", "corrects", "Utrecht", "2026-04"),
        ],
        ["Ghent 2026-01-04 .. 2026-04-01", "Utrecht 2026-04-01 .. now"],
    ),
    "a move to come": (
        "lives_in",
        [
            ("2026-01-04", "holds", "Ghent"),
            ("2026-03-04", "begins", "Porto", "2026-06"),
            ("2026-04-04", "holds", "Ghent"),
        ],
        ["Ghent 2026-01-04 .. 2026-06-01", "Porto 2026-06-01 .. now"],
    ),
    "a move put off": (
        "lives_in",
        [
            ("2026-01-04", "holds", "Ghent"),
            ("2026-03-04", "begins", "Porto", "2026-06"),
            ("2026-04-04", "begins", "Porto", "2026-07"),
        ],
        ["Ghent 2026-01-04 .. 2026-07-01", "Porto 2026-07-01 .. now"],
    ),
    "a move called off": (
        "lives_in",
        [
            ("2026-01-04", "holds", "Ghent"),
            ("2026-03-04", "begins", "Porto", "2026-06"),
            ("2026-04-04", "denies", "Porto"),
        ],
        ["Ghent 2026-01-04 .. now"],
    ),
    "a move in a month, observed before it in that month": (
        "lives_in",
        [("2026-05-05", "holds", "Ghent"), ("2026-05-20", "begins", "Utrecht", "2026-05")],
        ["Ghent 2026-05-05 .. 2026-05-06", "Utrecht 2026-05-06 .. now"],
    ),
    "both sides of a move": (
        "lives_in",
        [("2026-06-01", "ends", "Ghent", "", "2026-05"), ("2026-06-01", "begins", "Utrecht", "2026-05")],
        ["Ghent ? .. 2026-05-01", "Utrecht 2026-05-01 .. now"],
    ),
    "the finer of two dates": (
        "lives_in",
        [("2026-06-01", "begins", "Utrecht", "2026"), ("2026-06-02", "begins", "Utrecht", "2026-05-12")],
        ["Utrecht 2026-05-12 .. now"],
    ),
    "since when, told after another value was observed": (
        "lives_in",
        [("2026-05-05", "holds", "Ghent"), ("2026-06-20", "holds", "Utrecht", "2026-04-01")],
        ["Utrecht 2026-04-01 .. now"],
    ),
    "told of the past": (
        "lives_in",
        [("2026-01-04", "holds", "Utrecht", "2020"), ("2026-02-04", "was", "Ghent", "2010", "2015")],
        ["Ghent 2010-01-01 .. 2015-01-01", "Utrecht 2020-01-01 .. now"],
    ),
    "used to, without dates": (
        "lives_in",
        [("2026-01-04", "holds", "Utrecht", "2020"), ("2026-02-04", "was", "Ghent")],
        ["Ghent ? .. 2020-01-01", "Utrecht 2020-01-01 .. now"],
    ),
    "used to, of what was thought to hold": (
        "owns",
        [("2026-01-04", "holds", "canoe"), ("2026-02-04", "was", "canoe")],
        ["canoe 2026-01-04 .. 2026-02-04"],
    ),
    "until, from the end before": (
        "works_at",
        [("2026-01-04", "was", "Acme", "2010", "2012"), ("2026-02-04", "was", "Bolt", "", "2015")],
        ["Acme 2010-01-01 .. 2012-01-01", "Bolt 2012-01-01 .. 2015-01-01"],
    ),
    "taken up again": (
        "plays",
        [("2024-01-04", "holds", "cello"), ("2025-02-04", "ends", "cello"), ("2026-03-01", "begins", "cello")],
        ["cello 2024-01-04 .. 2025-02-04", "cello 2026-03-01 .. now"],
    ),
    "taken up again in the same breath": (
        "plays",
        [("2026-03-20", "was", "cello"), ("2026-03-20", "begins", "cello", "2026-03")],
        ["cello 2026-03-01 .. now"],
    ),
    "a plan": (
        "planned",
        [("2026-03-20", "happens", "Lisbon trip", "2026-05-03")],
        ["Lisbon trip 2026-05-03 .. 2026-05-04"],
    ),
    "a plan called off": (
        "planned",
        [("2026-03-20", "happens", "Lisbon trip", "2026-05-03"), ("2026-03-22", "denies", "Lisbon trip")],
        [],
    ),
    "a plan called off, not the journey of the year before": (
        "planned",
        [
            ("2025-03-20", "happens", "Lisbon trip", "2025-05-03"),
            ("2026-03-20", "happens", "Lisbon trip", "2026-05-03"),
            ("2026-03-22", "denies", "Lisbon trip"),
        ],
        ["Lisbon trip 2025-05-03 .. 2025-05-04"],
    ),
    "a plan that gets its day": (
        "planned",
        [("2026-03-20", "holds", "Lisbon trip"), ("2026-03-22", "happens", "Lisbon trip", "2026-05-03")],
        ["Lisbon trip 2026-05-03 .. 2026-05-04"],
    ),
    "a visit told twice": (
        "visited",
        [("2026-03-20", "happens", "Porto", "2026-02"), ("2026-03-22", "happens", "Porto", "2026-02-14")],
        ["Porto 2026-02-14 .. 2026-02-15"],
    ),
    "a whole conversation at one time": (
        "lives_in",
        [("2026-03-20", "holds", "Ghent"), ("2026-03-20", "begins", "Utrecht")],
        ["Ghent 2026-03-20 .. 2026-03-20", "Utrecht 2026-03-20 .. now"],
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_timeline_reads_as_it_was_told(name: str) -> None:
    predicate, told, expected = EXAMPLES[name]
    assert lines(fold(predicate, history(*told), UTC).relations) == expected


def test_what_was_believed_before_a_correction_is_kept() -> None:
    told = history(("2026-03-04", "holds", "12V20Ah"), ("2026-03-06", "corrects", "24V20Ah"))
    relations = fold("has_battery", told, UTC).relations
    assert [r.object for r in at(relations, moment("2026-03-05"), moment("2026-03-05"))] == ["12V20Ah"]
    assert [r.object for r in at(relations, moment("2026-03-05"), moment("2026-03-07"))] == ["24V20Ah"]
    assert [r.object for r in at(relations, moment("2026-03-05"))] == ["24V20Ah"]


def test_what_was_believed_in_may_about_april() -> None:
    told = history(("2026-01-04", "holds", "Ghent"), ("2026-06-10", "begins", "Utrecht", "2026-03"))
    relations = fold("lives_in", told, UTC).relations
    april = moment("2026-04-15")
    assert [r.object for r in at(relations, april, moment("2026-05-01"))] == ["Ghent"]
    assert [r.object for r in at(relations, april)] == ["Utrecht"]


def test_an_undated_statement_does_not_reach_back() -> None:
    relations = fold("lives_in", history(("2026-01-04", "holds", "Ghent")), UTC).relations
    assert at(relations, moment("2026-01-03")) == ()
    assert relations[0].from_precision is Precision.MOMENT


def test_a_version_that_does_not_change_keeps_when_it_was_recorded() -> None:
    told = history(
        ("2026-01-04", "holds", "Ghent"), ("2026-02-04", "holds", "Ghent"), ("2026-06-10", "begins", "Utrecht")
    )
    first, second, third = fold("lives_in", told, UTC).relations
    assert (first.recorded_at, first.superseded_at, first.evidence) == (
        moment("2026-01-04"),
        moment("2026-06-10"),
        (1, 2),
    )
    assert (second.recorded_at, second.valid_to, second.evidence) == (
        moment("2026-06-10"),
        moment("2026-06-10"),
        (1, 2),
    )
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


def test_what_only_ended_has_no_successor() -> None:
    told = history(("2026-01-04", "holds", "boat"), ("2026-05-04", "ends", "boat"))
    (overtaken,) = fold("owns", told, UTC).overtaken
    assert (overtaken.until, overtaken.successor_id) == (moment("2026-05-04"), None)


def test_a_past_that_was_told_as_past_is_not_overtaken() -> None:
    told = history(("2026-01-04", "was", "Ghent", "2010", "2015"), ("2026-02-04", "holds", "Utrecht"))
    assert fold("lives_in", told, UTC).overtaken == ()


def test_nothing_gives_nothing_and_no_object_is_no_value() -> None:
    assert fold("lives_in", [], UTC).relations == ()
    assert fold("lives_in", history(("2026-01-04", "holds", "")), UTC).relations == ()


def test_dates_at_the_ends_of_time_are_folded() -> None:
    told = history(("2026-01-04", "begins", "Ghent", "0001-01-01"), ("2026-01-05", "begins", "Porto", "9999-12-31"))
    assert [r.object for r in fold("lives_in", told, ZoneInfo("Asia/Tokyo")).relations if not r.superseded_at] == [
        "Ghent",
        "Porto",
    ]


@pytest.mark.parametrize(("predicate", "action"), [("lives_in", "begins"), ("uses", "holds"), ("visited", "happens")])
@pytest.mark.parametrize("names", [1, 2])
def test_a_thousand_statements_are_folded_in_little_time(predicate: str, action: str, names: int) -> None:
    days = [f"{2024 + n // 336}-{n // 28 % 12 + 1:02}-{n % 28 + 1:02}" for n in range(1000)]
    told = history(*((day, action, f"value {n % names}") for n, day in enumerate(days)))
    started = time.process_time()
    folded = fold(predicate, told, UTC)
    assert time.process_time() - started < 5
    assert sum(r.superseded_at is None for r in folded.relations) in (names, 1000)


def test_values_are_single_where_known_and_many_otherwise() -> None:
    assert all(map(is_single_valued, ("lives_in", "has_dentist", "costs", "is")))
    assert not any(map(is_single_valued, ("owns", "has", "has_", "uses", "never_heard_of")))
    assert tells_events("visited")
    assert not tells_events("owns")


def test_a_date_at_the_end_of_the_calendar_is_no_error() -> None:
    last = VagueDate(date(9999, 12, 31), Precision.YEAR)
    told = Assertion(
        1, 1, datetime(2026, 1, 1, tzinfo=UTC), 0, "oslo", "Oslo", None, Action.WAS, valid_from=last, valid_to=last
    )
    assert len(fold("lives_in", [told], UTC).relations) == 1


def _filed(name: str, filed: str, said: str | None = None) -> Assertion:
    filed_at = datetime.fromisoformat(filed).replace(tzinfo=UTC)
    learned = datetime.fromisoformat(said).replace(tzinfo=UTC) if said else filed_at
    return Assertion(
        id=len(name), drawer_id=1, learned_at=learned, ordinal=0, object_key=name.casefold(), object=name,
        object_id=None, action=Action.HOLDS, filed_at=filed_at, is_dated=said is not None,
    )  # fmt: skip


def test_what_nobody_knows_when_it_was_said_ends_nothing_that_was_told_later_with_a_date() -> None:
    undated = _filed("Ghent", "2026-05-01T10:00:00")
    dated = _filed("Lisbon", "2026-05-01T10:00:05", "2024-03-01")
    held = [each.object for each in at(fold("lives_in", [undated, dated], UTC).relations) if each.valid_to is None]
    assert held == ["Lisbon"]


def test_what_was_filed_after_all_that_is_dated_is_the_latest_however_undated() -> None:
    undated = _filed("Ghent", "2026-06-01T10:00:00")
    dated = _filed("Lisbon", "2026-05-01T10:00:05", "2024-03-01")
    held = [each.object for each in at(fold("lives_in", [undated, dated], UTC).relations) if each.valid_to is None]
    assert held == ["Ghent"]
