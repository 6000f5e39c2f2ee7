"""Which times a clause tells, and to which claim a time belongs that is told beside it."""

from __future__ import annotations

from datetime import UTC, datetime

from palace.nlp.time.clause import times_of
from tests.text.claims.told import SAID_AT, named, told
from tests.text.tables import misread, tables

TABLES = tables("clause_times")

NAMES = named(place="Ghent Berlin Leipzig Bath", organisation="Kone Siemens Boeing Bosch", item="Volvo", person="Lena")


def written(clause: str, *, ahead: bool) -> str:
    found, left = times_of(clause, SAID_AT, ahead=ahead)
    assert len(left) == len(clause)
    told = {"since": found.since, "at": found.at, "until": found.until, "at_end": found.at_end}
    return " ; ".join(f"{word} {date.day} {date.precision}" for word, date in told.items() if date) or "-"


def test_a_clause_tells_its_times_behind_and_ahead() -> None:
    assert misread(lambda clause: written(clause, ahead=False), TABLES["back"].items()) == []
    assert misread(lambda clause: written(clause, ahead=True), TABLES["ahead"].items()) == []


def test_without_a_moment_times_are_blanked_and_not_resolved() -> None:
    found, left = times_of("i moved to ghent in march 2021", None, ahead=False)
    assert not found.is_told
    assert left.split() == ["i", "moved", "to", "ghent"]


def test_what_began_before_all_calendars_has_no_beginning() -> None:
    for clause in ("i worked at bosch for 30 years", "ich wohne seit 30 jahren in bonn", "for 9000 days"):
        assert times_of(clause, datetime(20, 5, 1, tzinfo=UTC), ahead=False)[0].since is None, clause


def test_a_time_belongs_to_the_claim_it_is_told_beside() -> None:
    assert misread(lambda message: told(message, names=NAMES, but="called"), TABLES["beside"].items()) == []
