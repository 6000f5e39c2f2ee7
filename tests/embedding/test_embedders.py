"""What every embedder promises, held against each of them, and how a palace asks them."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from palace import BadRequest, EmbeddingError, Palace
from palace.config.settings import BUNDLED_MODEL, Settings
from palace.testing import EmbeddingServer, HashingEmbedder
from tests.embedding import tiny
from tests.embedding.conftest import MODEL

TEXTS = [
    "I tried a 12-AWG silicone wire and it overheated.",
    "Which wire gauge did I use for the battery?",
    "We are going to Hawaii in March with a budget of $10,000.",
    "Biscuit the dog has an appointment with the vet on Tuesday. " * 12,
    "ok",
]
ODD = [
    "", " ", "\n\t", "\x00\x01", "\ud800 lone \udfff", "😀👩\u200d👩\u200d👧", "e\u0301" * 99, "\u202eعربي",
    "[SEP][PAD]",
]  # fmt: skip


@pytest.fixture(scope="module", params=["hashing", "bundled", "remote", "local"])
def embedder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch, EmbeddingServer(dimension=96) as server:
        patch.setenv("OPENAI_API_KEY", "a-key")
        patch.setenv("OPENAI_API_BASE", server.api_base)
        home = tmp_path_factory.mktemp("home")
        names = {"bundled": BUNDLED_MODEL, "remote": MODEL, "local": f"local:{tiny.make_model(home / 'model')}"}
        name = names.get(request.param)
        yield tiny.embedder(name, home=home) if name else HashingEmbedder()


def test_there_is_one_vector_a_text_of_unit_length_in_its_order(embedder: Any) -> None:
    vectors = embedder.embed_passages(TEXTS).vectors
    assert (vectors.shape, vectors.dtype) == ((len(TEXTS), embedder.dimension), np.float32)
    assert embedder.normalised
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    backwards = embedder.embed_passages(TEXTS[::-1]).vectors
    assert (vectors * backwards[::-1]).sum(axis=1).min() > 0.9999
    assert embedder.embed_passages([]).vectors.shape == (0, embedder.dimension)


def test_a_text_has_the_same_vector_whatever_its_neighbours(embedder: Any) -> None:
    texts = [f"Note {number}" for number in range(150)]
    for together, some in ((TEXTS, TEXTS), (texts, [texts[0], texts[140]])):
        vectors = embedder.embed_passages(together).vectors[[together.index(text) for text in some]]
        alone = np.vstack([embedder.embed_passages([text]).vectors for text in some])
        assert (vectors * alone).sum(axis=1).min() > 0.9999


def test_texts_alike_have_vectors_alike_and_queries_as_passages(embedder: Any) -> None:
    wire, other_wire, travel = embedder.embed_passages(TEXTS[:3]).vectors
    assert wire @ other_wire > wire @ travel
    asked = embedder.embed_queries(TEXTS).vectors
    assert (asked * embedder.embed_passages(TEXTS).vectors).sum(axis=1).min() > 0.5


def test_a_text_longer_than_the_model_reads_and_odd_text_are_accepted(embedder: Any) -> None:
    assert embedder.embed_passages(["word " * 10_000, "字" * 10_000, "a" * 50_000]).vectors.shape[0] == 3
    odd = embedder.embed_passages([*ODD, "something plain"]).vectors
    np.testing.assert_allclose(np.linalg.norm(odd, axis=1), 1, atol=1e-5)


WRONG = {
    "local:": "names no model: write local:FOLDER",
    "hf:all-mpnet-base-v2": "names no model of the hub: write hf:OWNER/NAME",
    "hf:../../etc/passwd": "names no model of the hub",
    "local:/m?poolin=cls": "has an option 'poolin': there are file, pooling",
    "local:/m?pooling=max": "pooling is one of mean, cls, last",
    "local:/m?max_tokens=1": "max_tokens is a number from 3 to",
    "local:~nobody-of-that-name/m": "names the home of an account that is not there",
    "/models/e5": f"names no model: write {BUNDLED_MODEL}, bundled/languages, local:FOLDER or",
    "bundled/another": "names no model: write",
}


def test_what_names_no_model_is_told() -> None:
    for name, told in WRONG.items():
        with pytest.raises(EmbeddingError, match=told) as caught:
            tiny.embedder(name)
        assert str(caught.value).isprintable()


class Former:
    """An embedder as they were before queries and passages were told apart."""

    model, dimension, normalised = "former/model", 384, True


class Telling(HashingEmbedder):
    """Notes what it is asked for as a query and what as a passage."""

    def __init__(self) -> None:
        super().__init__()
        self.queries: list[str] = []
        self.passages: list[str] = []

    def embed_queries(self, texts: Sequence[str]) -> Any:
        self.queries += texts
        return super().embed_passages(texts)

    def embed_passages(self, texts: Sequence[str]) -> Any:
        self.passages += texts
        return super().embed_passages(texts)


def test_what_is_asked_is_embedded_as_a_query_and_what_is_filed_as_passages(settings: Settings) -> None:
    former: Any = Former()
    with pytest.raises(BadRequest, match="the embedder Former has no embed_queries: queries and passages"):
        Palace.open(settings, user=f"user-{uuid.uuid4()}", embedder=former)
    telling = Telling()
    with Palace.open(settings, user=f"user-{uuid.uuid4()}", embedder=telling) as palace:
        palace.note("The spare battery is with Derek.")
        palace.recall("who has the battery?")
        palace.rebuild()
    assert telling.queries == ["who has the battery?"]
    assert set(telling.passages) == {"The spare battery is with Derek."}
