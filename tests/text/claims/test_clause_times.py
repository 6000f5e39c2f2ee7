"""Which times a clause tells, and to which claim a time belongs that is told beside it."""

from __future__ import annotations

from datetime import UTC, datetime

from palace.text.claims.dates import times_of
from tests.text.claims.told import SAID_AT, named, told
from tests.text.tables import misread, rows

BACK = """
we got the cat the week before easter -> at 2025-04-07 vague
i have worked there since 2008 -> since 2008-01-01 year
i worked at arup 2012-2018 -> at 2012-01-01 year ; at_end 2018-01-01 year
sometime last winter i started swimming -> at 2024-12-01 season
moved in w/ sam 1 nov -> at 2024-11-01 day
urban arrow stolen sat night -> at 2025-05-10 day
the car went for scrap last thursday -> at 2025-05-08 day
traded it in on bank holiday monday -> at 2025-05-05 day
closed the account 31/12 -> at 2024-12-31 day
started 3/3/2025 -> at 2025-03-03 day
as of today i use bunq -> since 2025-05-14 day
stopped taking it 10 days ago -> at 2025-05-04 day
quit in q1 -> at 2025-01-01 vague
moved here five or six years ago -> at 2019-01-01 year
ich wohne seit ende mai hier -> since 2024-05-31 day
seit drei jahren wohne ich in ulm -> since 2022-01-01 year
ende letzten jahres habe ich gekündigt -> at 2024-12-31 day
am 03.03.2025 habe ich angefangen -> at 2025-03-03 day
vor drei wochen habe ich mir ein rad gekauft -> at 2025-04-23 vague
2015 habe ich geheiratet -> -
seit montag nehme ich ibuprofen -> since 2025-05-12 day
seit kurzem spiele ich tennis -> -
in den 90ern habe ich in bonn gelebt -> at 1990-01-01 vague
heute habe ich bei bosch angefangen -> at 2025-05-14 day
über weihnachten war ich in bonn -> at 2024-12-24 vague
"""
AHEAD = """
i'm on antibiotics until the end of the month -> until 2025-05-31 day
i start at google on the 3rd -> at 2025-06-03 day
from september i'll be at eth -> since 2025-09-01 month
trip to oslo 4-9 july -> at 2025-07-04 vague ; at_end 2025-07-09 day
appointment tmrw at 9 -> at 2025-05-15 day
appointment with dr sato thurs 3pm -> at 2025-05-15 day
nächsten freitag fliegen wir nach rom -> at 2025-05-23 vague
im sommer ziehen wir nach wien -> at 2025-06-01 season
in zwei wochen ziehe ich um -> at 2025-05-28 vague
"""
NAMES = named(place="Ghent Berlin Leipzig Bath", organisation="Kone Siemens Boeing Bosch", item="Volvo", person="Lena")
BESIDE = """
I drive a Volvo, which I bought in April 2019. -> I | owns | Volvo | holds from 2019-04-01 month
I live in Ghent, moved here in 2021. -> I | lives_in | Ghent | holds from 2021-01-01 year
I play the clarinet, and have done so since 2015. -> I | plays | clarinet | holds from 2015-01-01 year
I used to play the cello, stopped in 2020. -> I | plays | cello | was until 2020-01-01 year
I quit my job at Siemens. My last day is 30 June. -> I | works_at | Siemens | ends until 2025-06-30 day
I take metformin, have done for about 3 years. -> I | takes | metformin | holds from 2022-01-01 year
Married Lena in 2015, divorced since 2022. -> I | married_to | Lena | begins from 2015-01-01 year \
; I | married_to | Lena | ends until 2022-01-01 year
Until last summer we lived in Bath. -> I | lives_in | Bath | was until 2024-06-01 season
I lived in Berlin for six years. -> I | lives_in | Berlin | was
I lived in Berlin from 2013 to 2019, then moved to Ghent. -> I | lives_in | Berlin | was from 2013-01-01 year \
until 2019-01-01 year ; I | lives_in | Ghent | begins from 2019-01-01 year
I retired from Boeing in 2014 after thirty-one years. -> I | works_at | Boeing | was from 1983-01-01 year \
until 2014-01-01 year
I lived in Berlin for six years in the nineties. -> I | lives_in | Berlin | was from 1990-01-01 vague
I started at Kone on 16 April, freelance before that, since 2015. -> I | works_at | Kone | begins from 2025-04-16 day
"""


def written(clause: str, *, ahead: bool) -> str:
    found, left = times_of(clause, SAID_AT, ahead=ahead)
    assert len(left) == len(clause)
    told = {"since": found.since, "at": found.at, "until": found.until, "at_end": found.at_end}
    return " ; ".join(f"{word} {date.day} {date.precision}" for word, date in told.items() if date) or "-"


def test_a_clause_tells_its_times_behind_and_ahead() -> None:
    assert misread(lambda clause: written(clause, ahead=False), rows(BACK)) == []
    assert misread(lambda clause: written(clause, ahead=True), rows(AHEAD)) == []


def test_without_a_moment_times_are_blanked_and_not_resolved() -> None:
    found, left = times_of("i moved to ghent in march 2021", None, ahead=False)
    assert not found.is_told
    assert left.split() == ["i", "moved", "to", "ghent"]


def test_what_began_before_all_calendars_has_no_beginning() -> None:
    for clause in ("i worked at bosch for 30 years", "ich wohne seit 30 jahren in bonn", "for 9000 days"):
        assert times_of(clause, datetime(20, 5, 1, tzinfo=UTC), ahead=False)[0].since is None, clause


def test_a_time_belongs_to_the_claim_it_is_told_beside() -> None:
    assert misread(lambda message: told(message, names=NAMES, but="called"), rows(BESIDE)) == []
