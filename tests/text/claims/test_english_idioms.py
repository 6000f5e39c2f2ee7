"""Turns of phrase of notes and talk, and what they claim."""

from __future__ import annotations

import pytest

from tests.text.claims.told import told

CLAIMED = """
Handed in my notice at Dunhill. -> I | works_at | Dunhill | ends
I grew up in Turin. -> I | comes_from | Turin | holds
Swapped the piano for a cello. -> I | owns | piano | ends ; I | owns | cello | begins
Gave up the flat in Turin. -> I | lives_in | Turin | ends
I'm off the ibuprofen. -> I | takes | ibuprofen | ends
My last day at Dunhill is friday. -> I | works_at | Dunhill | ends until 2025-05-16 day
My last day at Dunhill was friday. -> I | works_at | Dunhill | ends until 2025-05-09 day
Tomorrow is my last day at Dunhill. -> I | works_at | Dunhill | ends until 2025-05-15 day
I start at Dunhill on the 20th btw -> I | works_at | Dunhill | begins from 2025-05-20 day
I'm seventy-one. -> I | has_age | seventy-one | holds
"""

NOT_CLAIMED = """
I never grew up in Turin.
Maybe I'll be done with Dunhill.
What if the first day at Dunhill is Monday?
We might get the flat in Turin.
"""


@pytest.mark.parametrize("line", CLAIMED.strip().splitlines())
def test_a_turn_of_phrase_is_claimed(line: str) -> None:
    message, expected = line.split(" -> ")
    assert told(message) == [each.strip() for each in expected.split(";")]


@pytest.mark.parametrize("message", NOT_CLAIMED.strip().splitlines())
def test_a_turn_of_phrase_that_is_not_meant_is_no_claim(message: str) -> None:
    assert told(message) == []
