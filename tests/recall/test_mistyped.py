"""What is asked with a slip of the fingers is found, and recall says what it read."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence

import pytest

from palace import Correction, EmbeddedTexts, Palace
from palace.settings import Settings
from palace.testing import HashingEmbedder

FACTS = [
    "My landlord Bertram wants the rent on the third.",
    "The name of our rabbit is Hazelnut.",
    "The thermometer in the shed measures the temperature of the seedlings.",
    "We bought batteries for the torch.",
    "The kettle has a green handle.",
    "Grandma's dumplings need marjoram and a day of rest.",
]


class Listening(HashingEmbedder):
    """Keeps the queries that it embeds."""

    def __init__(self) -> None:
        super().__init__()
        self.queries: list[str] = []

    def embed_queries(self, texts: Sequence[str]) -> EmbeddedTexts:
        self.queries += texts
        return super().embed_queries(texts)


@pytest.fixture(scope="module")
def embedder() -> Listening:
    return Listening()


@pytest.fixture(scope="module")
def palace(settings: Settings, embedder: Listening) -> Iterator[Palace]:
    with Palace.open(settings, user=f"user-{uuid.uuid4()}", embedder=embedder) as opened:
        for number, fact in enumerate(FACTS):
            opened.file([{"role": "user", "content": fact}], id=str(number))
        yield opened


def test_a_mistyped_word_is_read_as_one_of_the_persons_own(palace: Palace) -> None:
    for query, typed, read_as, fact in (
        ("rent of my landlrod", "landlrod", "landlord", FACTS[0]),
        ("naem of our rabbit", "naem", "name", FACTS[1]),
        ("seedlings' temprarure?", "temprarure", "temperature", FACTS[2]),
        ("torch and batteires", "batteires", "batteries", FACTS[3]),
        ("What do Grandma's dumpilngs need?", "dumpilngs", "dumplings", FACTS[5]),
    ):
        found = palace.recall(query)
        assert found.corrections == (Correction(typed, read_as),)
        assert found.hits[0].drawer.content == fact
        assert found.query == query
        assert read_as in {word for written in found.hits[0].words for word in written}


def test_what_was_meant_is_what_is_embedded(palace: Palace, embedder: Listening) -> None:
    embedder.queries.clear()
    palace.recall("rent of my landlrod")
    assert embedder.queries == ["rent of my landlrod", "rent of my landlord"]
    embedder.queries.clear()
    palace.recall("rent of my landlord")
    assert embedder.queries == ["rent of my landlord"]


def test_a_word_that_the_palace_lacks_stays_what_it_is(palace: Palace) -> None:
    for query in (
        "Did a kangaroo come by?",
        "kettles",
        "Where is my landlady?",
        "“landlrod”",
        "LANDLROD",
        "landlrod@example.org and landlrod_2",
        "What did Bettina say?",
    ):
        assert palace.recall(query).corrections == (), query


def test_a_word_that_something_says_is_not_mistyped_before_it_is_counted_either(palace: Palace) -> None:
    assert palace.recall("marjoarm").corrections == (Correction("marjoarm", "marjoram"),)
    note = palace.note("Marjoarm is the name of the boat.")
    assert palace.recall("marjoarm").corrections == ()
    palace.forget(str(note.pointer))


def test_another_users_words_are_nobodys_else(settings: Settings, palace: Palace) -> None:
    with Palace.open(settings, user=f"user-{uuid.uuid4()}", embedder=HashingEmbedder()) as other:
        other.note("The kettle of the office is broken.")
        assert other.recall("rent of my landlrod").corrections == ()
        assert other.recall("broken ketlte").corrections == (Correction("ketlte", "kettle"),)
