"""What stands beside a message tells something: no small talk, nothing twice, not the question that is asked anew."""

from __future__ import annotations

import pytest

from palace import Palace
from palace.turns import TurnOptions
from palace.turns.injection.telling import says_nothing

BOAT = "My sailing boat is called Zephyrine and lies in Ghent."
QUESTION = "What is my sailing boat called?"
EVERY = TurnOptions(top_k=3, floor="none")

EMPTY = [
    "Moin!",
    "hello",
    "Danke dir!",
    "Nice!",
    "Gern!",
    "Let me check.",
    "Hm.",
    "Sure, let me check that for you.",
    "Einen Moment bitte, ich schaue kurz nach.",
    "Of course! One moment.",
    "Is there anything else I can help you with?",
    "👍",
]
TELLING = [BOAT, "Moin! The boat is red.", "Let me check the boat.", "42", "Nice is a town in France.", "Call me Hm."]


def said(palace: Palace, number: int, *texts: str, role: str = "user") -> None:
    palace.file([{"role": role, "content": text} for text in texts], id=f"talk-{role}-{number}")


def shown(palace: Palace, message: str, options: TurnOptions = EVERY) -> list[str]:
    return [hit.drawer.content for hit in palace.turn(message, options=options).hits]


@pytest.mark.parametrize("text", EMPTY)
def test_greetings_thanks_and_fillers_say_nothing(text: str) -> None:
    assert says_nothing(text)


@pytest.mark.parametrize("text", TELLING)
def test_what_says_anything_else_does(text: str) -> None:
    assert not says_nothing(text)


def test_a_block_is_filled_with_what_tells_and_not_with_small_talk(palace: Palace) -> None:
    for number, text in enumerate(("Moin!", "hello", "Danke dir!", "Nice!", "Hm.")):
        said(palace, number, text)
    said(palace, 0, "Let me check.", "Gern!", role="assistant")
    said(palace, 10, BOAT)
    said(palace, 11, "I sold the green bicycle.")
    said(palace, 12, "My brother Otto paints barns.")
    assert set(shown(palace, QUESTION)) == {BOAT, "I sold the green bicycle.", "My brother Otto paints barns."}
    assert "Moin!" in [hit.drawer.content for hit in palace.recall("Moin!", top_k=20, floor="none").hits]


def test_what_is_asked_anew_and_what_is_said_again_give_their_places_to_what_tells(palace: Palace) -> None:
    for number, text in enumerate(("What is my sailing boat called", "what is my sailing boat called??", QUESTION)):
        said(palace, number, text)
    for number, text in enumerate((BOAT, BOAT.upper(), f"{BOAT[:-1]}!"), start=10):
        said(palace, number, text)
    said(palace, 20, "I painted the sailing boat red.")
    found = shown(palace, f"{QUESTION} ")
    assert [text.lower().strip(".!") for text in found].count(BOAT.lower().strip(".")) == 1
    assert "I painted the sailing boat red." in found
    assert not [text for text in found if text.endswith("?") or text.startswith("What")]


def test_a_question_goes_with_what_answered_it(palace: Palace) -> None:
    palace.file(
        [{"role": "user", "content": "What is my sailing boat called"}, {"role": "assistant", "content": "Zephyrine."}],
        id="answered",
    )
    turn = palace.turn(QUESTION, options=EVERY)
    assert "Zephyrine." in turn.block


def test_a_yes_tells_beside_what_was_asked_and_a_filler_does_not(palace: Palace) -> None:
    asked = "Do you moor the sailing boat in Ghent over the winter?"
    palace.file([{"role": "assistant", "content": asked}, {"role": "user", "content": "Yes."}], id="yes")
    palace.file(
        [{"role": "user", "content": "Where is the sailing boat moored?"}, {"role": "assistant", "content": "Hm."}],
        id="filler",
    )
    block = palace.turn("Is the sailing boat moored in Ghent?", options=TurnOptions(top_k=8, floor="none")).block
    assert asked in block
    assert "Hm." not in block
