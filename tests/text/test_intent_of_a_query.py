"""What a query asks for beside its words: a state, an amount, advice, all of a kind, something done."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from palace.text.asked.questions import only_asks
from tests.text.reading import Intent, read_intent
from tests.text.tables import each, misread, rows

NOW = datetime(2026, 9, 1, 12, tzinfo=UTC)
WORK = """
Write me a poem about the sea. | Please draft a note to the landlord. | Could you plan a picnic for eight?
Is there a museum worth a detour? | Any good novel for the train? | Was soll ich heute kochen?
"""
MEMORY = """
What is the name of my dentist? | Where does my sister live? | Who drew the plan of the shed?
Remind me what Ana suggested. | Why did we sell the canoe? | Wie heißt mein Zahnarzt?
"""
BREADTH = """
How many letters have I written to the council? -> count
How many times has the boiler been repaired? -> count
Which of my neighbours have moved away? -> list
Which did I paint first: the door or the fence? -> order
How has the garden been doing since spring? -> summary
Wie heißt mein Zahnarzt? -> none
"""
ADVICE = """
Do you have any suggestions for dinner tonight? | I'm not sure which lens to take along.
Could you suggest a few podcasts? | What would you pick for a long flight?
I was wondering if you could recommend a hotel in Graz. | Where's a good place for me to read outdoors?
"""
NO_ADVICE = """
What did you recommend for my back pain? | What was the advice about my visa? | Who recommended the dentist to me?
What did Ana suggest for the menu? | When did I buy the standing desk?
In our last conversation, which podcasts were the suggestions for?
"""
WHAT_WAS = """
How much did the room cost in summer? -> True
Where did we live in 2019? -> True
Who was my tax adviser last winter? -> True
What did I buy in spring? -> False
Was war im Mai los? -> False
Where do I live? -> False
"""
WHAT_IS = """
When is my dentist appointment? -> True
What’s the rent of my shop? -> True
Wie hoch ist meine Miete? -> True
When was my dentist appointment? -> False
How many days passed between my two visits? -> False
What is the capital of Peru? -> False
"""
EARLIER = """
What did my son first want to study? -> first
Which vehicle did I have before the van? -> before
Wo wohnten wir, bevor wir umzogen? -> before
What is my first name? -> None
What goes with it zum Abendessen? -> None
Where do I live? -> None
"""
OUTCOME = """
Where did my brother move to? | Which bank did I switch to? | What did we settle on for the kitchen floor?
Where did the choir end up? | How long have I had the van? | What has my aunt got in her garden?
"""
HAPPENED = """
Where did I move from? | When did I switch to the new bank? | Which bank did I originally switch to?
Where did I buy the lamp? | When had I got the van?
"""
AMOUNTS = """
How long have I been rowing? -> We have been at it for two long months now. -> I finished 30 of the videos.
How long is my aunt staying with us now? -> She has been here for 3 weeks. -> She has 3 cats here.
Seit wann lernt Mia Geige? -> Sie lernt es seit drei Jahren. -> Sie hat drei Geigen.
How many videos of the course have I watched? -> I finished 30 of the videos. -> We did it for two months.
How many old videos do I own by now? -> I finished 30 of the videos. -> Some videos are lost.
Wie viele Pilze habe ich bisher gefunden? -> Das war schon der 14. Pilz. -> Pilze für Mia.
"""
NO_AMOUNT = """
How long had I been rowing when I met Ines? | How many weeks passed between my two visits?
How many videos did I watch? | Where is my key? | How many?
"""
NAMED = """
How much is the rent? -> 910 a month -> too much for what it is
Wie alt ist der Hund? -> Der Hund ist sieben. -> Der Hund bellt.
When is my dentist appointment? -> on Tuesday -> somewhere in Leith
"""
TIMES = """
gestern -> yesterday
vorgestern -> the day before yesterday
letzte Woche -> last week
im vergangenen Monat -> last month
dieses Wochenende -> this weekend
am Wochenende -> this weekend
vor einem Jahr -> a year ago
vor ein paar Tagen -> a few days ago
in den letzten zwei Wochen -> in the last two weeks
in den letzten Tagen -> in the last few days
seit letzter Woche -> since last week
bis gestern -> until yesterday
letzten Freitag -> last Friday
im Sommer -> in the summer
im März 2025 -> in March 2025
am 3. Mai 2025 -> on 3 May 2025
"""
ASKING = """
Which one? And why? | ¿Dónde está la llave? | 充电器需要多少伏？ | **How do I rename a branch?**
Which charger for 14S? I want to charge it overnight in the garage, slowly.
Welches Ladegerät? Ich möchte über Nacht laden.
"""
TELLING = """
58.8 volts. | The charger gives 58.8 volts. Is that too much? | See https://example.org/?q=1 for the manual.
Did it fit? I need 58.8 volts. | I want four of them. Which ones are there?
"""


def asked(query: str) -> Intent:
    return read_intent(query, NOW)


def names(pattern: str | None, text: str) -> bool:
    """Hold a text against a pattern as Postgres reads it."""
    assert pattern is not None
    for theirs, ours in {r"\y": r"\b", "[[:alpha:]]": "[a-z]"}.items():
        pattern = pattern.replace(theirs, ours)
    return re.search(pattern, text, re.IGNORECASE | re.DOTALL) is not None


def test_a_task_wants_something_done_and_a_question_something_remembered() -> None:
    assert misread(lambda query: asked(query).wants_work, [*each(WORK, True), *each(MEMORY, False)]) == []


def test_a_broad_question_is_known_by_what_it_asks_for() -> None:
    assert misread(lambda query: asked(query).breadth.name.lower(), rows(BREADTH)) == []
    assert asked("How often did we sail to the island?").breadth.is_broad
    assert not asked("What is the name of my dentist?").breadth.is_broad


def test_advice_is_asked_for_and_what_was_said_before_is_not() -> None:
    assert misread(lambda query: asked(query).asks_advice, [*each(ADVICE, True), *each(NO_ADVICE, False)]) == []


def test_a_state_that_was_that_is_and_an_earlier_one_are_told_apart() -> None:
    assert misread(lambda query: str(asked(query).asks_what_was), rows(WHAT_WAS)) == []
    assert misread(lambda query: str(asked(query).asks_what_is), rows(WHAT_IS)) == []
    assert misread(lambda query: str(asked(query).earlier), rows(EARLIER)) == []


def test_what_a_change_came_to_or_goes_on_is_told_from_what_happened() -> None:
    assert misread(lambda query: asked(query).asks_past, [*each(OUTCOME, False), *each(HAPPENED, True)]) == []


def test_an_amount_as_of_now_is_told_from_one_that_is_over_or_a_sum() -> None:
    for query, told in rows(AMOUNTS):
        named, other = told.split(" -> ")
        assert (names(asked(query).amount, named), names(asked(query).amount, other)) == (True, False), query
    assert misread(lambda query: asked(query).amount, [*each(NO_AMOUNT, None), ("", None)]) == []
    assert asked("What is the total of my orders?").asks_several
    assert asked("Wie viel kostet das insgesamt?").asks_several


def test_what_an_answer_must_name() -> None:
    for query, told in rows(NAMED):
        named, other = told.split(" -> ")
        pattern = asked(query).answers_name
        assert (names(pattern, named), names(pattern, other)) == (True, False), query
    assert asked("Where is my key?").answers_name is None


def test_a_time_in_german_is_that_time_and_what_is_none_is_none() -> None:
    wrong = []
    for german, english in rows(TIMES):
        query = f"Was war {german} los?"
        (window,), (meant,) = asked(query).windows, asked(f"What was {english}?").windows
        if (window.start, window.end, window.softness) != (meant.start, meant.end, meant.softness):
            wrong.append((german, window, meant))
        assert query[window.span.start : window.span.end] == german
    assert wrong == []
    none = "Der Sommer war lang.\nGuten Morgen!\nMein Montag\nvor dem Haus\nAm I late?"
    assert misread(lambda query: asked(query).windows, each(none, ())) == []


def test_what_only_asks_is_told_from_what_tells_something_too() -> None:
    assert misread(only_asks, [*each(ASKING, True), *each(TELLING, False)]) == []
    assert not only_asks("What? " + "It hums. " * 200)
    assert not only_asks("I bought the 58.8 volt charger yesterday, the one you named.\nDoes it fit?")


@given(st.text(max_size=400) | st.text(alphabet="vor letzten drei Woche 3. Mai seit 2020 İß", max_size=60))
def test_any_query_is_read(query: str) -> None:
    assert all(window.start < window.end for window in asked(query).windows)
    only_asks(query)
