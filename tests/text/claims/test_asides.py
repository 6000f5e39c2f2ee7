"""What opens a sentence before its subject claims nothing of whom the sentence is about."""

from __future__ import annotations

import pytest

from palace.mining.extraction.rules import read_by_rules
from tests.text.claims.told import ZONE, said, written

ASIDES = [
    "From our side Jonas will be on call.",
    "On our end Priya is handling the rollback.",
    "To our surprise Jonas quit.",
    "By my count Jonas owes us three days.",
    "In my opinion Jonas should lead this.",
    "In my absence Jonas decides.",
    "In my calendar Jonas is off.",
    "According to my notes Jonas left in May.",
    "Under my account Jonas deployed it.",
    "With my laptop Jonas could not log in.",
    "After our call Jonas restarted it.",
    "In our team Jonas, Priya and Lena do the backend.",
    "On my machine pytest passes.",
    "Von unserer Seite ist Jonas in Bereitschaft.",
    "In meiner Abwesenheit entscheidet Jonas.",
    "I moved the parser to palace/text and renamed it.",
    "We moved the database from Frankfurt to Dublin.",
    "We moved our servers to Dublin last week.",
    "We have Redis in the stack.",
    "We adopted Rust for the parser.",
    "I was at Globex yesterday.",
    "Ich arbeite gerade am Parser.",
    "Ich habe den Server nach Frankfurt umgezogen.",
]
BESIDE = [
    ("I went with my trainer Igor to the gym.", "I | has_trainer | Igor | holds"),
    ("My piano tuner Igor came.", "I | has_piano_tuner | Igor | holds"),
    ("At my dentist Dr Sato they had no time.", "I | has_dentist | Sato | holds"),
    ("With my sister Anna I went to Rome.", "I | sibling_of | Anna | holds"),
    ("I moved house to Ghent.", "I | lives_in | Ghent | begins"),
    ("We moved the kids to Utrecht.", "I | lives_in | Utrecht | begins"),
    ("I bought an iPhone 15.", "I | owns | iPhone 15 | begins"),
    ("I was at Siemens in 2019.", "I | works_at | Siemens | was from 2019-01-01 year"),
    ("Ich bin nach Frankfurt umgezogen.", "I | lives_in | Frankfurt | begins"),
]


def read(text: str) -> list[str]:
    (reading,) = read_by_rules([said(text)], (), ZONE)
    return [written(each) for each in reading.claims]


@pytest.mark.parametrize("text", ASIDES)
def test_what_only_opens_a_sentence_claims_nothing(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(("text", "claim"), BESIDE)
def test_who_is_named_beside_what_they_are_is_claimed(text: str, claim: str) -> None:
    assert claim in read(text)
