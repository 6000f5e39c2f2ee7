"""Vectors made without a model: unit length, the same for the same text, near where they come from."""

from __future__ import annotations

import random

import numpy as np
import pytest

from bench.scale.corpus import synthetic_conversations, vary
from bench.scale.vectors import NoisyEmbedder, nearest_cosines, with_noise
from palace.testing import HashingEmbedder

PASSAGES = [message["content"] for message in next(synthetic_conversations()) if len(message["content"].split()) > 20]
MODEL = HashingEmbedder()


@pytest.fixture(scope="module")
def embedder() -> NoisyEmbedder:
    """An embedder that knows a few passages."""
    return NoisyEmbedder(MODEL, PASSAGES, MODEL.embed_passages(PASSAGES).vectors)


def test_a_passage_that_was_embedded_has_the_models_own_vector(embedder: NoisyEmbedder) -> None:
    assert np.array_equal(embedder.embed_passages(PASSAGES).vectors, MODEL.embed_passages(PASSAGES).vectors)


def test_a_varied_passage_is_near_the_one_it_comes_from(embedder: NoisyEmbedder) -> None:
    chance = random.Random(1)
    varied = [vary(passage, ["another"], chance) for passage in PASSAGES]
    cosines = embedder.embed_passages(varied).vectors @ embedder.origins.T
    assert cosines.argmax(axis=1).tolist() == list(range(len(PASSAGES)))
    assert all(0.6 < cosine < 0.97 for cosine in cosines.max(axis=1))


def test_noise_leaves_the_cosine_that_is_asked_for() -> None:
    origin, chance = MODEL.embed_passages(["a passage"]).vectors[0], np.random.default_rng(1)
    found = np.mean([with_noise(origin, chance, cosine=0.8) @ origin for _ in range(200)])
    assert found == pytest.approx(0.8, abs=0.01)


def test_the_nearest_other_vector_is_found_by_its_cosine() -> None:
    vectors = np.array([[1, 0], [0.8, 0.6], [0, 1]], np.float32)
    assert nearest_cosines(vectors, vectors) == pytest.approx([0.8, 0.8, 0.6])
