"""A vague message is asked with the words of those before it; what says what it is about stays as it is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bench.gate import read_messages
from palace import turns
from tests.turns.test_gate import SETS, user

query = turns.query


def test_a_vague_message_gets_the_terms_of_those_before_it() -> None:
    for message, before, text in (
        ("how much?", "What did I pay for the Boat's engine, and the BOAT?", "how much? pay boat engine"),
        ("and for her?", "what did I give my mother for christmas", "and for her? mother christmas"),
        ("why", "my sister stopped eating gluten", "why sister stopped eating gluten"),
        ("Wie viel?", "Wo habe ich im Garten die Tulpen gepflanzt?", "Wie viel? garten tulpen gepflanzt"),
        ("et pour elle ?", "Qu'est-ce que j'ai offert à l'oncle à Noël", "et pour elle ? offert oncle noël"),
        ("is it insured?", "we bought a boat in Malmö", "is it insured? bought boat malmö"),
        ("why?", "see `x = y` at https://example.org/a ok", "why?"),
    ):
        written = query(message, user(before))
        assert sorted(written.text.split()) == sorted(text.split())
        assert written.text.startswith(message)


def test_a_vague_message_goes_on_with_what_it_refers_to_alone() -> None:
    said = ["The roof leaks", "A gutter broke", "We sold the tractor"]
    history = [{"role": "assistant", "content": "Cranberries!"}, *user(*said)]
    assert query("why?", history).terms == ("sold", "tractor")
    assert query("why?", [*history, *user("and how much?")]).terms == ("sold", "tractor")
    assert query("Who is my GP?", history).text == "Who is my GP?"


def test_what_says_what_it_is_about_is_asked_as_it_is() -> None:
    said = ("What did I pay for the boat?", "wifi password", "Wie heißt mein Zahnarzt?", "  Boat? ", "")
    for message in (*said, "when did I buy her birthday present"):
        assert query(message, user("The roof leaks")).text == message
    assert query("how much?").text == "how much?"
    for part in ("tune", "held"):
        for each in read_messages(SETS / f"{part}.jsonl"):
            if each.kind in ("own", "named", "tool-own", "general", "code"):
                assert query(each.message, user("The roof leaks")).text == each.message, each.message


def test_the_messages_themselves_can_stand_in_front() -> None:
    written = query("how much?", user("The roof leaks", "What did the roofer want?"), "prepend")
    assert written.text == "What did the roofer want?\nhow much?"
    assert query("What is the roof of?", user("x"), "prepend").text == "What is the roof of?"


@given(message=st.text(max_size=200), history=st.lists(st.text(max_size=200), max_size=5))
def test_no_text_makes_it_fail_and_the_message_is_always_in_it(message: str, history: list[str]) -> None:
    written = query(message, history)
    assert written == query(message, history)
    assert message.strip() in written.text
