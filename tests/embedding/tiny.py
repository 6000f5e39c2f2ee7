"""Makes tiny ONNX models in folders as sentence-transformers lays them out: a token's vector is a row of a table."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

from palace import Settings
from palace.ai.embedders.registry import embedder_for
from palace.models.wordpiece import tokenizer

Vectors = npt.NDArray[np.float32]

OUTPUTS = {
    "last_hidden_state": ("Identity", ["texts", "tokens", "width"]),
    "sentence_embedding": ("ReduceMax", ["texts", "width"]),
    "scores": ("Flat", ["numbers"]),
    "no_tokens": ("Slice", ["texts", "nothing", "width"]),
    "no_width": ("Slice", ["texts", "tokens", "nothing"]),
    "pieces": ("SequenceConstruct", None),
}
"""What a model can give: a vector a token, a vector a text, or neither."""

NUMBERS = {"zero": 0, "one": 1, "two": 2, "flat": -1}
"""Numbers that the graphs need."""


def table(dimension: int, seed: int = 1) -> Vectors:
    """Give the vectors of a model's tokens."""
    return np.random.default_rng(seed).standard_normal((tokenizer().get_vocab_size(), dimension)).astype(np.float32)


def make_model(
    folder: Path,
    rows: Vectors | None = None,
    *,
    outputs: tuple[str, ...] = ("last_hidden_state",),
    inputs: tuple[str, ...] = ("input_ids", "attention_mask", "token_type_ids"),
    file: str = "model.onnx",
    settings: dict[str, Any] | None = None,
) -> Path:
    """Write a model with its tokenizer and settings, by their files' names, into a folder."""
    vectors = table(16) if rows is None else rows
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["states"])]
    constants = [numpy_helper.from_array(vectors, "table")]
    constants += [numpy_helper.from_array(np.array([value]), name) for name, value in NUMBERS.items()]
    for name in outputs:
        kind = OUTPUTS[name][0]
        axis = "two" if name == "no_width" else "one"
        given = {
            "Identity": ["states"],
            "ReduceMax": ["states", "one"],
            "Flat": ["states", "flat"],
            "Slice": ["states", "zero", "zero", axis],
            "SequenceConstruct": ["states", "table"],
        }[kind]
        node = helper.make_node("Reshape" if kind == "Flat" else kind, given, [name])
        if kind == "ReduceMax":
            node.attribute.append(helper.make_attribute("keepdims", 0))
        nodes.append(node)
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "tokens"]) for name in inputs],
        [_output(name) for name in outputs],
        constants,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    (folder / file).parent.mkdir(parents=True, exist_ok=True)
    onnx.save(model, folder / file)
    (folder / "tokenizer.json").write_text(_tokenizer_written(), encoding="utf-8")
    for name, value in (settings or {}).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(json.dumps(value), encoding="utf-8")
    return folder


@cache
def _tokenizer_written() -> str:
    written: str = tokenizer().to_str()
    return written


def _output(name: str) -> onnx.ValueInfoProto:
    shape = OUTPUTS[name][1]
    if shape is not None:
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
    piece = helper.make_tensor_type_proto(TensorProto.FLOAT, None)
    return helper.make_value_info(name, helper.make_sequence_type_proto(piece))


def embedder(name: str, **settings: Any) -> Any:
    """Give the embedder of a model by its name."""
    return embedder_for(name, Settings(**settings))


def local(folder: Path, options: str = "", **settings: Any) -> Any:
    """Give the embedder of a model in a folder."""
    return embedder(f"local:{folder}{options}", **settings)


def tokens_of(text: str) -> list[int]:
    """Cut a text as those models do."""
    ids: list[int] = tokenizer().encode(text).ids
    return ids


def unit(vector: Vectors) -> Vectors:
    """Scale a vector to unit length."""
    scaled: Vectors = vector / np.linalg.norm(vector)
    return scaled
