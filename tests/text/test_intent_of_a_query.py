"""What a query asks for beside its words: a state, an amount, advice, all of a kind, something done."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from palace.nlp.questions.questions import answers_nothing, only_asks
from palace.nlp.questions.scope import asks_advice
from palace.recall.intent import Intent, read_intent
from tests.text.tables import each, misread, tables

TABLES = tables("intent_of_a_query")

NOW = datetime(2026, 9, 1, 12, tzinfo=UTC)


def asked(query: str) -> Intent:
    return read_intent(query, NOW)


def names(pattern: str | None, text: str) -> bool:
    """Hold a text against a pattern as Postgres reads it."""
    assert pattern is not None
    for theirs, ours in {r"\y": r"\b", "[[:alpha:]]": "[a-z]"}.items():
        pattern = pattern.replace(theirs, ours)
    return re.search(pattern, text, re.IGNORECASE | re.DOTALL) is not None


def test_a_task_wants_something_done_and_a_question_something_remembered() -> None:
    table = [*each(TABLES["work"], True), *each(TABLES["memory"], False)]
    assert misread(lambda query: asked(query).wants_work, table) == []


def test_a_broad_question_is_known_by_what_it_asks_for() -> None:
    assert misread(lambda query: asked(query).breadth.name.lower(), TABLES["breadth"].items()) == []
    assert asked("How often did we sail to the island?").breadth.is_broad
    assert not asked("What is the name of my dentist?").breadth.is_broad


def test_advice_is_asked_for_and_what_was_said_before_is_not() -> None:
    table = [*each(TABLES["advice"], True), *each(TABLES["no_advice"], False)]
    assert misread(asks_advice, table) == []


def test_a_state_that_was_that_is_and_an_earlier_one_are_told_apart() -> None:
    assert misread(lambda query: str(asked(query).asks_what_was), TABLES["what_was"].items()) == []
    assert misread(lambda query: str(asked(query).asks_what_is), TABLES["what_is"].items()) == []
    assert misread(lambda query: str(asked(query).earlier), TABLES["earlier"].items()) == []


def test_what_a_change_came_to_or_goes_on_is_told_from_what_happened() -> None:
    table = [*each(TABLES["outcome"], False), *each(TABLES["happened"], True)]
    assert misread(lambda query: asked(query).asks_past, table) == []


def test_an_amount_as_of_now_is_told_from_one_that_is_over_or_a_sum() -> None:
    for query, told in TABLES["amounts"].items():
        named, other = told.split(" -> ")
        assert (names(asked(query).amount, named), names(asked(query).amount, other)) == (True, False), query
    assert misread(lambda query: asked(query).amount, [*each(TABLES["no_amount"], None), ("", None)]) == []
    assert asked("What is the total of my orders?").asks_several
    assert asked("Wie viel kostet das insgesamt?").asks_several


def test_what_an_answer_must_name() -> None:
    for query, told in TABLES["named"].items():
        named, other = told.split(" -> ")
        pattern = asked(query).answers_name
        assert (names(pattern, named), names(pattern, other)) == (True, False), query
    assert asked("Where is my key?").answers_name is None


def test_a_time_in_german_is_that_time_and_what_is_none_is_none() -> None:
    wrong = []
    for german, english in TABLES["times"].items():
        query = f"Was war {german} los?"
        (window,), (meant,) = asked(query).windows, asked(f"What was {english}?").windows
        if (window.start, window.end, window.softness) != (meant.start, meant.end, meant.softness):
            wrong.append((german, window, meant))
        assert query[window.span.start : window.span.end] == german
    assert wrong == []
    none = ["Der Sommer war lang.", "Guten Morgen!", "Mein Montag", "vor dem Haus", "Am I late?"]
    assert misread(lambda query: asked(query).windows, each(none, ())) == []


def test_what_only_asks_is_told_from_what_tells_something_too() -> None:
    assert misread(only_asks, [*each(TABLES["asking"], True), *each(TABLES["telling"], False)]) == []
    for replies, is_empty in (("empty", True), ("full", False)):
        told = {reply: answers_nothing(reply, question) for reply, question in TABLES[replies].items()}
        assert [reply for reply, is_so in told.items() if is_so is not is_empty] == []
    assert not only_asks("What? " + "It hums. " * 200)
    assert not only_asks("I bought the 58.8 volt charger yesterday, the one you named.\nDoes it fit?")


@given(st.text(max_size=400) | st.text(alphabet="vor letzten drei Woche 3. Mai seit 2020 İß", max_size=60))
def test_any_query_is_read(query: str) -> None:
    assert all(window.start < window.end for window in asked(query).windows)
    only_asks(query)
