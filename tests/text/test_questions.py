"""Which texts only ask."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace.text.asked.questions import only_asks

ASKING = (
    "What charger voltage for 14S?",
    "Hi! What voltage does the charger need?",
    "Which one? And why?",
    'Did he say "wait"?"',
    "¿Dónde está la llave?",
    "充电器需要多少伏？",
    "Welche Spannung braucht das Ladegerät?",
    "**How do I rename a branch?**",
    "Which charger for 14S? I want to charge it overnight in the garage, slowly.",
    "Welches Ladegerät? Ich möchte über Nacht laden.",
)
TELLING = (
    "",
    "58.8 volts.",
    "The charger gives 58.8 volts. Is that too much?",
    "I bought the 58.8 volt charger yesterday, the one you named.\nDoes it fit?",
    "See https://example.org/?q=1 for the manual.",
    "Did it fit? I need 58.8 volts.",
    "I want four of them. Which ones are there?",
    "What? " + "It hums. " * 200,
)


@pytest.mark.parametrize("text", ASKING)
def test_questions_only_ask(text: str) -> None:
    assert only_asks(text)


@pytest.mark.parametrize("text", TELLING)
def test_what_tells_something_does_not_only_ask(text: str) -> None:
    assert not only_asks(text)


@given(st.text())
def test_any_text_can_be_looked_at(text: str) -> None:
    assert only_asks(text) in (True, False)
