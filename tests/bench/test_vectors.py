"""Vectors made without a model: unit length, the same for the same text, near where they come from."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.scale.corpus import synthetic_conversations, vary
from bench.scale.vectors import NoisyEmbedder, embed_once, nearest_cosines, with_noise
from palace.testing import HashingEmbedder

PASSAGES = [message["content"] for message in next(synthetic_conversations()) if len(message["content"].split()) > 20]
MODEL = HashingEmbedder()


@pytest.fixture(scope="module")
def embedder() -> NoisyEmbedder:
    """An embedder that knows a few passages."""
    return NoisyEmbedder(MODEL, PASSAGES, MODEL.embed_passages(PASSAGES).vectors)


@given(st.lists(st.text(max_size=80), min_size=1, max_size=5))
def test_vectors_of_any_text_have_unit_length_and_are_the_same_each_time(texts: list[str]) -> None:
    first, second = (
        NoisyEmbedder(MODEL, PASSAGES, MODEL.embed_passages(PASSAGES).vectors).embed_passages(texts).vectors
        for _ in range(2)
    )
    assert first.shape == (len(texts), MODEL.dimension)
    assert np.allclose(np.linalg.norm(first, axis=1), 1, atol=1e-5)
    assert np.array_equal(first, second)


def test_a_passage_that_was_embedded_has_the_models_own_vector(embedder: NoisyEmbedder) -> None:
    assert np.array_equal(embedder.embed_passages(PASSAGES).vectors, MODEL.embed_passages(PASSAGES).vectors)


def test_a_varied_passage_is_near_the_one_it_comes_from(embedder: NoisyEmbedder) -> None:
    chance = random.Random(1)
    varied = [vary(passage, ["another"], chance) for passage in PASSAGES]
    cosines = embedder.embed_passages(varied).vectors @ embedder.origins.T
    assert cosines.argmax(axis=1).tolist() == list(range(len(PASSAGES)))
    assert all(0.6 < cosine < 0.97 for cosine in cosines.max(axis=1))


@pytest.mark.parametrize("cosine", [0.5, 0.8, 0.95])
def test_noise_leaves_the_cosine_that_is_asked_for(cosine: float) -> None:
    origin, chance = MODEL.embed_passages(["a passage"]).vectors[0], np.random.default_rng(1)
    found = np.mean([with_noise(origin, chance, cosine=cosine) @ origin for _ in range(200)])
    assert found == pytest.approx(cosine, abs=0.01)


def test_the_nearest_other_vector_is_found_by_its_cosine() -> None:
    vectors = np.array([[1, 0], [0.8, 0.6], [0, 1]], np.float32)
    assert nearest_cosines(vectors, vectors) == pytest.approx([0.8, 0.8, 0.6])


def test_passages_are_embedded_once(tmp_path: Path) -> None:
    first = embed_once(tmp_path, MODEL, PASSAGES)
    unwilling = HashingEmbedder(fail_on=lambda _: True)
    assert np.array_equal(embed_once(tmp_path, unwilling, PASSAGES), first)
