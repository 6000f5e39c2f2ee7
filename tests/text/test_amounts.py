"""Which amount that grows with time a question asks for, and what a statement of it names."""

from __future__ import annotations

import re

import pytest

from palace.text.asked.states import amount_asked

SPAN = "We have been at it for two long months now."
VIDEOS = "I finished 30 of the videos."


def names(pattern: str, text: str) -> bool:
    """Hold a text against a pattern as Postgres reads it."""
    for theirs, ours in {r"\y": r"\b", "[[:alpha:]]": "[a-z]"}.items():
        pattern = pattern.replace(theirs, ours)
    return re.search(pattern, text, re.IGNORECASE | re.DOTALL) is not None


@pytest.mark.parametrize(
    ("asked", "named", "other"),
    [
        ("How long have I been rowing?", SPAN, VIDEOS),
        ("How long is my aunt staying with us now?", "She has been here for 3 weeks.", "She has 3 cats here."),
        ("Seit wann lernt Mia Geige?", "Sie lernt es seit drei Jahren.", "Sie hat drei Geigen."),
        ("How many videos of the course have I watched?", VIDEOS, SPAN),
        ("How many old videos do I own by now?", VIDEOS, "Some videos are lost."),
        ("Wie viele Pilze habe ich dieses Jahr gelesen?", "Das war schon der 14. Pilz.", "Pilze für Mia."),
    ],
)
def test_what_tells_the_amount_names_a_number_of_it(asked: str, named: str, other: str) -> None:
    pattern = amount_asked(asked)
    assert pattern is not None
    assert (names(pattern, named), names(pattern, other)) == (True, False)


@pytest.mark.parametrize(
    "asked",
    [
        "How long did the drive take?",
        "How long had I been rowing when I met Ines?",
        "How many weeks passed between my two visits?",
        "How many videos did I watch?",
        "How many hours have I spent on games in total?",
        "Where is my key?",
        "How many?",
        "",
    ],
)
def test_what_is_over_or_summed_up_is_no_amount_as_of_now(asked: str) -> None:
    assert amount_asked(asked) is None
