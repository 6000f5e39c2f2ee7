"""Which state of things a query asks for."""

from __future__ import annotations

import re

import pytest

from palace.text.asked.states import (
    Earlier,
    asks_earlier,
    asks_outcome,
    asks_several,
    asks_what_is,
    asks_what_was,
    named_by_answers,
    of_what_goes_on,
)


@pytest.mark.parametrize(
    ("query", "was"),
    [
        ("What was our address in spring 2025?", True),
        ("How much did the room cost in summer?", True),
        ("Where did we live in 2019?", True),
        ("Who was my tax adviser last winter?", True),
        ("Wo wohnten wir im Sommer 2019?", True),
        ("What did I buy in spring?", False),
        ("What happened while I was away in May?", False),
        ("Which films were new in May?", False),
        ("Who did I meet up with in June?", False),
        ("Was war im Mai los?", False),
        ("Where do I live?", False),
    ],
)
def test_a_state_is_told_from_what_happened(query: str, was: bool) -> None:
    assert asks_what_was(query) is was


@pytest.mark.parametrize(
    ("query", "now"),
    [
        ("When is my dentist appointment?", True),
        ("What’s the rent of my shop?", True),
        ("Where does Carla live?", True),
        ("Wie hoch ist meine Miete?", True),
        ("When was my dentist appointment?", False),
        ("How many days passed between my two visits?", False),
        ("What is the capital of Peru?", False),
        ("Wo habe ich früher gewohnt?", False),
    ],
)
def test_the_present_is_asked_of_something_of_the_persons(query: str, now: bool) -> None:
    assert asks_what_is(query) is now


@pytest.mark.parametrize(
    ("query", "earlier"),
    [
        ("What did my son first want to study?", Earlier.FIRST),
        ("What strength was I started on?", Earlier.FIRST),
        ("Which vehicle did I have before the van?", Earlier.BEFORE),
        ("Was wollte ich ursprünglich werden?", Earlier.FIRST),
        ("Wo wohnten wir, bevor wir umzogen?", Earlier.BEFORE),
        ("What is my first name?", None),
        ("What goes with it zum Abendessen?", None),
        ("Where do I live?", None),
    ],
)
def test_an_earlier_state_is_told_without_a_time(query: str, earlier: Earlier | None) -> None:
    assert asks_earlier(query) is earlier


@pytest.mark.parametrize(
    ("query", "outcome"),
    [
        ("Where did my brother move to?", True),
        ("Which bank did I switch to?", True),
        ("Did we change to more hours a week, or fewer?", True),
        ("What did we settle on for the kitchen floor?", True),
        ("Where did the choir end up?", True),
        ("Where did I move from?", False),
        ("When did I switch to the new bank?", False),
        ("Which bank did I originally switch to?", False),
        ("Where did I buy the lamp?", False),
    ],
)
def test_what_a_change_came_to_is_told_from_what_happened(query: str, outcome: bool) -> None:
    assert asks_outcome(query) is outcome


@pytest.mark.parametrize(
    ("query", "goes_on"),
    [
        ("How long have I had the van?", "How long have I the van?"),
        ("What has my aunt got in her garden?", "What has my aunt in her garden?"),
        ("What have I had to pay?", "What have I had to pay?"),
        ("When had I got the van?", "When had I got the van?"),
        ("What have I got rid of?", "What have I got rid of?"),
    ],
)
def test_what_somebody_has_had_so_far_goes_on(query: str, goes_on: str) -> None:
    assert of_what_goes_on(query) == goes_on


@pytest.mark.parametrize("query", ["What is the total of my orders?", "Wie viel kostet das insgesamt?"])
def test_a_sum_takes_several_statements(query: str) -> None:
    assert asks_several(query)


@pytest.mark.parametrize(
    ("query", "names", "does_not"),
    [
        ("How much is the rent?", "910 a month", "too much for what it is"),
        ("Wie alt ist der Hund?", "Der Hund ist sieben.", "Der Hund bellt."),
        ("When is my dentist appointment?", "on Tuesday", "somewhere in Leith"),
    ],
)
def test_what_an_answer_must_name(query: str, names: str, does_not: str) -> None:
    pattern = named_by_answers(query)
    assert pattern is not None
    # Postgres writes the edge of a word so.
    looked_for = re.compile(pattern.replace(r"\y", r"\b"), re.IGNORECASE)
    assert looked_for.search(names)
    assert not looked_for.search(does_not)


def test_any_answer_may_do() -> None:
    assert named_by_answers("Where is my key?") is None
