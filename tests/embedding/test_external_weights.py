"""A model that keeps its numbers in other files: all of them decide what it is, and none may lie outside its folder."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import onnx
import pytest

from palace.errors import EmbeddingError
from tests.embedding.tiny import embedder, local, make_model, table


def make_external(folder: Path, location: str, *, seed: int = 1) -> Path:
    """Write a model whose table lies in a file of its own."""
    make_model(folder, table(16, seed))
    (folder / location).parent.mkdir(exist_ok=True)
    model = onnx.load(folder / "model.onnx")
    onnx.save(model, folder / "model.onnx", save_as_external_data=True, location=location, size_threshold=1024)
    return folder


def point_to(model: Path, location: str) -> None:
    """Have a model name another place for its numbers."""
    loaded = onnx.load(model, load_external_data=False)
    for tensor in loaded.graph.initializer:
        for entry in tensor.external_data:
            entry.value = location if entry.key == "location" else entry.value
    onnx.save(loaded, model)


@pytest.mark.parametrize("location", ["parts/numbers", "model.onnx_data"])
def test_other_numbers_are_another_model_however_their_file_is_called(tmp_path: Path, location: str) -> None:
    folder = make_external(tmp_path / "model", location)
    name = local(folder).model
    before = embedder(name).embed_passages(["A boat."]).vectors
    other = make_external(tmp_path / "other", location, seed=2)
    (folder / location).write_bytes((other / location).read_bytes())
    with pytest.raises(EmbeddingError, match=r"model\.onnx is another model, or used otherwise"):
        embedder(name).embed_passages(["A boat."])
    after = local(folder)
    assert after.model != name
    assert not np.allclose(after.embed_passages(["A boat."]).vectors, before)


def test_the_digest_of_a_model_with_its_usual_data_file_is_what_it_was(tmp_path: Path) -> None:
    make_external(tmp_path, "model.onnx_data")
    files = ("model.onnx", "model.onnx_data", "tokenizer.json")
    hashes = [hashlib.sha256((tmp_path / name).read_bytes()).hexdigest() for name in files]
    told = hashlib.sha256(json.dumps([hashes, [None, "", 512, False]]).encode()).hexdigest()[:16]
    assert local(tmp_path).model.endswith(f"@{told}")


def test_numbers_outside_of_the_folder_or_missing_are_not_read(tmp_path: Path) -> None:
    folder = make_external(tmp_path / "model", "weights.bin")
    (tmp_path / "weights.bin").write_bytes((folder / "weights.bin").read_bytes())
    for location in ("../weights.bin", "/etc/hostname", "a/../../weights.bin", "*/_ORT_MEM_ADDR_/*"):
        point_to(folder / "model.onnx", location)
        with pytest.raises(EmbeddingError, match=r"leads out of|is missing") as caught:
            assert local(folder).model
        assert str(caught.value).isprintable()
    point_to(folder / "model.onnx", "weights.bin")
    (folder / "weights.bin").unlink()
    with pytest.raises(EmbeddingError, match=r"weights\.bin is missing: .*model\.onnx keeps numbers in it"):
        assert local(folder).model


def test_what_a_link_leads_to_decides_as_the_cache_of_the_hub_has_them(tmp_path: Path) -> None:
    folder = make_external(tmp_path / "model", "weights.bin")
    name = local(folder).model
    (folder / "weights.bin").rename(tmp_path / "blob")
    (folder / "weights.bin").symlink_to(tmp_path / "blob")
    assert local(folder).model == name
    (tmp_path / "blob").write_bytes(bytes((tmp_path / "blob").stat().st_size))
    assert local(folder).model != name
