"""A query about the person whose palace it is, put into the first person; all others left alone, to the byte."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from palace.nlp.questions import LONGEST_QUESTION, in_first_person
from tests.text.tables import misread, tables

TABLES = tables("asked")

MARTA, KATRIN = ["Marta Lindqvist"], ["Katrin Vollmer"]
NOBODY = (
    "Where does Anna work on the quay and who fed old Bruno his tea ,;?! wo was wer Haus mit von users Nutzerzahl"
    " user-id user@example.org 'x' \" “ ” „ \ue000 \ue001 \ue002 ` é 日本"
)


def test_what_is_about_the_person_is_put_into_the_first_person() -> None:
    assert misread(lambda query: in_first_person(query, MARTA), TABLES["english"].items()) == []
    assert misread(lambda query: in_first_person(query, KATRIN), TABLES["german"].items()) == []


def test_what_is_not_about_the_person_stays() -> None:
    assert [query for query in TABLES["left"] if in_first_person(query, MARTA) != query] == []
    assert [query for query in TABLES["left_german"] if in_first_person(query, KATRIN) != query] == []
    assert in_first_person("Where does Marta work?") == "Where does Marta work?", "nobody told that name"
    message = "Where does the user work? " * 20
    assert len(message) > LONGEST_QUESTION
    assert in_first_person(message) == message


def test_a_name_that_is_a_word_as_well_counts_only_in_full() -> None:
    words = TABLES["words_that_are_names"].items()
    assert [query for query, name in words if in_first_person(query, [name]) != query] == []
    assert in_first_person("Will it rain in May?", ["Will May"]) == "Will it rain in May?"
    assert in_first_person("Where does Will May live?", ["Will May"]) == "Where do I live?"
    assert in_first_person("where does will may live?", ["Will May"]) == "where do I live?"
    assert in_first_person("Where does Rose live?", ["Rose Quist"]) == "Where do I live?"


@given(st.lists(st.sampled_from([*NOBODY.split(), "\t\n", ""]), max_size=30).map(" ".join))
def test_text_without_any_mention_comes_back_to_the_byte(text: str) -> None:
    assert in_first_person(text, ["Zora Quist"]) == text


@given(st.text(max_size=200), st.lists(st.text(max_size=20), max_size=3))
def test_any_text_and_any_names_are_taken(text: str, names: list[str]) -> None:
    in_first_person(text + " the user's " + text, names)


def test_no_query_takes_long() -> None:
    for word in ("they ", "wo sie ", "the user ", "die Nutzerin ", "who they ", '"', " ", "der "):
        query = (word * LONGEST_QUESTION)[:LONGEST_QUESTION]
        in_first_person(query, MARTA)
        started = time.process_time()
        in_first_person(query, MARTA)
        assert time.process_time() - started < 0.25, word
