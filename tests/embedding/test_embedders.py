"""What every embedder promises, held against each of them."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from palace import Palace
from palace.embedding.local.embedder import LocalEmbedder
from palace.embedding.minilm.embedder import BundledEmbedder
from palace.embedding.protocol import EmbeddedTexts, Embedder
from palace.embedding.remote import RemoteEmbedder
from palace.errors import BadRequest
from palace.settings import Settings
from palace.testing import EmbeddingServer, HashingEmbedder
from tests.embedding.tiny import make_model

TEXTS = [
    "I tried a 12-AWG silicone wire and it overheated.",
    "Which wire gauge did I use for the battery?",
    "We are going to Hawaii in March with a budget of $10,000.",
    "Biscuit the dog has an appointment with the vet on Tuesday. " * 12,
    "ok",
]


@pytest.fixture(scope="module")
def bundled() -> BundledEmbedder:
    return BundledEmbedder()


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> LocalEmbedder:
    return LocalEmbedder(f"local:{make_model(tmp_path_factory.mktemp('model'))}")


@pytest.fixture(params=["hashing", "bundled", "remote", "local"])
def embedder(
    request: pytest.FixtureRequest, bundled: BundledEmbedder, local: LocalEmbedder, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Embedder]:
    if request.param == "remote":
        monkeypatch.setenv("OPENAI_API_KEY", "a-key")
        with EmbeddingServer(dimension=96) as server:
            yield RemoteEmbedder("openai/text-embedding-3-small", api_base=server.api_base)
    else:
        here: dict[str, Embedder] = {"bundled": bundled, "local": local, "hashing": HashingEmbedder()}
        yield here[request.param]


def test_there_is_one_vector_a_text_in_float32(embedder: Embedder) -> None:
    vectors = embedder.embed_passages(TEXTS).vectors
    assert vectors.shape == (len(TEXTS), embedder.dimension)
    assert vectors.dtype == np.float32


def test_queries_have_vectors_as_passages_have(embedder: Embedder) -> None:
    vectors = embedder.embed_queries(TEXTS).vectors
    assert vectors.shape == (len(TEXTS), embedder.dimension)
    assert (vectors * embedder.embed_passages(TEXTS).vectors).sum(axis=1).min() > 0.5


def test_vectors_have_unit_length(embedder: Embedder) -> None:
    assert embedder.normalised
    np.testing.assert_allclose(np.linalg.norm(embedder.embed_passages(TEXTS).vectors, axis=1), 1, atol=1e-5)


def test_order_is_kept(embedder: Embedder) -> None:
    forwards = embedder.embed_passages(TEXTS).vectors
    backwards = embedder.embed_passages(TEXTS[::-1]).vectors
    assert (forwards * backwards[::-1]).sum(axis=1).min() > 0.9999


def test_no_text_gives_no_vector_of_the_right_width(embedder: Embedder) -> None:
    assert embedder.embed_passages([]).vectors.shape == (0, embedder.dimension)


def test_a_text_has_the_same_vector_whatever_its_neighbours(embedder: Embedder) -> None:
    together = embedder.embed_passages(TEXTS).vectors
    alone = np.vstack([embedder.embed_passages([text]).vectors for text in TEXTS])
    assert (together * alone).sum(axis=1).min() > 0.9999


def test_many_texts_are_embedded_in_one_go(embedder: Embedder) -> None:
    texts = [f"Note {number}" for number in range(300)]
    vectors = embedder.embed_passages(texts).vectors
    some = [0, 150, 299]
    assert (vectors[some] * embedder.embed_passages([texts[place] for place in some]).vectors).sum(
        axis=1
    ).min() > 0.9999


def test_texts_alike_have_vectors_alike(embedder: Embedder) -> None:
    wire, other_wire, travel = embedder.embed_passages(TEXTS[:3]).vectors
    assert wire @ other_wire > wire @ travel


def test_a_text_longer_than_the_model_reads_is_cut_not_refused(embedder: Embedder) -> None:
    assert embedder.embed_passages(["word " * 30_000, "字" * 50_000, "a" * 200_000]).vectors.shape[0] == 3


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\n\t",
        "\x00\x01",
        "\ud800 lone \udfff",
        "😀👩\u200d👩\u200d👧",
        "e\u0301" * 99,
        "\u202eعربي",
        "[SEP][PAD]",
    ],
)
def test_odd_text_is_accepted(embedder: Embedder, text: str) -> None:
    vector = embedder.embed_passages([text, "something plain"]).vectors[0]
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


class Former:
    """An embedder as they were before queries and passages were told apart."""

    model, dimension, normalised = "former/model", 384, True

    def embed(self, texts: Sequence[str]) -> EmbeddedTexts:
        return HashingEmbedder().embed_passages(texts)


def test_an_embedder_of_the_former_protocol_is_refused_in_one_line(settings: Settings) -> None:
    former: Any = Former()
    with pytest.raises(BadRequest, match="the embedder Former has no embed_queries: queries and passages") as caught:
        Palace.open(settings, user=f"user-{uuid.uuid4()}", embedder=former)
    assert str(caught.value).isprintable()


class Telling(HashingEmbedder):
    """Notes what it is asked for as a query and what as a passage."""

    def __init__(self) -> None:
        super().__init__()
        self.queries: list[str] = []
        self.passages: list[str] = []

    def embed_queries(self, texts: Sequence[str]) -> EmbeddedTexts:
        self.queries += texts
        return HashingEmbedder().embed_passages(texts)

    def embed_passages(self, texts: Sequence[str]) -> EmbeddedTexts:
        self.passages += texts
        return super().embed_passages(texts)


def test_what_is_asked_is_embedded_as_a_query_and_what_is_filed_as_passages(settings: Settings) -> None:
    telling = Telling()
    with Palace.open(settings, user=f"user-{uuid.uuid4()}", embedder=telling) as palace:
        palace.note("The spare battery is with Derek.")
        palace.recall("who has the battery?")
        palace.rebuild()
    assert telling.queries == ["who has the battery?"]
    assert set(telling.passages) == {"The spare battery is with Derek."}
