"""What holds from then on, told from what is said in passing; and what of a task it is about."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palace.text.standing import (
    Aspect,
    aspects_of_statement,
    aspects_of_task,
    gives_instruction,
    is_against,
    is_standing,
    revokes,
    topic_of,
)

INSTRUCTIONS = """
Always format the code before you show it.
Never suggest olives.
Please don't use footnotes.
From now on answer in two lines, please.
Keep in mind that I work nights.
A rule for all recipes: no deep frying.
When you write to my landlord, stay polite and use my full name.
Whatever you plan for us, leave the afternoons free.
Answer in German please.
No garlic for me, ever.
I want your answers in plain English.
Remember that I have a hearing aid.
That goes for the garden as well.
Don't send me to big shops.
Immer mit vier Leerzeichen einrücken.
Bitte nie Oliven vorschlagen.
Ab jetzt bitte nur noch kurz antworten.
Merk dir, dass ich nachts arbeite.
Plane für uns immer mit der Bahn.
"""
OF_ONESELF = """
I prefer simple dependencies.
I never eat before noon.
I'm allergic to pollen.
I'd rather walk than drive.
I eat eggs again.
Ich esse kein Fleisch.
"""
IN_PASSING = """
The lamp is always on.
He never came back.
Never mind, it works now.
Thanks, that is always good to know.
Could you always sort them by date?
I always thought it was closed.
We went to the market and bought plums.
It rained for good measure.
Remember the regatta? That was fun.
Please write a letter to the landlord.
Der Zug kam wie immer zu spät.
Ich weiß immer noch nicht, was ich koche.
"""


@pytest.mark.parametrize("text", INSTRUCTIONS.strip().splitlines())
def test_an_instruction_is_known(text: str) -> None:
    assert gives_instruction(text)
    assert is_standing(text)


@pytest.mark.parametrize("text", OF_ONESELF.strip().splitlines())
def test_what_a_person_always_never_or_rather_does_holds_as_well(text: str) -> None:
    assert is_standing(text)


@pytest.mark.parametrize("text", IN_PASSING.strip().splitlines())
def test_what_is_said_in_passing_is_none(text: str) -> None:
    assert not is_standing(text)


def test_what_is_asked_is_no_instruction_but_what_stands_before_it_may_be() -> None:
    assert not gives_instruction("Should I always use tabs?")
    assert gives_instruction("One rule for good, please: no peanuts. What can I bake?")


def test_a_statement_is_for_or_against() -> None:
    assert is_against("Never suggest olives.")
    assert not is_against("I eat olives again.")
    assert not is_against("I don't avoid olives.")
    assert revokes("I eat olives again.")
    assert revokes("Vergiss die Regel mit den Oliven.")
    assert not revokes("Never suggest olives.")


@pytest.mark.parametrize(
    ("statement", "task", "aspect"),
    [
        ("Always indent with tabs.", "Write me a function that adds two numbers.", Aspect.CODE),
        ("Never end a letter with regards.", "Draft a reply to my landlord.", Aspect.WORDING),
        ("Only metric for me, please.", "How far is it to the lighthouse?", Aspect.MEASURES),
        ("Never plan anything before nine o'clock.", "When could I meet the plumber?", Aspect.HOURS),
        ("Answer in short sentences, please.", "Explain how a sundial works.", Aspect.MANNER),
    ],
)
def test_a_statement_and_a_task_may_be_about_the_same_aspect(statement: str, task: str, aspect: Aspect) -> None:
    assert aspect in aspects_of_statement(statement) & aspects_of_task(task)


def test_what_two_statements_are_about_is_told_by_words_of_their_own() -> None:
    assert topic_of("Never suggest olives.") & topic_of("I eat olives again.")
    assert not topic_of("Always use tabs in the code you write.") & topic_of("Never use globals in the code you write.")


def test_what_is_confined_to_something_is_not_about_every_answer() -> None:
    assert Aspect.MANNER in aspects_of_statement("Keep your answers short.")
    assert Aspect.MANNER not in aspects_of_statement("When you write to my landlord, keep the sentences short.")


@settings(deadline=None)
@given(st.text(max_size=600))
def test_any_text_is_judged(text: str) -> None:
    assert is_standing(text) in (True, False)
    assert isinstance(aspects_of_statement(text), frozenset)


def test_it_is_judged_fast_however_it_is_made() -> None:
    begun = time.perf_counter()
    for text in ("for me " * 85, "never " * 99, "you always " * 54, "a" * 599, ", " * 299):
        is_standing(text)
    assert time.perf_counter() - begun < 2
