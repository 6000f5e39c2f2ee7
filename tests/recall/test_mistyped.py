"""What is asked with a slip of the fingers is found, and recall says what it read."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence

import pytest

from palace import Correction, EmbeddedTexts, Palace, json_value
from palace.recall.arms.understand import understand
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


@pytest.mark.parametrize(
    ("query", "corrections", "fact"),
    [
        ("rent of my landlrod", {"landlrod": "landlord"}, FACTS[0]),
        ("naem of our rabbit", {"naem": "name"}, FACTS[1]),
        ("seedlings' temprarure?", {"temprarure": "temperature"}, FACTS[2]),
        ("torch and batteires", {"batteires": "batteries"}, FACTS[3]),
        ("What do Grandma's dumpilngs need?", {"dumpilngs": "dumplings"}, FACTS[5]),
    ],
)
def test_a_mistyped_word_is_read_as_one_of_the_persons_own(
    palace: Palace, query: str, corrections: dict[str, str], fact: str
) -> None:
    found = palace.recall(query)
    assert found.corrections == tuple(Correction(*pair) for pair in corrections.items())
    assert found.hits[0].drawer.content == fact
    assert found.query == query
    assert set(corrections.values()) <= {word for written in found.hits[0].words for word in written}


def test_what_was_meant_is_what_is_embedded(palace: Palace, embedder: Listening) -> None:
    embedder.queries.clear()
    palace.recall("rent of my landlrod")
    assert embedder.queries == ["rent of my landlrod", "rent of my landlord"]
    embedder.queries.clear()
    palace.recall("rent of my landlord")
    assert embedder.queries == ["rent of my landlord"]


@pytest.mark.parametrize(
    "query",
    [
        "Did a kangaroo come by?",
        "kettles",
        "Is the goat in the shed?",
        "Where is my landlady?",
        "“landlrod”",
        "LANDLROD",
        "landlrod@example.org and landlrod_2",
        "What did Bettina say?",
    ],
)
def test_a_word_that_the_palace_lacks_stays_what_it_is(palace: Palace, query: str) -> None:
    assert palace.recall(query).corrections == ()


def test_a_word_that_something_says_is_not_mistyped_before_it_is_counted_either(palace: Palace) -> None:
    assert palace.recall("marjoarm").corrections == (Correction("marjoarm", "marjoram"),)
    note = palace.note("Marjoarm is the name of the boat.")
    assert palace.recall("marjoarm").corrections == ()
    palace.forget(str(note.pointer))


def test_a_mistyped_word_counts_for_less_than_one_typed_right(palace: Palace) -> None:
    with palace._opened.session() as session:
        typed = understand(session, "green landlrod wants rent", share=0.7).words
        right = understand(session, "green landlord wants rent", share=0.7).words
    assert typed.lexemes["landlord"] == pytest.approx(0.7 * right.lexemes["landlord"])
    assert typed.lexemes["rent"] == right.lexemes["rent"]
    pairs = {pair.query: pair.idf for pair in typed.pairs}
    assert pairs.keys() == {pair.query for pair in right.pairs}
    assert sum(pairs[pair.query] < pair.idf for pair in right.pairs) == 2


def test_another_users_words_are_nobodys_else(settings: Settings, palace: Palace) -> None:
    with Palace.open(settings, user=f"user-{uuid.uuid4()}", embedder=HashingEmbedder()) as other:
        other.note("The kettle of the office is broken.")
        assert other.recall("rent of my landlrod").corrections == ()
        assert other.recall("broken ketlte").corrections == (Correction("ketlte", "kettle"),)


def test_it_is_told_as_data(palace: Palace) -> None:
    told = json_value(palace.recall("rent of my landlrod"))
    assert isinstance(told, dict)
    assert told["corrections"] == [{"typed": "landlrod", "read_as": "landlord"}]
