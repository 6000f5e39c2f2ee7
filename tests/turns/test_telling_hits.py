"""What stands beside a message tells something: no small talk, nothing twice, not the question that is asked anew."""

from __future__ import annotations

from palace import Palace
from palace.turns import TurnOptions
from tests.turns.conftest import BOAT, QUESTION

EVERY = TurnOptions(top_k=3, floor="none")


def said(palace: Palace, number: int, *texts: str, role: str = "user") -> None:
    palace.file([{"role": role, "content": text} for text in texts], id=f"talk-{role}-{number}")


def shown(palace: Palace, message: str, options: TurnOptions = EVERY) -> list[str]:
    return [hit.drawer.content for hit in palace.turn(message, options=options).hits]


def test_a_block_is_filled_with_what_tells_and_not_with_small_talk(palace: Palace) -> None:
    empty = [
        *("Moin!", "hello", "Danke dir!", "Nice!", "Gern!", "Let me check.", "Hm.", "👍", "Of course! One moment."),
        *("Sure, let me check that for you.", "Einen Moment bitte, ich schaue kurz nach."),
        "Is there anything else I can help you with?",
    ]
    telling = [BOAT, "Moin! The boat is red.", "Let me check the boat.", "42", "Nice is a town in France."]
    said(palace, 1, *empty[::2], *telling)
    said(palace, 1, *empty[1::2], role="assistant")
    options = TurnOptions(top_k=20, floor="none", token_budget=5_000)
    assert set(shown(palace, QUESTION, options)) == {*telling}
    assert "Moin!" in [hit.drawer.content for hit in palace.recall("Moin!", top_k=20, floor="none").hits]


def test_what_is_asked_anew_and_what_is_said_again_give_their_places_to_what_tells(palace: Palace) -> None:
    for number, text in enumerate(("what is my sailing boat called??", QUESTION)):
        said(palace, number, text)
    for number, text in enumerate((BOAT, f"{BOAT[:-1].upper()}!"), start=10):
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
