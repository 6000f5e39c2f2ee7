"""Whether a date without a year, or a bare weekday, is the last one or the next: by the words of its sentence.

Seen where it counts: in the days that a message is filed with, in its tags, and in what a query asks for.
"""

from __future__ import annotations

from datetime import UTC, datetime

from palace.models import Role
from palace.models.claims import Said
from palace.nlp.direction import day_told, may_point_ahead
from palace.nlp.names.reading import read_names
from palace.nlp.sentences import index_message
from palace.recall.intent import read_intent
from tests.text.tables import each, misread, tables

TABLES = tables("days")

MONDAY, WEDNESDAY = "2026-11-23", "2026-11-04"
"""To the Wednesday, the Monday before is nearer than the one after."""
"""Said on a Monday."""
"""What no tense points: the nearer of the two is meant."""


def at(day: str) -> datetime:
    return datetime.fromisoformat(f"{day}T09:00:00+00:00")


def filed(text: str, day: str) -> str:
    """Give the day of the last time that a message tells, in the middle of its soft edges."""
    stretch = index_message(text, Role.USER, at(day)).spoken_of[-1]
    return (stretch.start + (stretch.end - stretch.start) / 2).date().isoformat()


def tagged(text: str, day: str) -> list[str]:
    """Give the days that a message is tagged with."""
    language = index_message(text, Role.USER, None).language
    (names,) = read_names([Said(text, Role.USER, None, at(day), language)])
    told = [day_told(each.text, at(day), UTC, text) for each in names if each.type == "time"]
    return [each for each in told if ":" not in each]


def test_what_is_moved_booked_or_coming_is_ahead_and_what_has_been_is_behind() -> None:
    assert misread(lambda text: filed(text, MONDAY), TABLES["sentences"].items()) == []


def test_a_weekday_that_opens_ahead_or_is_told_in_the_present_is_the_next() -> None:
    def tag(text: str) -> str:
        return day_told("Montag" if "Montag" in text else "Monday", at(WEDNESDAY), UTC, text)

    assert misread(tag, each(TABLES["weekdays_ahead"], "2026-11-09")) == []
    assert misread(may_point_ahead, each(TABLES["weekdays_ahead"], True)) == []
    assert misread(tag, each(TABLES["weekdays_back"], "2026-11-02")) == []
    assert misread(tag, each(["Lieferung bis Montag", "You can't forget to send it before Monday"], "2026-11-09")) == []
    assert day_told("Samstag", at(WEDNESDAY), UTC, "Wir lieferten am Samstag.") == "2026-10-31"
    assert day_told("Saturday", at(MONDAY), UTC, "Delivery not before Saturday") == "2026-11-28"


def test_a_date_that_no_tense_points_is_the_nearer_one() -> None:
    assert misread(lambda told: filed(told[12:], told[:10]), TABLES["untold"].items()) == []


def test_a_date_is_one_tag_whatever_stands_around_it_and_points_as_its_sentence_says() -> None:
    assert misread(lambda told: " ".join(tagged(told[12:], told[:10])), TABLES["tags"].items()) == []
    assert tagged("Mein Termin wurde auf den 17. Dezember verschoben.", MONDAY) == ["2026-12-17"]
    assert tagged("I moved to Berlin on 17 December.", MONDAY) == ["2025-12-17"]


def test_a_query_asks_for_what_has_been_unless_the_day_is_close_ahead() -> None:
    def asked(told: str) -> str:
        (window,) = read_intent(told[12:], at(told[:10])).windows
        return window.start.date().isoformat()

    assert misread(asked, TABLES["asked"].items()) == []


def test_what_was_agreed_without_a_verb_is_coming_up() -> None:
    assert may_point_ahead("Agreed: 8 November, 02:00 to 04:00.")
    assert may_point_ahead("Sunday 8 Nov, offsite")
    assert not may_point_ahead("We met on 8 November.")
