"""Which claim a time belongs to that is told beside it, before it or after it."""

from __future__ import annotations

import pytest

from palace.records.graph import EntityType
from tests.text.claims.told import told

NAMES = {
    "Ghent": EntityType.PLACE, "Kone": EntityType.ORGANISATION, "Siemens": EntityType.ORGANISATION,
    "Volvo": EntityType.ITEM, "Berlin": EntityType.PLACE, "Boeing": EntityType.ORGANISATION,
    "Leipzig": EntityType.PLACE, "Lena": EntityType.PERSON, "Bath": EntityType.PLACE, "Bosch": EntityType.ORGANISATION,
}  # fmt: skip
BESIDE = """
I drive a Volvo, which I bought in April 2019. -> I | owns | Volvo | holds from 2019-04-01 month
I live in Ghent, moved here in 2021. -> I | lives_in | Ghent | holds from 2021-01-01 year
I live in Ghent. Moved here in 2021 with my wife. -> I | lives_in | Ghent | holds from 2021-01-01 year
I play the clarinet, and have done so since 2015. -> I | plays | clarinet | holds from 2015-01-01 year
I used to play the cello, stopped in 2020. -> I | plays | cello | was until 2020-01-01 year
I got a job at Kone! I start in September. -> I | works_at | Kone | begins from 2025-09-01 month
I quit my job at Siemens. My last day is 30 June. -> I | works_at | Siemens | ends until 2025-06-30 day
I take metformin, have done for about 3 years. -> I | takes | metformin | holds from 2022-01-01 year
I work at Kone; freelance before that, since 2015 or so. -> I | works_at | Kone | holds
I work at Kone. My wife started in 2015. -> I | works_at | Kone | holds
Married Lena in 2015, divorced since 2022. -> I | married_to | Lena | begins from 2015-01-01 year \
; I | married_to | Lena | ends until 2022-01-01 year
In March I sold the canoe and bought a kayak. -> I | owns | canoe | ends until 2025-03-01 month \
; I | owns | kayak | begins from 2025-03-01 month
Yesterday I sold the canoe. -> I | owns | canoe | ends until 2025-05-13 day
Until last summer we lived in Bath. -> I | lives_in | Bath | was until 2024-06-01 season
I lived in Berlin for six years. -> I | lives_in | Berlin | was
I lived in Berlin for six years until 2019. -> I | lives_in | Berlin | was from 2013-01-01 year until 2019-01-01 year
I lived in Berlin from 2013 to 2019, then moved to Ghent. -> I | lives_in | Berlin | was from 2013-01-01 year \
until 2019-01-01 year ; I | lives_in | Ghent | begins from 2019-01-01 year
I retired from Boeing in 2014 after thirty-one years. -> I | works_at | Boeing | was from 1983-01-01 year \
until 2014-01-01 year
I lived in Berlin for six years in the nineties. -> I | lives_in | Berlin | was from 1990-01-01 vague
I started at Kone on 16 April, freelance before that, since 2015. -> I | works_at | Kone | begins from 2025-04-16 day
Ich bin nach Leipzig gezogen, das war schon im Sommer. -> I | lives_in | Leipzig | begins from 2024-06-01 season
Ich wohne in Leipzig. Ich bin im März hergezogen. -> I | lives_in | Leipzig | holds from 2025-03-01 month
Ich arbeite noch bis Ende Juni bei Bosch. -> I | works_at | Bosch | holds until 2025-06-30 day
"""


@pytest.mark.parametrize("case", BESIDE.strip().splitlines())
def test_a_time_belongs_to_the_claim_it_is_told_beside(case: str) -> None:
    message, claims = case.split(" -> ")
    assert [one for one in told(message, names=NAMES) if "| called |" not in one] == claims.split(" ; ")
