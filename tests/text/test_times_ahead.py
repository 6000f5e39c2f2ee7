"""Whether a date without a year, or a bare weekday, is the last one or the next, by the words of its sentence."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from palace.recall.intent import read_intent
from palace.records import Role, Span
from palace.records.graph import Said
from palace.text.aaak import day_told
from palace.text.asked.times import find_times_asked
from palace.text.entities.days import time_spans
from palace.text.entities.page import page_of
from palace.text.languages import tell_language
from palace.text.messages.index import index_message
from palace.text.open_ends import directed, may_point_ahead, points_ahead

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
    ("Go-live has slipped, it is now the 14th of January.", "2027-01-14"),
    ("The go-live slipped to 14 January.", "2027-01-14"),
    ("It was moved; the new date is 3 February.", "2027-02-03"),
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
    ("It was 14 January when we met.", "2026-01-14"),
    ("She is back, and her birthday is 5 November.", "2026-11-05"),
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
    ("Wurde verschoben: Der Go-live ist jetzt der 14. Januar.", "2027-01-14"),
]
GERMAN_BACK = [
    ("Ich bin am 17. Dezember nach Berlin gezogen.", "2025-12-17"),
    ("Wir haben die Fähre am 12. Januar gebucht.", "2026-01-12"),
    ("Die Feier war am Freitag.", "2026-11-20"),
    ("Ich wurde am 20. Februar zu einer Hochzeit eingeladen.", "2026-02-20"),
    ("Er ist am 3. Mai geboren.", "2026-05-03"),
    ("Ich habe ihn am Freitag getroffen.", "2026-11-20"),
]

UNTOLD = [
    ("2026-10-28", "Agreed: 8 November, 02:00 to 04:00.", "2026-11-08"),
    ("2026-10-28", "As agreed, 8 November.", "2026-11-08"),
    ("2026-10-28", "We agreed on 8 November for the switch.", "2026-11-08"),
    ("2026-10-28", "Jonas said we go live on 8 November.", "2026-11-08"),
    ("2026-10-28", "He told me he would come on 8 November.", "2026-11-08"),
    ("2026-10-28", "I asked Ana for 8 November.", "2026-11-08"),
    ("2026-10-28", "The office is closed on 8 November.", "2026-11-08"),
    ("2026-10-28", "I am away from 8 November.", "2026-11-08"),
    ("2026-10-28", "The Berlin move, 3 February.", "2027-02-03"),
    ("2026-10-28", "In December we switch providers.", "2026-12-16"),
    ("2026-10-28", "Rome in November.", "2026-11-16"),
    ("2026-10-28", "We freeze deployments on Black Friday.", "2026-11-27"),
    ("2026-10-05", "On Friday 20 November we go live.", "2026-11-20"),
    ("2026-10-28", "On Sun 8 Nov we met.", "2026-11-08"),
    ("2026-10-28", "From Wednesday 25 to Sunday 29 November", "2026-11-27"),
    ("2026-10-28", "We will fix it. The outage on 12 October was bad.", "2026-10-12"),
    ("2026-10-28", "Met Ana on 8 November.", "2025-11-08"),
    ("2026-10-28", "The fire on 8 November destroyed the shed.", "2025-11-08"),
    ("2026-11-20", "We agreed on 8 November.", "2026-11-08"),
    ("2026-11-20", "Deadline: 8 November.", "2026-11-08"),
    ("2026-01-10", "The party of 20 December.", "2025-12-20"),
    ("2026-01-10", "Notes from 12 December", "2025-12-12"),
    ("2026-10-28", "Vereinbart: 8. November, 2 bis 4 Uhr.", "2026-11-08"),
    ("2026-10-28", "Das Wartungsfenster ist am Sonntag, den 8. November.", "2026-11-08"),
    ("2026-10-28", "Wie besprochen am 8. November.", "2026-11-08"),
    ("2026-10-28", "Wir haben uns auf den 8. November geeinigt.", "2026-11-08"),
    ("2026-10-28", "Am 08.11. passt mir das ganz gut, danke.", "2026-11-08"),
    ("2026-10-28", "Der Freeze geht vom 25. bis 29. November.", "2026-11-27"),
    ("2026-10-28", "Am Schwarzen Freitag geht der Shop in die Knie.", "2026-11-27"),
    ("2026-10-28", "Wir haben am 8. November geheiratet.", "2025-11-08"),
    ("2026-10-28", "Das war am 8. November, glaube ich.", "2025-11-08"),
]
"""What no tense points: the nearer of the two is meant."""

TAGS = [
    ("2026-10-27", "The window is Sunday 8 November from 02:00 to 04:00.", ["2026-11-08"]),
    ("2026-10-05", "On Friday 20 November we go live.", ["2026-11-20"]),
    ("2026-10-05", "Friday, November 20 is the deadline.", ["2026-11-20"]),
    ("2026-10-28", "Sunday 8/11 works", ["2026-11-08"]),
    ("2026-11-03", "The shop breaks on black friday.", ["2026-11-27"]),
    ("2026-11-03", "Cyber Monday, then Good Friday.", ["2026-11-30", "2027-03-26"]),
    ("2026-11-03", "Patch Tuesday broke the VPN.", []),
    ("2026-10-19", "The contract runs until March 2027.", ["2027-03"]),
    ("2026-10-19", "I live in Ghent since March.", ["2026-03"]),
    ("2026-10-28", "8-10 November: offsite", ["2026-11-08/2026-11-10"]),
    ("2026-10-28", "Das Wartungsfenster ist am Sonntag, 8. November, im Haus.", ["2026-11-08"]),
    ("2026-10-19", "Der Vertrag läuft bis März 2027.", ["2027-03"]),
    ("2026-11-03", "Am Schwarzen Freitag geht der Shop in die Knie.", ["2026-11-27"]),
    ("2026-03-03", "Karfreitag haben wir zu, und am Ostermontag auch.", ["2026-04-03", "2026-04-06"]),
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


@pytest.mark.parametrize(("said", "text", "day"), UNTOLD)
def test_a_date_that_no_tense_points_is_the_nearer_one(said: str, text: str, day: str) -> None:
    stretch = index_message(text, Role.USER, datetime.fromisoformat(said).replace(tzinfo=UTC)).spoken_of[-1]
    assert (stretch.start + (stretch.end - stretch.start) / 2).date().isoformat() == day


@pytest.mark.parametrize(("said", "text", "days"), TAGS)
def test_a_date_is_one_tag_whatever_stands_around_it(said: str, text: str, days: list[str]) -> None:
    at = datetime.fromisoformat(said).replace(tzinfo=UTC)
    spans = time_spans(page_of(Said(text, Role.USER, None, at, tell_language(text))))
    told = [day_told(text[span.start : span.end], at, UTC, text) for span in spans]
    assert [each for each in told if ":" not in each] == days


@pytest.mark.parametrize(
    ("asked", "query", "day"),
    [
        ("2026-10-28", "What did we agree for 8 November?", "2026-11-08"),
        ("2026-10-28", "Who is on call on 8 November?", "2026-11-08"),
        ("2026-10-28", "Wer hat am 8. November Bereitschaft?", "2026-11-08"),
        ("2026-10-28", "Was haben wir für den 8. November vereinbart?", "2026-11-08"),
        ("2026-10-28", "Where was I on 8 November?", "2025-11-08"),
        ("2026-10-28", "What did we say on 8 November?", "2025-11-08"),
        ("2026-10-28", "Wo war ich am 8. November?", "2025-11-08"),
        ("2026-10-28", "photos of 3 February", "2026-02-03"),
        ("2026-11-20", "What did we agree for 8 November?", "2026-11-08"),
    ],
)
def test_a_query_asks_for_what_has_been_unless_the_day_is_close_ahead(asked: str, query: str, day: str) -> None:
    (window,) = read_intent(query, datetime.fromisoformat(asked).replace(tzinfo=UTC)).windows
    assert window.start.date().isoformat() == day


def test_what_was_agreed_without_a_verb_is_coming_up() -> None:
    assert may_point_ahead("Agreed: 8 November, 02:00 to 04:00.")
    assert may_point_ahead("Sunday 8 Nov, offsite")
    assert not may_point_ahead("We met on 8 November.")


def test_a_long_text_without_any_end_is_looked_at_in_passing() -> None:
    text = "the plumber comes " * 20_000 + "on friday"
    assert not points_ahead(text[-100:] + " " + "booked " * 50_000, Span(0, 5))
