"""Which of an entity's relations a German question asks for."""

from __future__ import annotations

import pytest

from palace.graph.wording.questions import ranked
from tests.graph.relations_made import made

OF_NADIA = [
    made("I", "works_at", "Vestas"),
    made("I", "lives_in", "Aarhus"),
    made("I", "owns", "Skoda Enyaq"),
    made("I", "has_dentist", "Dr. Sato"),
    made("I", "has_gp", "Dr. Rehberg"),
    made("I", "has_rent", "870 Euro"),
    made("I", "has_age", "34"),
    made("I", "dislikes", "Oliven"),
    made("I", "uses", "Tidal"),
]


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Wo lebe ich?", "Aarhus"),
        ("Was für ein Auto fahre ich?", "Skoda Enyaq"),
        ("Wie heißt meine Hausärztin?", "Dr. Rehberg"),
        ("Wer ist mein Zahnarzt?", "Dr. Sato"),
        ("Was zahle ich an Miete?", "870 Euro"),
        ("Wie alt bin ich?", "34"),
        ("Was hasse ich?", "Oliven"),
        ("welche programme benutze ich", "Tidal"),
    ],
)
def test_a_german_question_finds_what_it_asks_for(question: str, asked: str) -> None:
    assert [each.object for each in ranked(OF_NADIA, question)][:1] == [asked]
