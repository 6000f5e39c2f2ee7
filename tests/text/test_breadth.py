"""How much a query asks for: one thing, or all of a kind."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace.text.asked.breadth import Breadth, breadth_of

ASKED = {
    Breadth.COUNT: """
How many letters have I written to the council?
How often did we sail to the island?
How much have I spent on the greenhouse so far?
How many times has the boiler been repaired?
What has the greenhouse cost altogether?
Wie oft war ich im Theater?
Wie viele Kuchen habe ich gebacken?
""",
    Breadth.LIST: """
Which islands have I visited?
List all the lamps I bought.
What problems came up with the roof?
Which of my neighbours have moved away?
Everything that was done to the boat, please.
Welche Inseln haben wir besucht?
Nenne alle Lampen, die ich gekauft habe.
""",
    Breadth.ORDER: """
In what order did I visit the islands?
Put my doctor's visits in order.
Which did I paint first: the door or the fence?
What came first, the roof or the cellar?
In welcher Reihenfolge habe ich die Inseln besucht?
""",
    Breadth.SUMMARY: """
Summarise my year as a beekeeper.
Give me an overview of the roof repair.
How has the garden been doing since spring?
How did the roof repair go?
Tell me everything about my grandmother.
Fasse mein Jahr als Imker zusammen.
""",
}
NARROW = """
What is the name of my dentist?
How many sugars does she take?
How much is my rent?
What was my first car?
When did I buy the boat?
Do I need a permit in order to fish?
Which shoes fit me?
Wie heißt mein Zahnarzt?
Welche Schuhgröße habe ich?
Wie viel Uhr ist es?
"""


@pytest.mark.parametrize(
    ("query", "breadth"), [(query, breadth) for breadth, asked in ASKED.items() for query in asked.strip().splitlines()]
)
def test_a_broad_question_is_known_by_what_it_asks_for(query: str, breadth: Breadth) -> None:
    assert breadth_of(query) is breadth
    assert breadth_of(query).is_broad


@pytest.mark.parametrize("query", NARROW.strip().splitlines())
def test_a_question_for_one_thing_is_none(query: str) -> None:
    assert breadth_of(query) is Breadth.NONE
    assert not breadth_of(query).is_broad


@given(st.text(max_size=400))
def test_any_text_has_a_breadth(text: str) -> None:
    assert breadth_of(text) in Breadth
