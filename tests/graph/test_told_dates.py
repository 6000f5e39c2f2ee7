"""When a relation held, in words."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from palace.graph.wording.dates import entry, in_order, standing, when
from palace.records import Precision, Standing
from tests.graph.relations_made import SEEN_FROM, made

DAY, MONTH, SEASON, YEAR = Precision.DAY, Precision.MONTH, Precision.SEASON, Precision.YEAR
VAGUE, MOMENT = Precision.VAGUE, Precision.MOMENT


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("since", "until", "precision", "words"),
    [
        ("2025-05-03", None, (DAY, None), "since 3 May 2025"),
        ("2025-05-01", None, (MONTH, None), "since May 2025"),
        ("2025-06-01", None, (SEASON, None), "since summer 2025"),
        ("2025-12-01", None, (SEASON, None), "since winter 2025/26"),
        ("2025-01-01", None, (YEAR, None), "since 2025"),
        ("2019-01-01", None, (VAGUE, None), "since about 2019"),
        ("2019-06-01", None, (VAGUE, None), "since about June 2019"),
        ("2025-05-03T18:20", None, (MOMENT, None), "known since 3 May 2025"),
        (None, "2019-01-01", (VAGUE, VAGUE), "until about 2019"),
        (None, "2026-07-03T10:00", (VAGUE, VAGUE), "until 3 July 2026 at the latest"),
        (None, "2025-05-01", (VAGUE, MONTH), "until May 2025"),
        (None, None, (VAGUE, None), ""),
        ("2025-05-03", "2025-06-01", (DAY, MONTH), "from 3 May 2025 to June 2025"),
        ("2025-05-03T10:00", "2025-07-03T09:00", (MOMENT, MOMENT), "known from 3 May 2025 to 3 July 2025"),
        ("2025-05-01", "2025-05-20", (MONTH, MONTH), "in May 2025"),
        ("2025-05-03T10:00", "2025-05-03T12:00", (MOMENT, MOMENT), "on 3 May 2025"),
        ("2025-05-03T10:00", "2025-05-03T10:00", (VAGUE, VAGUE), "over by 3 May 2025"),
        ("2027-01-01", None, (MONTH, None), "from January 2027"),
    ],
)
def test_a_time_is_told_as_exactly_as_it_is_known(
    since: str | None, until: str | None, precision: tuple[Precision, Precision | None], words: str
) -> None:
    begun, ended = (None if each is None else day(each) for each in (since, until))
    assert when(made("I", "lives_in", "Porto", begun, ended, precision=precision), UTC, SEEN_FROM) == words


@pytest.mark.parametrize(
    ("until", "precision", "words"),
    [
        ("2025-05-04", DAY, "on 3 May 2025"),
        ("2025-05-11", DAY, "from 3 May 2025 to 10 May 2025"),
    ],
)
def test_what_happens_lasts_to_the_end_of_its_last_day(until: str, precision: Precision, words: str) -> None:
    trip = made("I", "visited", "Lisbon", day("2025-05-03"), day(until), precision=(precision, precision))
    assert when(trip, UTC, SEEN_FROM) == words


def test_days_are_those_of_the_persons_zone() -> None:
    begun = datetime(2025, 5, 2, 22, tzinfo=UTC)
    assert when(made("I", "owns", "boat", begun), ZoneInfo("Europe/Berlin"), SEEN_FROM) == "since 3 May 2025"


def test_a_relation_is_past_present_or_still_to_come() -> None:
    past = made("I", "lives_in", "Ghent", None, day("2025-05-01"))
    present = made("I", "lives_in", "Utrecht", day("2025-05-01"), day("2027-01-01"))
    future = made("I", "lives_in", "Porto", day("2027-01-01"))
    found = [standing(each, SEEN_FROM) for each in (past, present, future)]
    assert found == [Standing.PAST, Standing.PRESENT, Standing.FUTURE]
    entries = in_order([entry(each, UTC, SEEN_FROM) for each in (future, past, present)])
    assert [each.relation for each in entries] == [past, present, future]
