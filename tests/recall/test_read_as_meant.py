"""What is asked is read as it is meant: about the person in the first person, and mistyped words put right."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

import pytest

from palace import Correction, EmbeddedTexts, Palace, Palaces, Settings
from palace.testing import HashingEmbedder

NOON = datetime(2026, 4, 30, 12, 0, tzinfo=UTC)


class Listening(HashingEmbedder):
    """Remembers what it was asked to embed as a query."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []

    def embed_queries(self, texts: Sequence[str]) -> EmbeddedTexts:
        self.heard += texts
        return super().embed_queries(texts)


@pytest.fixture(scope="module")
def listening() -> Listening:
    return Listening()


@pytest.fixture(scope="module")
def palaces(settings: Settings, listening: Listening) -> Iterator[Palaces]:
    with Palaces.open(settings, embedder=listening) as opened:
        yield opened


@pytest.fixture
def embedder(listening: Listening) -> Listening:
    listening.heard.clear()
    return listening


@pytest.fixture
def marta(palaces: Palaces) -> Palace:
    palace = palaces.palace(str(uuid.uuid4()), person="Marta Lindqvist")
    for text in ("I work at the harbour office.", "Bruno barks at the user interface.", "The ferry leaves at nine."):
        palace.note(text, said_at=NOON)
    return palace


def test_the_third_person_is_answered_as_the_first(marta: Palace, embedder: Listening) -> None:
    own = [(hit.drawer.content, hit.score) for hit in marta.recall("Where do I work?", now=NOON).hits]
    for subject in ("does the user", "does Marta", "does Lindqvist", "do they"):
        embedder.heard.clear()
        found = marta.recall(f"Where {subject} work?", now=NOON)
        assert embedder.heard == ["Where do I work?"], subject
        assert [(hit.drawer.content, hit.score) for hit in found.hits] == own
        assert found.query == f"Where {subject} work?"


def test_what_is_not_about_the_person_is_looked_for_as_it_was_asked(marta: Palace, embedder: Listening) -> None:
    marta.recall("Who barks at the user interface?", now=NOON)
    marta.recall("Where does Joel Lindqvist work?", now=NOON)
    assert embedder.heard == ["Who barks at the user interface?", "Where does Joel Lindqvist work?"]


def test_a_name_is_that_of_one_palace(palaces: Palaces, marta: Palace, embedder: Listening) -> None:
    other = palaces.palace(str(uuid.uuid4()), person="Joel Abara")
    other.note("I work at sea.", said_at=NOON)
    other.recall("Where does Marta work?", now=NOON)
    marta.recall("Where does Marta work?", now=NOON)
    assert embedder.heard == ["Where does Marta work?", "Where do I work?"]


def test_the_settings_name_the_person_of_the_user_they_name(settings: Settings) -> None:
    embedder, own = Listening(), str(uuid.uuid4())
    named = settings.model_copy(update={"user": own, "person": "Marta Lindqvist, Mrs Lindqvist"})
    for user in (own, str(uuid.uuid4())):
        with Palace.open(named, user=user, embedder=embedder) as palace:
            palace.note("I work at the harbour office.", said_at=NOON)
            palace.recall("Where does Mrs Lindqvist work?", now=NOON)
    assert embedder.heard == ["Where do I work?", "Where does Mrs Lindqvist work?"]


def test_a_user_name_counts_where_it_looks_like_a_name(palaces: Palaces, embedder: Listening) -> None:
    own = "Where do I work?"
    for user, asked, heard in (
        ("greta", "Where does Greta work?", own),
        ("greta.holm", "Where does Greta Holm work?", own),
        ("root", "Where does root work?", "Where does root work?"),
    ):
        embedder.heard.clear()
        palaces.palace(user).note("I work at sea.", said_at=NOON)
        palaces.palace(user).recall(asked, now=NOON)
        palaces.palace(user).forget_everything()
        assert embedder.heard == [heard], user


FACTS = [
    "My landlord Bertram wants the rent on the third.",
    "The name of our rabbit is Hazelnut.",
    "The thermometer in the shed measures the temperature of the seedlings.",
    "We bought batteries for the torch.",
    "The kettle has a green handle.",
    "Grandma's dumplings need marjoram and a day of rest.",
]


@pytest.fixture(scope="module")
def telling(palaces: Palaces) -> Palace:
    palace = palaces.palace(str(uuid.uuid4()))
    for number, fact in enumerate(FACTS):
        palace.file([{"role": "user", "content": fact}], id=str(number))
    return palace


def test_a_mistyped_word_is_read_as_one_of_the_persons_own(telling: Palace) -> None:
    for query, typed, read_as, fact in (
        ("rent of my landlrod", "landlrod", "landlord", FACTS[0]),
        ("naem of our rabbit", "naem", "name", FACTS[1]),
        ("seedlings' temprarure?", "temprarure", "temperature", FACTS[2]),
        ("torch and batteires", "batteires", "batteries", FACTS[3]),
        ("What do Grandma's dumpilngs need?", "dumpilngs", "dumplings", FACTS[5]),
    ):
        found = telling.recall(query)
        assert found.corrections == (Correction(typed, read_as),)
        assert found.hits[0].drawer.content == fact
        assert found.query == query
        assert read_as in {word for written in found.hits[0].words for word in written}


def test_what_was_meant_is_what_is_embedded(telling: Palace, embedder: Listening) -> None:
    embedder.heard.clear()
    telling.recall("rent of my landlrod")
    assert embedder.heard == ["rent of my landlrod", "rent of my landlord"]
    embedder.heard.clear()
    telling.recall("rent of my landlord")
    assert embedder.heard == ["rent of my landlord"]


def test_a_word_that_the_palace_lacks_stays_what_it_is(telling: Palace) -> None:
    for query in (
        "Did a kangaroo come by?",
        "kettles",
        "Where is my landlady?",
        "“landlrod”",
        "LANDLROD",
        "landlrod@example.org and landlrod_2",
        "What did Bettina say?",
    ):
        assert telling.recall(query).corrections == (), query


def test_a_word_that_something_says_is_not_mistyped_before_it_is_counted_either(telling: Palace) -> None:
    assert telling.recall("marjoarm").corrections == (Correction("marjoarm", "marjoram"),)
    note = telling.note("Marjoarm is the name of the boat.")
    assert telling.recall("marjoarm").corrections == ()
    telling.forget(str(note.pointer))


def test_another_users_words_are_nobodys_else(telling: Palace, palace: Palace) -> None:
    palace.note("The kettle of the office is broken.")
    assert palace.recall("rent of my landlrod").corrections == ()
    assert palace.recall("broken ketlte").corrections == (Correction("ketlte", "kettle"),)
