"""A model that keeps its numbers in other files: all of them decide what it is, and none may lie outside its folder."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import ModelProto, TensorProto, helper

from palace.embedding.local.embedder import LocalEmbedder
from palace.embedding.local.weights import ENTRY, HOLDS, external_files
from palace.errors import EmbeddingError
from tests.embedding.tiny import make_model, table

OUTSIDE = ["../weights.bin", "/etc/hostname", "a/../../weights.bin", "*/_ORT_MEM_ADDR_/*"]


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


def named(folder: Path) -> str:
    return LocalEmbedder(f"local:{folder}").model


@pytest.mark.parametrize("location", ["weights.bin", "parts/numbers", "model.onnx_data", "model.onnx.data"])
def test_other_numbers_are_another_model_however_their_file_is_called(tmp_path: Path, location: str) -> None:
    folder = make_external(tmp_path / "model", location)
    name = named(folder)
    before = LocalEmbedder(name).embed_passages(["A boat."]).vectors
    other = make_external(tmp_path / "other", location, seed=2)
    graph = (folder / "model.onnx").read_bytes()
    (folder / location).write_bytes((other / location).read_bytes())
    assert (folder / "model.onnx").read_bytes() == graph
    with pytest.raises(EmbeddingError, match=r"model\.onnx is another model, or used otherwise"):
        LocalEmbedder(name).embed_passages(["A boat."])
    after = LocalEmbedder(named(folder))
    assert after.model != name
    assert not np.allclose(after.embed_passages(["A boat."]).vectors, before)


def test_the_digest_of_a_model_with_its_usual_data_file_is_what_it_was(tmp_path: Path) -> None:
    make_external(tmp_path, "model.onnx_data")
    hashes = [
        hashlib.sha256((tmp_path / name).read_bytes()).hexdigest()
        for name in ("model.onnx", "model.onnx_data", "tokenizer.json")
    ]
    told = hashlib.sha256(json.dumps([hashes, [None, "", 512, False]]).encode()).hexdigest()[:16]
    assert named(tmp_path).endswith(f"@{told}")


@pytest.mark.parametrize("location", OUTSIDE)
def test_numbers_outside_of_the_folder_are_not_read(tmp_path: Path, location: str) -> None:
    folder = make_external(tmp_path / "model", "weights.bin")
    (tmp_path / "weights.bin").write_bytes((folder / "weights.bin").read_bytes())
    point_to(folder / "model.onnx", location)
    with pytest.raises(EmbeddingError, match=r"leads out of|is missing") as caught:
        named(folder)
    assert str(caught.value).isprintable()


def test_numbers_that_are_missing_are_told(tmp_path: Path) -> None:
    (make_external(tmp_path, "weights.bin") / "weights.bin").unlink()
    with pytest.raises(EmbeddingError, match=r"weights\.bin is missing: .*model\.onnx keeps numbers in it"):
        named(tmp_path)


def test_what_a_link_leads_to_decides_as_the_cache_of_the_hub_has_them(tmp_path: Path) -> None:
    folder = make_external(tmp_path / "model", "weights.bin")
    name = named(folder)
    (folder / "weights.bin").rename(tmp_path / "blob")
    (folder / "weights.bin").symlink_to(tmp_path / "blob")
    assert named(folder) == name
    (tmp_path / "blob").write_bytes(bytes((tmp_path / "blob").stat().st_size))
    assert named(folder) != name


def outside(name: str) -> TensorProto:
    """Give a tensor whose numbers lie in a file."""
    tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=[1], data_location=TensorProto.EXTERNAL)
    tensor.external_data.add(key="location", value=f"{name}.bin")
    tensor.external_data.add(key="length", value="4")
    return tensor


def everywhere() -> ModelProto:
    """Give a model with such a tensor in each place that a model has for one."""
    sparse = onnx.SparseTensorProto(values=outside("values"), indices=outside("indices"), dims=[1])
    inner = helper.make_graph([], "inner", [], [], [outside("inner")])
    node = helper.make_node(
        "If", [], [], t=outside("t"), ts=[outside("ts")], g=inner, gs=[inner], sparse=sparse, sparses=[sparse]
    )
    graph = helper.make_graph([node], "g", [], [], [outside("first")], sparse_initializer=[sparse])
    default = helper.make_attribute("default", outside("default"))
    constant = helper.make_node("Constant", [], ["x"], value=outside("function"))
    function = helper.make_function("d", "f", [], ["x"], [constant], [], attribute_protos=[default])
    model = helper.make_model(graph, functions=[function])
    training = model.training_info.add()
    training.initialization.initializer.append(outside("initialization"))
    training.algorithm.initializer.append(outside("algorithm"))
    return model


def test_numbers_are_found_wherever_a_model_can_have_them(tmp_path: Path) -> None:
    names = ["values", "indices", "inner", "t", "ts", "first", "default", "function", "initialization", "algorithm"]
    for name in names:
        (tmp_path / f"{name}.bin").write_bytes(bytes(4))
    model = tmp_path / "model.onnx"
    model.write_bytes(everywhere().SerializeToString())
    assert [file.stem for file in external_files(model, ("", 0, 0))] == sorted(names)


def test_the_places_are_those_that_onnx_declares() -> None:
    def reached(kind: Any, above: tuple[str, ...] = ()) -> bool:
        if kind.name == "TensorProto":
            return True
        inner = [field for field in kind.fields if field.message_type and field.message_type.name not in above]
        held = {
            each.number: each.message_type.name for each in inner if reached(each.message_type, (*above, kind.name))
        }
        found.setdefault(kind.name, {}).update(held)
        return bool(held)

    found: dict[str, dict[int, str]] = {}
    for kind in (onnx.ModelProto, onnx.GraphProto, onnx.AttributeProto):  # each is held by what it holds
        reached(kind.DESCRIPTOR)
    assert {name: held for name, held in found.items() if held} | {"TensorProto": {13: ENTRY}} == HOLDS


def test_a_tensor_in_two_pieces_is_one(tmp_path: Path) -> None:
    place = ModelProto(graph=onnx.GraphProto(initializer=[outside("a")])).SerializeToString()
    model = tmp_path / "model.onnx"
    model.write_bytes(place + place.replace(b"a.bin", b"b.bin"))
    for name in "ab":
        (tmp_path / f"{name}.bin").write_bytes(bytes(4))
    assert [file.name for file in external_files(model, ("", 0, 0))] == ["a.bin", "b.bin"]


WHOLE = everywhere().SerializeToString()


@given(st.one_of(st.binary(max_size=200), st.integers(0, len(WHOLE)).map(lambda end: WHOLE[:end])))
def test_whatever_the_file_holds_it_is_refused_or_read(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    model = tmp_path_factory.mktemp("model") / "model.onnx"
    model.write_bytes(content)
    with suppress(EmbeddingError):
        assert external_files(model, ("", 0, 0)) == ()
