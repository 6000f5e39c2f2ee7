"""What every embedder promises, held against each of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from palace.embedding.bundled import BundledEmbedder
from palace.embedding.protocol import Embedder
from palace.embedding.remote import RemoteEmbedder
from palace.testing import EmbeddingServer, HashingEmbedder

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


@pytest.fixture(params=["hashing", "bundled", "remote"])
def embedder(
    request: pytest.FixtureRequest, bundled: BundledEmbedder, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Embedder]:
    if request.param == "remote":
        monkeypatch.setenv("OPENAI_API_KEY", "a-key")
        with EmbeddingServer(dimension=96) as server:
            yield RemoteEmbedder("openai/text-embedding-3-small", api_base=server.api_base)
    else:
        yield bundled if request.param == "bundled" else HashingEmbedder()


def test_there_is_one_vector_a_text_in_float32(embedder: Embedder) -> None:
    vectors = embedder.embed(TEXTS).vectors
    assert vectors.shape == (len(TEXTS), embedder.dimension)
    assert vectors.dtype == np.float32


def test_vectors_have_unit_length(embedder: Embedder) -> None:
    assert embedder.normalised
    np.testing.assert_allclose(np.linalg.norm(embedder.embed(TEXTS).vectors, axis=1), 1, atol=1e-5)


def test_order_is_kept(embedder: Embedder) -> None:
    forwards = embedder.embed(TEXTS).vectors
    backwards = embedder.embed(TEXTS[::-1]).vectors
    assert (forwards * backwards[::-1]).sum(axis=1).min() > 0.9999


def test_no_text_gives_no_vector_of_the_right_width(embedder: Embedder) -> None:
    assert embedder.embed([]).vectors.shape == (0, embedder.dimension)


def test_a_text_has_the_same_vector_whatever_its_neighbours(embedder: Embedder) -> None:
    together = embedder.embed(TEXTS).vectors
    alone = np.vstack([embedder.embed([text]).vectors for text in TEXTS])
    assert (together * alone).sum(axis=1).min() > 0.9999


def test_many_texts_are_embedded_in_one_go(embedder: Embedder) -> None:
    texts = [f"Note {number}" for number in range(300)]
    vectors = embedder.embed(texts).vectors
    some = [0, 150, 299]
    assert (vectors[some] * embedder.embed([texts[place] for place in some]).vectors).sum(axis=1).min() > 0.9999


def test_texts_alike_have_vectors_alike(embedder: Embedder) -> None:
    wire, other_wire, travel = embedder.embed(TEXTS[:3]).vectors
    assert wire @ other_wire > wire @ travel


def test_a_text_longer_than_the_model_reads_is_cut_not_refused(embedder: Embedder) -> None:
    assert embedder.embed(["word " * 30_000, "字" * 50_000, "a" * 200_000]).vectors.shape[0] == 3


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
    vector = embedder.embed([text, "something plain"]).vectors[0]
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)
