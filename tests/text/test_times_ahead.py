"""Whether a date without a year, or a bare weekday, is the last one or the next, by the words of its sentence."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from palace.records import Role, Span
from palace.text.aaak import day_told
from palace.text.asked.times import find_times_asked
from palace.text.messages.index import index_message
from palace.text.open_ends import directed, points_ahead

SAID = datetime(2026, 11, 23, 9, tzinfo=UTC)
"""A Monday."""

AHEAD = [
    ("The meeting was moved to 17 December.", "2026-12-17"),
    ("The demo was pushed back to 17 December.", "2026-12-17"),
    ("The concert was postponed to 5 March.", "2027-03-05"),
    ("Our call got rescheduled for 14 January.", "2027-01-14"),
    ("The launch was brought forward to December 1st.", "2026-12-01"),
    ("We booked the ferry for 12 January.", "2027-01-12"),
    ("I reserved a table at Luigi's for Friday.", "2026-11-27"),
    ("I was invited to a wedding on 20 February.", "2027-02-20"),
    ("The party is on Friday.", "2026-11-27"),
    ("My appointment was moved to Friday.", "2026-11-27"),
    ("The plumber comes on Friday instead.", "2026-11-27"),
    ("The course starts on 5 March.", "2027-03-05"),
    ("My parents arrive on Thursday at 5 pm.", "2026-11-26"),
    ("I'm meeting Ana on Friday.", "2026-11-27"),
    ("I have a dentist appointment on 4 December.", "2026-12-04"),
    ("The rabbits were ill. The vet comes on Friday.", "2026-11-27"),
]
BACK = [
    ("I moved to Berlin on 17 December.", "2025-12-17"),
    ("We booked the ferry on 12 January.", "2026-01-12"),
    ("The party was on Friday.", "2026-11-20"),
    ("I was invited on 20 February and went.", "2026-02-20"),
    ("I was invited to a wedding on 20 February and it was lovely.", "2026-02-20"),
    ("The plumber came on Friday.", "2026-11-20"),
    ("We met on Friday.", "2026-11-20"),
    ("The meeting was moved to 17 November.", "2026-11-17"),
    ("Last year the concert was postponed to 5 March.", "2026-03-05"),
    ("We flew to Oslo on 14 January.", "2026-01-14"),
    ("I have been there on Friday.", "2026-11-20"),
    ("Whom did I meet on 5 March?", "2026-03-05"),
    ("My feet are killing me and also the cat died on Friday.", "2026-11-20"),
]
GERMAN_AHEAD = [
    ("Mein Zahnarzttermin wurde auf den 17. Dezember um 11 Uhr verschoben.", "2026-12-17"),
    ("Das Konzert ist verlegt auf den 5. März.", "2027-03-05"),
    ("Die Fähre ist für den 12. Januar gebucht.", "2027-01-12"),
    ("Wir haben für den 12. Januar einen Tisch reserviert.", "2027-01-12"),
    ("Ich bin am 20. Februar zu einer Hochzeit eingeladen.", "2027-02-20"),
    ("Die Feier ist am Freitag.", "2026-11-27"),
    ("Der Klempner kommt am Freitag.", "2026-11-27"),
    ("Am Freitag kommt der Klempner.", "2026-11-27"),
    ("Der Kurs beginnt am 5. März.", "2027-03-05"),
    ("Der Termin wurde auf Freitag verschoben.", "2026-11-27"),
]
GERMAN_BACK = [
    ("Ich bin am 17. Dezember nach Berlin gezogen.", "2025-12-17"),
    ("Wir haben die Fähre am 12. Januar gebucht.", "2026-01-12"),
    ("Die Feier war am Freitag.", "2026-11-20"),
    ("Ich wurde am 20. Februar zu einer Hochzeit eingeladen.", "2026-02-20"),
    ("Er ist am 3. Mai geboren.", "2026-05-03"),
    ("Ich habe ihn am Freitag getroffen.", "2026-11-20"),
]


def last_day(text: str) -> date:
    """Give the day of the last time told, as it is filed: in the middle of a stretch with soft edges."""
    stretch = index_message(text, Role.USER, SAID).spoken_of[-1]
    return (stretch.start + (stretch.end - stretch.start) / 2).date()


@pytest.mark.parametrize(("text", "day"), AHEAD)
def test_what_is_moved_booked_or_coming_is_filed_with_the_day_ahead(text: str, day: str) -> None:
    assert last_day(text).isoformat() == day


@pytest.mark.parametrize(("text", "day"), BACK)
def test_what_has_been_is_filed_with_the_day_behind(text: str, day: str) -> None:
    assert last_day(text).isoformat() == day


@pytest.mark.parametrize(("text", "day"), [*GERMAN_AHEAD, *GERMAN_BACK])
def test_german_days_point_as_their_sentence_says(text: str, day: str) -> None:
    (window,) = directed(text, SAID, lambda tense: find_times_asked(text, SAID, tense=tense))
    assert window.start.date().isoformat() == day


def test_a_tag_of_a_time_points_as_its_sentence_says() -> None:
    assert day_told("17. Dezember", SAID, UTC, "Mein Termin wurde auf den 17. Dezember verschoben.") == "2026-12-17"
    assert day_told("17 December", SAID, UTC, "The meeting was moved to 17 December.") == "2026-12-17"
    assert day_told("20 February", SAID, UTC, "I was invited to a wedding on 20 February.") == "2027-02-20"
    assert day_told("17 December", SAID, UTC, "I moved to Berlin on 17 December.") == "2025-12-17"


def test_a_long_text_without_any_end_is_looked_at_in_passing() -> None:
    text = "the plumber comes " * 20_000 + "on friday"
    assert not points_ahead(text[-100:] + " " + "booked " * 50_000, Span(0, 5))
