"""A vague message is asked with the words of those before it; what says what it is about stays as it is."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import settings as configured
from hypothesis import strategies as st

from bench.gate.messages import read_messages
from palace import Palace
from palace.settings import Settings
from palace.turns import query
from palace.turns.query.terms import key_terms
from tests.turns.test_gate import SETS, user


@pytest.mark.parametrize(
    ("message", "before", "text"),
    [
        ("how much?", ["What did I pay for the boat engine?"], "how much? pay boat engine"),
        ("and for her?", ["what did I give my mother for christmas"], "and for her? mother christmas"),
        ("why", ["my sister stopped eating gluten"], "why sister stopped eating gluten"),
        ("Wie viel?", ["Was habe ich für den Bootsmotor bezahlt?"], "Wie viel? bezahlt bootsmotor"),
        ("et pour elle ?", ["Qu'est-ce que j'ai offert à l'oncle à Noël"], "et pour elle ? offert oncle noël"),
        ("is it insured?", ["we bought a boat in Malmö"], "is it insured? bought boat malmö"),
    ],
)
def test_a_vague_message_gets_the_terms_of_those_before_it(message: str, before: list[str], text: str) -> None:
    written = query(message, user(*before))
    assert sorted(written.text.split()) == sorted(text.split())
    assert written.text.startswith(message)


def test_the_last_three_messages_of_the_person_count_the_latest_first() -> None:
    said = ["I like plums", "The roof leaks", "A gutter broke", "We sold the tractor"]
    history = [{"role": "assistant", "content": "Cranberries!"}, *user(*said)]
    assert query("why?", history).terms == ("sold", "tractor", "gutter", "broke", "roof", "leaks")


@pytest.mark.parametrize(
    "message",
    [
        "What did I pay for the boat?",
        "wifi password",
        "Wie heißt mein Zahnarzt?",
        "when did I buy her birthday present",
        "  Boat? ",
    ],
)
def test_what_says_what_it_is_about_is_asked_as_it_is(message: str) -> None:
    assert query(message, user("The roof leaks")).text == message


def test_nothing_before_leaves_a_vague_message_as_it_is() -> None:
    assert query("how much?").text == "how much?"
    assert query("", user("The roof leaks")).text == ""


def test_the_messages_themselves_can_stand_in_front() -> None:
    written = query("how much?", user("The roof leaks", "What did the roofer want?"), "prepend")
    assert written.text == "The roof leaks\nWhat did the roofer want?\nhow much?"
    assert query("What is the roof of?", user("x"), "prepend").text == "What is the roof of?"


def test_key_terms_are_words_that_say_something_in_three_languages() -> None:
    assert key_terms("What did I pay for the Boat's engine, and the BOAT?") == ("pay", "boat", "engine")
    assert key_terms("Wo habe ich im Garten die Tulpen gepflanzt?") == ("garten", "tulpen", "gepflanzt")
    assert key_terms("Où est-ce que j'ai mis l'échelle de Noémie ?") == ("échelle", "noémie")
    assert key_terms("see `x = y` at https://example.org/a ok") == ()


@configured(max_examples=200, deadline=None)
@given(message=st.text(max_size=200), history=st.lists(st.text(max_size=200), max_size=5))
def test_no_text_makes_it_fail_and_the_message_is_always_in_it(message: str, history: list[str]) -> None:
    written = query(message, history)
    assert written == query(message, history)
    assert message.strip() in written.text
    assert len(written.terms) <= len(key_terms(message)) + 12


def test_messages_of_the_sets_with_a_subject_are_never_changed() -> None:
    for part in ("tune", "held"):
        for each in read_messages(SETS / f"{part}.jsonl"):
            if each.kind in ("own", "named", "tool-own", "general", "code"):
                assert query(each.message, user("The roof leaks")).text == each.message, each.message


FACTS = (
    "I paid 740 euros for the outboard engine of the boat",
    "For Christmas I gave my mother a loom",
    "The plumber who fixed the boiler is called Haverkamp",
    "My sister stopped eating gluten because of her stomach",
    "The passport has to be renewed in October",
    "The roofer asked 3,900 for the ridge",
    "Ich habe den Rasenmäher an Herrn Petersen verliehen",
    "Le dentiste de la rue Carnot ouvre à sept heures",
    *(f"On day {day} I walked {day + 3} kilometres along the canal" for day in range(20)),
)
ASKED = (
    ("how much?", "What did I pay for the engine?", "740"),
    ("and for her?", "It's about Christmas presents for my mother", "loom"),
    ("who was it?", "the boiler broke again, I need the plumber", "Haverkamp"),
    ("why?", "my sister doesn't touch gluten", "stomach"),
    ("by when?", "the passport has to be renewed", "October"),
    ("wem?", "Ich habe den Rasenmäher verliehen", "Petersen"),
    ("à quelle heure ?", "le dentiste de la rue Carnot", "sept"),
)


@pytest.fixture
def palace(settings: Settings) -> Iterator[Palace]:
    with Palace.open(settings, user=f"user-{uuid.uuid4()}") as opened:
        opened.file([{"role": "user", "content": fact} for fact in FACTS])
        yield opened


def test_the_terms_find_what_a_vague_message_misses(palace: Palace) -> None:
    def found(text: str, wanted: str) -> bool:
        hits = palace.recall(text, top_k=3).hits
        return any(wanted in hit.drawer.content for hit in hits)

    plain = [found(message, wanted) for message, _, wanted in ASKED]
    written = [found(query(message, user(before)).text, wanted) for message, before, wanted in ASKED]
    assert sum(plain) <= 4
    assert all(written), written
