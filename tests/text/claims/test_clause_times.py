"""Which times a clause is read to tell."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from palace.text.claims.dates import Times, times_of
from tests.text.claims.told import SAID_AT

BACK = """
i moved here in autumn 2019 -> at 2019-09-01 season
i've lived here since last autumn -> since 2024-09-01 season
we've been married for 3 years now -> since 2022-01-01 year
i've been at bosch 5 yrs -> since 2020-01-01 year
i've been playing for about ten years -> since 2015-01-01 year
back in 2019 i bought a boat -> at 2019-01-01 year
we got the cat the week before easter -> at 2025-04-07 vague
my son turned 4 on tuesday -> at 2025-05-13 day
i started on the 3rd -> at 2025-05-03 day
she left siemens on the 14th of april -> at 2025-04-14 day
sold the car two weeks ago -> at 2025-04-30 vague
sold the car a couple of weeks ago -> at 2025-04-30 vague
i bought it in march -> at 2025-03-01 month
i quit smoking on new year's eve -> at 2024-12-31 day
i quit at the end of march -> at 2025-03-31 day
moved in early 2023 -> at 2023-01-01 vague
we moved in mid-april -> at 2025-04-01 month
bought a bike in late september -> at 2024-09-01 month
sold it at the start of the year -> at 2025-01-01 vague
i've had the dog since he was a puppy -> -
when i was 12 i lived in ghent -> -
i have worked there since 2008 -> since 2008-01-01 year
i worked at arup from 2012 to 2018 -> since 2012-01-01 year ; until 2018-01-01 year
i worked at arup 2012-2018 -> at 2012-01-01 year ; at_end 2018-01-01 year
lived in berlin between 2003 and 2007 -> at 2003-01-01 year ; at_end 2007-01-01 year
lived in toulouse until 2010 -> until 2010-01-01 year
joined the choir last winter -> at 2024-12-01 season
sometime last winter i started swimming -> at 2024-12-01 season
moved in w/ sam 1 nov -> at 2024-11-01 day
urban arrow stolen sat night -> at 2025-05-10 day
the car went for scrap last thursday -> at 2025-05-08 day
traded it in on bank holiday monday -> at 2025-05-05 day
closed the account 31/12 -> at 2024-12-31 day
started 3/3/2025 -> at 2025-03-03 day
started on 2025-03-03 -> at 2025-03-03 day
got the keys yesterday -> at 2025-05-13 day
i picked up the keys this morning -> at 2025-05-14 day
as of today i use bunq -> since 2025-05-14 day
dad died three years ago -> at 2022-01-01 year
she's been with shell since before the pandemic -> -
we adopted luna a year and a half ago -> at 2023-01-01 year
haven't smoked since january 5 -> since 2025-01-05 day
we broke up over christmas -> at 2024-12-24 vague
ended our subscription in december last year -> at 2024-12-01 month
i moved at the beginning of march -> at 2025-03-01 month
bought the flat in the summer of 2021 -> at 2021-06-01 season
bought the flat summer 2021 -> at 2021-06-01 season
i started bouldering around easter -> at 2025-04-20 vague
i've used vim since the 90s -> since 1990-01-01 vague
i have been a nurse for the past 12 years -> since 2013-01-01 year
been vegan 2 years -> since 2023-01-01 year
i've been a member since day one -> -
stopped taking it 10 days ago -> at 2025-05-04 day
i run every tuesday -> -
may i ask -> -
since we moved i hate the commute -> -
i've owned a boat since i was 30 -> -
sold it the other day -> at 2025-05-06 vague
we got married june 2018 -> at 2018-06-01 month
married june 12th 2018 -> at 2018-06-12 day
quit in q1 -> at 2025-01-01 vague
in oslo 28 april - 3 may -> at 2025-04-28 day ; at_end 2025-05-03 day
moved here five or six years ago -> at 2019-01-01 year
i moved here in 2020 or 2021 -> at 2020-01-01 year
i moved last month on the 20th -> at 2025-04-01 month
ich wohne seit ende mai hier -> since 2024-05-31 day
ich bin vor 2 jahren nach köln gezogen -> at 2023-01-01 year
im frühjahr habe ich das boot verkauft -> at 2025-03-01 season
letzten herbst habe ich das boot verkauft -> at 2024-09-01 season
seit drei jahren wohne ich in ulm -> since 2022-01-01 year
seit letztem jahr spiele ich cello -> since 2024-01-01 year
seit silvester rauche ich nicht mehr -> since 2024-12-31 day
anfang april sind wir umgezogen -> at 2025-04-01 month
mitte 2022 bin ich umgezogen -> at 2022-05-01 vague
ende letzten jahres habe ich gekündigt -> at 2024-12-31 day
am 3. märz habe ich angefangen -> at 2025-03-03 day
am 03.03.2025 habe ich angefangen -> at 2025-03-03 day
am 3.3. habe ich angefangen -> at 2025-03-03 day
von 2012 bis 2018 war ich bei siemens -> since 2012-01-01 year ; until 2018-01-01 year
vom 30. märz bis zum 4. april waren wir in triest -> since 2025-03-30 day ; until 2025-04-04 day
vor drei wochen habe ich mir ein rad gekauft -> at 2025-04-23 vague
2015 habe ich geheiratet -> -
zum 1. april habe ich gekündigt -> at 2025-04-01 day
seit montag nehme ich ibuprofen -> since 2025-05-12 day
seit gestern -> since 2025-05-13 day
seit kurzem spiele ich tennis -> -
in den 90ern habe ich in bonn gelebt -> at 1990-01-01 vague
im juni 2018 haben wir geheiratet -> at 2018-06-01 month
heute habe ich bei bosch angefangen -> at 2025-05-14 day
vorgestern hat er den job gekündigt -> at 2025-05-12 day
letzte woche habe ich das auto verkauft -> at 2025-05-05 vague
jeden dienstag laufe ich -> -
seit dem 24. november nehme ich l-thyroxin -> since 2024-11-24 day
seit den herbstferien spielt sie geige -> -
im winter 2021 habe ich angefangen -> at 2021-12-01 season
an ostern haben wir uns getrennt -> at 2025-04-20 day
über weihnachten war ich in bonn -> at 2024-12-24 vague
am wochenende habe ich das rad verkauft -> at 2025-05-17 vague
"""
AHEAD = """
i'm on antibiotics until the end of the month -> until 2025-05-31 day
i rent the garage till the end of june -> until 2025-06-30 day
i start at google on the 3rd -> at 2025-06-03 day
we fly to rome next friday -> at 2025-05-23 vague
as of june 1 i work at kone -> since 2025-06-01 day
from september i'll be at eth -> since 2025-09-01 month
starting next month i take 20mg -> since 2025-06-01 month
starting monday i work at kone -> since 2025-05-19 day
we move to porto in june -> at 2025-06-01 month
we move to porto this summer -> at 2025-06-01 season
the lease runs until august 2026 -> until 2026-08-01 month
trip to oslo 4-9 july -> at 2025-07-04 vague ; at_end 2025-07-09 day
trip to oslo july 4 to 9 -> at 2025-07-04 vague ; at_end 2025-07-09 day
trip to oslo from july 4th till the 9th -> since 2025-07-04 day ; until 2025-07-09 day
appointment tmrw at 9 -> at 2025-05-15 day
appointment with dr sato thurs 3pm -> at 2025-05-15 day
the wedding is in three weeks -> at 2025-06-04 vague
ab oktober arbeite ich bei bosch -> since 2025-10-01 month
ich arbeite noch bis juni bei bosch -> until 2025-06-01 month
nächsten freitag fliegen wir nach rom -> at 2025-05-23 vague
am freitag fliegen wir nach rom -> at 2025-05-16 day
im sommer ziehen wir nach wien -> at 2025-06-01 season
zum 1. juli fange ich bei bosch an -> at 2025-07-01 day
bis ende des monats nehme ich cortison -> until 2025-05-31 day
bis ende juli -> until 2025-07-31 day
in zwei wochen ziehe ich um -> at 2025-05-28 vague
übermorgen ziehe ich um -> at 2025-05-16 day
"""
CASES = [
    pytest.param(*line.split(" -> "), is_ahead, id=line.split(" -> ")[0])
    for lines, is_ahead in ((BACK, False), (AHEAD, True))
    for line in lines.strip().splitlines()
]


@pytest.mark.parametrize(("clause", "times", "is_ahead"), CASES)
def test_a_clause_tells_its_times(clause: str, times: str, is_ahead: bool) -> None:
    found, left = times_of(clause, SAID_AT, ahead=is_ahead)
    assert _written(found) == times
    assert len(left) == len(clause)


def test_without_a_moment_times_are_blanked_and_not_resolved() -> None:
    found, left = times_of("i moved to ghent in march 2021", None, ahead=False)
    assert not found.is_told
    assert left.split() == ["i", "moved", "to", "ghent"]


@pytest.mark.parametrize(
    "clause", ["i worked at bosch for 30 years", "ich wohne seit 30 jahren in bonn", "for 9000 days"]
)
def test_what_began_before_all_calendars_has_no_beginning(clause: str) -> None:
    found, _ = times_of(clause, datetime(20, 5, 1, tzinfo=UTC), ahead=False)
    assert found.since is None


def _written(times: Times) -> str:
    told = {"since": times.since, "at": times.at, "until": times.until, "at_end": times.at_end}
    return " ; ".join(f"{word} {date.day} {date.precision}" for word, date in told.items() if date) or "-"
