"""Makes tiny ONNX models in folders as sentence-transformers lays them out: a token's vector is a row of a table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from palace.embedding.protocol import Vectors
from palace.wordpiece import tokenizer

OUTPUTS = {
    "last_hidden_state": ("Identity", ["texts", "tokens", "width"]),
    "sentence_embedding": ("ReduceMax", ["texts", "width"]),
    "scores": ("Flat", ["numbers"]),
}
"""What a model can give: a vector a token, a vector a text, or neither."""


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
    constants = [numpy_helper.from_array(vectors, "table"), numpy_helper.from_array(np.array([1]), "one")]
    constants.append(numpy_helper.from_array(np.array([-1]), "flat"))
    for name in outputs:
        kind = OUTPUTS[name][0]
        given = {"Identity": ["states"], "ReduceMax": ["states", "one"], "Flat": ["states", "flat"]}[kind]
        node = helper.make_node("Reshape" if kind == "Flat" else kind, given, [name])
        if kind == "ReduceMax":
            node.attribute.append(helper.make_attribute("keepdims", 0))
        nodes.append(node)
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "tokens"]) for name in inputs],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, OUTPUTS[name][1]) for name in outputs],
        constants,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    (folder / file).parent.mkdir(parents=True, exist_ok=True)
    onnx.save(model, folder / file)
    (folder / "tokenizer.json").write_text(tokenizer().to_str(), encoding="utf-8")
    for name, value in (settings or {}).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(json.dumps(value), encoding="utf-8")
    return folder


def tokens_of(text: str) -> list[int]:
    """Cut a text as those models do."""
    ids: list[int] = tokenizer().encode(text).ids
    return ids


def unit(vector: Vectors) -> Vectors:
    """Scale a vector to unit length."""
    scaled: Vectors = vector / np.linalg.norm(vector)
    return scaled
