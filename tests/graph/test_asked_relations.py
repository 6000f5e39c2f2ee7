"""Which of an entity's relations a question asks for."""

from __future__ import annotations

import pytest

from palace.graph.wording.predicates import words_of
from palace.graph.wording.questions import ranked
from tests.graph.relations_made import made

OF_DEREK = [
    made("Derek", "works_at", "Vestas"),
    made("Derek", "lives_in", "Aarhus"),
    made("Derek", "owns", "efoil"),
    made("Derek", "has_dentist", "Dr Sato"),
    made("Derek", "plays", "cello"),
    made("Derek", "married_to", "Ines"),
    made("Ines", "lives_in", "Skive"),
]


@pytest.mark.parametrize(
    ("question", "objects"),
    [
        ("where does he live", ["Aarhus", "Skive"]),
        ("Where does Derek live?", ["Aarhus", "Skive"]),
        ("Wo wohnt er?", ["Aarhus", "Skive"]),
        ("which instruments does he play", ["cello"]),
        ("who is his dentist?", ["Dr Sato"]),
        ("Who is he married to?", ["Ines"]),
        ("the efoil", ["efoil"]),
        ("what did he eat on Tuesday", []),
        ("", []),
    ],
)
def test_a_question_finds_what_it_asks_for(question: str, objects: list[str]) -> None:
    assert [each.object for each in ranked(OF_DEREK, question)] == objects


OF_ME = [
    made("I", "lives_in", "Ghent"),
    made("I", "does", "judo"),
    made("I", "works_as", "nurse"),
    made("I", "owns", "cello"),
    made("I", "has", "asthma"),
    made("I", "visited", "Oslo"),
]


@pytest.mark.parametrize(
    ("question", "objects"),
    [
        ("where do I live", ["Ghent"]),
        ("where have I lived?", ["Ghent"]),
        ("do I live in Ghent", ["Ghent"]),
        ("what do I do", ["judo", "nurse"]),
        ("which sports do I do", ["judo"]),
        ("what have I got", ["cello"]),
        ("what do I have", ["cello", "asthma"]),
        ("do I have asthma", ["asthma", "cello"]),
        ("where did I go", ["Oslo"]),
        ("wo habe ich gelebt, wo wohne ich", ["Ghent"]),
    ],
)
def test_a_verb_that_only_makes_it_a_question_asks_for_nothing(question: str, objects: list[str]) -> None:
    assert [each.object for each in ranked(OF_ME, question)] == objects


def test_what_is_so_of_the_person_stands_in_front_where_they_ask_for_it() -> None:
    klara, me = made("Klara", "lives_in", "Leipzig"), made("I", "lives_in", "Ghent")
    assert ranked([klara, me], "where do I live") == (me, klara)
    assert ranked([klara, me], "who lives where") == (klara, me)


def test_what_only_makes_a_sentence_asks_for_no_value() -> None:
    password, gp = made("wifi password", "is", "heron99"), made("I", "has_gp", "Lindqvist")
    assert ranked([password, gp], "who is my doctor") == (gp,)
    assert ranked([password, gp], "what is the wifi password") == (password,)


def test_a_thing_that_is_named_is_what_is_asked_for() -> None:
    battery = made("I", "has_battery", "12 V")
    assert ranked([*OF_ME, battery], "which battery do I have") == (battery,)


@pytest.mark.parametrize(
    ("subject", "predicate", "written"),
    [
        ("I", "owns", "own"),
        ("I", "lives_in", "live in"),
        ("I", "has_battery", "have battery"),
        ("I", "is", "am"),
        ("I", "married_to", "married to"),
        ("Derek", "owns", "owns"),
        ("I-beam", "has_length", "has length"),
    ],
)
def test_what_the_person_does_is_said_of_oneself(subject: str, predicate: str, written: str) -> None:
    assert words_of(predicate, subject) == written


def test_the_one_that_is_named_stands_in_front() -> None:
    assert ranked([OF_DEREK[6], OF_DEREK[1]], "Where does Derek live?")[0].subject == "Derek"
