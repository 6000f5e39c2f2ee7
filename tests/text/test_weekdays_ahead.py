"""Weekdays in statements: what opens ahead or is told in the present is ahead, what is told as past is behind."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from palace.recall.intent import read_intent
from palace.text.aaak import day_told
from palace.text.asked.times import find_times_asked
from palace.text.open_ends import directed, may_point_ahead

SAID = datetime(2026, 11, 4, 9, tzinfo=UTC)
"""A Wednesday, to which the Monday before is nearer than the one after."""

AHEAD = [
    "Lieferung ab Montag",
    "Lieferung erst ab Montag",
    "Lieferung frühestens Montag",
    "Lieferung frühestens am Montag",
    "Lieferung nicht vor Montag",
    "Lieferung erst am Montag",
    "Wir liefern am Montag",
    "Am Montag liefern wir.",
    "Wir arbeiten am Montag an der Halle.",
    "Unser Team liefert die Kisten am Montag aus.",
    "Der Bäcker liefert am Montag.",
    "Die Ware wird am Montag geliefert.",
    "Der Umzug ist am Montag",
    "Delivery not before Monday",
    "Delivery not until Monday",
    "The parcel won't arrive before Monday.",
    "The shop doesn't open until Monday.",
    "Delivery no earlier than Monday",
    "Delivery from Monday",
    "Parking is closed from Monday on.",
    "Delivery starts on Monday",
    "We ship on Monday",
    "The team ships on Monday",
    "It is ready Monday at the earliest.",
]
BACK = [
    "We shipped on Monday",
    "The leftovers from Monday are great",
    "They arrived, but not before Monday.",
    "From Monday I was ill",
    "Wir haben ab Montag geliefert",
    "Ab Montag war ich krank",
    "Am Montag lieferten wir",
    "Wir lieferten am Montag",
    "Wir fuhren am Montag nach Rom",
    "Am Montag waren wir in Rom",
    "Wir haben am Montag telefoniert.",
    "Er kam erst am Montag",
    "Das Team gewann am Montag",
    "Er vergaß am Montag den Schlüssel",
    "Wir vergaßen am Montag den Schlüssel",
    "Ich wohne seit Montag in Rom",
    "I'm ill since Monday",
]


def first_day(text: str, said: datetime) -> str:
    (window,) = directed(text, said, lambda tense: find_times_asked(text, said, tense=tense))
    return window.start.date().isoformat()


def tag(text: str, day: str, said: datetime) -> str:
    return day_told(day, said, UTC, text)


@pytest.mark.parametrize("text", AHEAD)
def test_what_opens_ahead_or_is_told_in_the_present_is_the_next_weekday(text: str) -> None:
    assert first_day(text, SAID) == tag(text, "Montag" if "Montag" in text else "Monday", SAID) == "2026-11-09"
    assert may_point_ahead(text) or "starts" in text


@pytest.mark.parametrize("text", BACK)
def test_what_is_told_as_past_is_the_last_weekday(text: str) -> None:
    assert first_day(text, SAID) == tag(text, "Montag" if "Montag" in text else "Monday", SAID) == "2026-11-02"


@pytest.mark.parametrize(
    "text", ["Lieferung bis Montag", "Delivery until Monday", "You can't forget to send it before Monday"]
)
def test_what_ends_with_a_weekday_ends_with_the_next(text: str) -> None:
    assert first_day(text, SAID) == "2026-11-04"
    assert tag(text, "Montag" if "Montag" in text else "Monday", SAID) == "2026-11-09"


@pytest.mark.parametrize("text", ["Wir lieferten am Samstag.", "Wir fuhren am Samstag."])
def test_a_german_past_is_behind_though_the_next_weekday_is_nearer(text: str) -> None:
    assert first_day(text, SAID) == "2026-10-31"


@pytest.mark.parametrize("text", ["Delivery not before Saturday", "Lieferung ab Samstag", "Der Umzug ist am Samstag"])
def test_days_that_are_shut_out_are_not_meant(text: str) -> None:
    said = datetime(2026, 11, 23, 9, tzinfo=UTC)
    day = "Saturday" if "Saturday" in text else "Samstag"
    assert first_day(text, said) == tag(text, day, said) == "2026-11-28"


@pytest.mark.parametrize(
    "query",
    ["what did we do on Monday", "notes from Monday", "Was haben wir am Montag gemacht?", "emails before Monday"],
)
def test_a_query_asks_for_what_has_been(query: str) -> None:
    (window,) = read_intent(query, SAID).windows
    assert window.end.date().isoformat() in ("2026-11-02", "2026-11-03")
