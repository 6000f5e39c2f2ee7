"""A palace asked in the third person: it is looked for what its person says of themselves."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

import pytest

from palace import EmbeddedTexts, Palace, Palaces
from palace.settings import Settings
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


@pytest.fixture
def embedder() -> Listening:
    return Listening()


@pytest.fixture
def palaces(settings: Settings, embedder: Listening) -> Iterator[Palaces]:
    with Palaces.open(settings, embedder=embedder) as opened:
        yield opened


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
