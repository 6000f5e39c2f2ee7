"""Rankings of our own harness, on a haystack small enough to see what they should be."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from bench.retrieval.baselines import KINDS, Corpus, Documents, Options, rank
from bench.retrieval.dataset import Haystack, Question, Session, Turn
from bench.retrieval.embeddings import KeptEmbeddings
from palace import EmbeddedTexts
from palace.testing import HashingEmbedder

ASKED = Question("q", "plain", "Which kayak did we patch?", None, "h", ("b",), ("b#0",))


def session(name: str, day: int, *said: str, speaker: str | None = None) -> Session:
    """Make a session of user turns."""
    turns = tuple(Turn(f"{name}#{place}", text, is_user=True, speaker=speaker) for place, text in enumerate(said))
    return Session(name, datetime(2024, 3, day, tzinfo=UTC), turns, {})


HAYSTACK = Haystack(
    "h",
    (
        session("a", 2, "We talked about trains and tax forms.", "And about bread."),
        session("b", 1, "The kayak has a patch on its hull: we had to patch it.", "Lentils again."),
        session("c", 3, "A film about lighthouses."),
    ),
)


@pytest.fixture
def corpus() -> Corpus:
    """The haystack, ready to be ranked."""
    return Corpus(HAYSTACK, HashingEmbedder())


def test_what_shares_the_questions_words_comes_first_and_every_session_is_ranked_once(corpus: Corpus) -> None:
    for kind in KINDS:
        ranking = rank(kind, corpus, ASKED)
        assert sorted(name for name, _ in ranking.sessions) == ["a", "b", "c"]
        assert len({name for name, _ in ranking.turns}) == len(ranking.turns) == 5
        assert ranking.delivered == [name for name, _ in ranking.turns]
        assert (ranking.sessions[0][0], ranking.turns[0][0]) == ("b", "b#0"), kind


def test_bm25_is_the_textbook_formula() -> None:
    documents = Documents(["kayak kayak hull", "bread"], HashingEmbedder())
    idf = math.log(1 + (2 - 1 + 0.5) / (1 + 0.5))
    length = 1.5 * (1 - 0.75 + 0.75 * 3 / 2)
    assert documents.bm25("Kayak!", Options()) == pytest.approx([idf * 2 * 2.5 / (2 + length), 0])


class CountingEmbedder(HashingEmbedder):
    """Counts the texts it is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def embed_passages(self, texts: Sequence[str]) -> EmbeddedTexts:
        self.asked.extend(texts)
        return super().embed_passages(texts)


def test_equal_texts_are_embedded_once_in_this_run_and_the_next(tmp_path: Path) -> None:
    inner = CountingEmbedder()
    kept = KeptEmbeddings(inner, tmp_path)
    first = kept.embed_passages(["one", "two", "one"]).vectors
    assert inner.asked == ["one", "two"]
    kept.save()
    again = KeptEmbeddings(inner, tmp_path)
    assert np.array_equal(again.embed_passages(["two", "one", "three"]).vectors[:2], first[[1, 0]])
    assert inner.asked == ["one", "two", "three"]
    assert kept.embed_passages([]).vectors.shape == (0, 384)
