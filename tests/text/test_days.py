"""Whether a date without a year, or a bare weekday, is the last one or the next: by the words of its sentence.

Seen where it counts: in the days that a message is filed with, in its tags, and in what a query asks for.
"""

from __future__ import annotations

from datetime import UTC, datetime

from palace.records import Role
from tests.text.reading import Said, day_told, index, may_point_ahead, read_intent, read_names
from tests.text.tables import each, misread, rows

MONDAY, WEDNESDAY = "2026-11-23", "2026-11-04"
"""To the Wednesday, the Monday before is nearer than the one after."""
SENTENCES = """
Go-live has slipped, it is now the 14th of January. -> 2027-01-14
I was invited on 20 February and went. -> 2026-02-20
Last year the concert was postponed to 5 March. -> 2026-03-05
She is back, and her birthday is 5 November. -> 2026-11-05
Die Fähre ist für den 12. Januar gebucht. -> 2027-01-12
Wir haben für den 12. Januar einen Tisch reserviert. -> 2027-01-12
Der Klempner kommt am Freitag. -> 2026-11-27
Am Freitag kommt der Klempner. -> 2026-11-27
Ich wurde am 20. Februar zu einer Hochzeit eingeladen. -> 2026-02-20
"""
"""Said on a Monday."""
WEEKDAYS_AHEAD = """
Lieferung erst am Montag | Wir liefern am Montag | Die Ware wird am Montag geliefert. | Der Umzug ist am Montag
Delivery from Monday | It is ready Monday at the earliest.
"""
WEEKDAYS_BACK = """
The leftovers from Monday are great | They arrived, but not before Monday. | Wir haben ab Montag geliefert
Am Montag lieferten wir | Wir lieferten am Montag | Wir haben am Montag telefoniert.
"""
UNTOLD = """
2026-10-28: Agreed: 8 November, 02:00 to 04:00. -> 2026-11-08
2026-10-28: Rome in November. -> 2026-11-16
2026-10-28: On Sun 8 Nov we met. -> 2026-11-08
2026-10-28: We will fix it. The outage on 12 October was bad. -> 2026-10-12
2026-10-28: Am 08.11. passt mir das ganz gut, danke. -> 2026-11-08
2026-10-28: Der Freeze geht vom 25. bis 29. November. -> 2026-11-27
2026-10-28: Am Schwarzen Freitag geht der Shop in die Knie. -> 2026-11-27
"""
"""What no tense points: the nearer of the two is meant."""
TAGS = """
2026-10-27: The window is Sunday 8 November from 02:00 to 04:00. -> 2026-11-08
2026-10-28: Sunday 8/11 works -> 2026-11-08
2026-11-03: Cyber Monday, then Good Friday. -> 2026-11-30 2027-03-26
2026-10-19: The contract runs until March 2027. -> 2027-03
2026-10-19: I live in Ghent since March. -> 2026-03
2026-10-28: Das Wartungsfenster ist am Sonntag, 8. November, im Haus. -> 2026-11-08
2026-10-19: Der Vertrag läuft bis März 2027. -> 2027-03
2026-03-03: Karfreitag haben wir zu, und am Ostermontag auch. -> 2026-04-03 2026-04-06
"""
ASKED = """
2026-10-28: What did we agree for 8 November? -> 2026-11-08
2026-10-28: Wer hat am 8. November Bereitschaft? -> 2026-11-08
2026-10-28: Was haben wir für den 8. November vereinbart? -> 2026-11-08
2026-10-28: What did we say on 8 November? -> 2025-11-08
2026-11-04: what did we do on Monday -> 2026-11-02
2026-11-04: Was haben wir am Montag gemacht? -> 2026-11-02
"""


def at(day: str) -> datetime:
    return datetime.fromisoformat(f"{day}T09:00:00+00:00")


def filed(text: str, day: str) -> str:
    """Give the day of the last time that a message tells, in the middle of its soft edges."""
    stretch = index(text, said_at=at(day)).spoken_of[-1]
    return (stretch.start + (stretch.end - stretch.start) / 2).date().isoformat()


def tagged(text: str, day: str) -> list[str]:
    """Give the days that a message is tagged with."""
    language = index(text).language
    (names,) = read_names([Said(text, Role.USER, None, at(day), language)])
    told = [day_told(each.text, at(day), UTC, text) for each in names if each.type == "time"]
    return [each for each in told if ":" not in each]


def test_what_is_moved_booked_or_coming_is_ahead_and_what_has_been_is_behind() -> None:
    assert misread(lambda text: filed(text, MONDAY), rows(SENTENCES)) == []


def test_a_weekday_that_opens_ahead_or_is_told_in_the_present_is_the_next() -> None:
    def tag(text: str) -> str:
        return day_told("Montag" if "Montag" in text else "Monday", at(WEDNESDAY), UTC, text)

    assert misread(tag, each(WEEKDAYS_AHEAD, "2026-11-09")) == []
    assert misread(may_point_ahead, each(WEEKDAYS_AHEAD, True)) == []
    assert misread(tag, each(WEEKDAYS_BACK, "2026-11-02")) == []
    assert misread(tag, each("Lieferung bis Montag\nYou can't forget to send it before Monday", "2026-11-09")) == []
    assert day_told("Samstag", at(WEDNESDAY), UTC, "Wir lieferten am Samstag.") == "2026-10-31"
    assert day_told("Saturday", at(MONDAY), UTC, "Delivery not before Saturday") == "2026-11-28"


def test_a_date_that_no_tense_points_is_the_nearer_one() -> None:
    assert misread(lambda told: filed(told[12:], told[:10]), rows(UNTOLD)) == []


def test_a_date_is_one_tag_whatever_stands_around_it_and_points_as_its_sentence_says() -> None:
    assert misread(lambda told: " ".join(tagged(told[12:], told[:10])), rows(TAGS)) == []
    assert tagged("Mein Termin wurde auf den 17. Dezember verschoben.", MONDAY) == ["2026-12-17"]
    assert tagged("I moved to Berlin on 17 December.", MONDAY) == ["2025-12-17"]


def test_a_query_asks_for_what_has_been_unless_the_day_is_close_ahead() -> None:
    def asked(told: str) -> str:
        (window,) = read_intent(told[12:], at(told[:10])).windows
        return window.start.date().isoformat()

    assert misread(asked, rows(ASKED)) == []


def test_what_was_agreed_without_a_verb_is_coming_up() -> None:
    assert may_point_ahead("Agreed: 8 November, 02:00 to 04:00.")
    assert may_point_ahead("Sunday 8 Nov, offsite")
    assert not may_point_ahead("We met on 8 November.")
