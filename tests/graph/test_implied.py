"""What ends with something else."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from palace import Palace
from palace.graph.implied import with_ends
from palace.graph.wording.dates import entry
from palace.records import Standing
from palace.records.graph import SELF, Action, Claim, Precision, Reading, VagueDate

APRIL = VagueDate(date(2026, 4, 1), Precision.MONTH)
LEFT = Claim(SELF, "works_at", "Siemens", Action.ENDS, 0, 9, valid_to=APRIL)
MOVED = Claim(SELF, "lives_in", "Ghent", Action.BEGINS, 0, 9, valid_from=APRIL)


def ends(*claims: Claim) -> list[tuple[str, VagueDate | None]]:
    return [(each.predicate, each.valid_to) for each in with_ends(Reading((), claims)).claims[len(claims) :]]


def test_a_title_ends_with_the_job_and_the_rent_with_the_move() -> None:
    assert ends(LEFT) == [("works_as", APRIL), ("has_boss", APRIL), ("has_salary", APRIL)]
    assert ends(MOVED) == [("has_rent", APRIL), ("has_landlord", APRIL), ("has_landlady", APRIL)]


def test_what_the_message_tells_anew_does_not_end() -> None:
    assert ("has_rent", APRIL) not in ends(MOVED, Claim(SELF, "has_rent", "1,450", Action.HOLDS, 0, 9))


def test_who_goes_from_one_job_to_another_keeps_the_title() -> None:
    assert ends(LEFT, Claim(SELF, "works_at", "Kone", Action.BEGINS, 0, 9)) == []


def test_the_move_of_another_ends_nothing() -> None:
    assert ends(Claim("my mum", "lives_in", "Ghent", Action.BEGINS, 0, 9)) == []


def test_who_quits_is_what_they_were_no_longer(palace: Palace) -> None:
    palace.file([
        {"role": "user", "content": "I'm a nurse and I work at Siemens.", "timestamp": "2026-01-05T10:00:00Z"},
        {"role": "user", "content": "I quit my job at Siemens in April.", "timestamp": "2026-05-05T10:00:00Z"},
    ])  # fmt: skip
    held = [each.predicate for each in palace.relations("I", as_of=datetime(2026, 3, 1, tzinfo=UTC))]
    assert {"works_as", "works_at"} <= set(held)
    assert not {"works_as", "works_at"} & {
        each.predicate for each in palace.relations("I", as_of=datetime(2026, 6, 1, tzinfo=UTC))
    }


@pytest.mark.parametrize(
    ("plan", "dropped"),
    [
        ("We move to Hamburg in August", "der umzug nach hamburg fällt ins wasser"),
        ("We move to Hamburg in August", "We cancelled the move to Hamburg"),
        ("We're moving to Porto in October 2026", "moving to Porto is off"),
        ("Wir ziehen im Oktober nach Graz", "Wir ziehen doch nicht nach Graz"),
        ("I'm moving to Leeds in September", "The move to Leeds has been called off."),
        ("I'm moving to Leeds in September", "I've called off my move to Leeds"),
        ("I'm moving to Leeds in September", "I'm not moving to Leeds after all"),
    ],
)
def test_what_was_to_end_with_a_move_goes_on_where_it_is_called_off(palace: Palace, plan: str, dropped: str) -> None:
    palace.file([
        {"role": "user", "content": "I live in York. My rent is 720.", "timestamp": "2026-06-05T10:00:00Z"},
        {"role": "user", "content": plan, "timestamp": "2026-07-05T10:00:00Z"},
    ])  # fmt: skip
    later = datetime(2026, 12, 1, tzinfo=UTC)
    assert "has_rent" not in {each.predicate for each in palace.relations("I", as_of=later)}
    palace.file([{"role": "user", "content": dropped, "timestamp": "2026-07-20T10:00:00Z"}])
    held = {(each.predicate, each.object) for each in palace.relations("I", as_of=later)}
    assert {("lives_in", "York"), ("has_rent", "720")} <= held


def test_what_ended_before_a_move_was_denied_stays_over(palace: Palace) -> None:
    palace.file([
        {"role": "user", "content": "I live in York. My rent is 720.", "timestamp": "2026-01-05T10:00:00Z"},
        {"role": "user", "content": "I moved to Ghent in April.", "timestamp": "2026-05-05T10:00:00Z"},
        {"role": "user", "content": "The move to Ghent is off.", "timestamp": "2026-05-15T10:00:00Z"},
    ])  # fmt: skip
    assert "has_rent" not in {each.predicate for each in palace.relations("I", as_of=datetime(2026, 6, 1, tzinfo=UTC))}


@pytest.mark.parametrize("visit", ["wir waren letzte woche in dresden", "We were in Dresden this month"])
def test_a_visit_is_over_when_it_is_told(palace: Palace, visit: str) -> None:
    told = datetime(2026, 7, 14, 10, tzinfo=UTC)
    palace.file([{"role": "user", "content": visit, "timestamp": told.isoformat()}])
    found = next(each.relation for each in palace.timeline("I").entries if each.relation.predicate == "visited")
    assert found.valid_to is not None
    assert found.valid_to <= told
    assert entry(found, UTC, told).standing is Standing.PAST
    assert "2027" not in entry(found, UTC, told).when
