"""A model in a folder: how its files are meant, what may be said otherwise, what it is called, what is refused."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

from palace.errors import EmbeddingError
from tests.embedding.tiny import Vectors, embedder, local, make_model, table, tokens_of, unit

TEXT = "The spare battery is with Derek."
ROWS = table(16)
POOLING = "1_Pooling/config.json"
PROMPTS = "config_sentence_transformers.json"
BERT = "sentence_bert_config.json"
LONG = "a" * 5000


def passage(folder: Path, options: str = "", text: str = TEXT) -> Vectors:
    vectors: Vectors = local(folder, options).embed_passages([text]).vectors[0]
    return vectors


def query(folder: Path, options: str = "") -> Vectors:
    vectors: Vectors = local(folder, options).embed_queries([TEXT]).vectors[0]
    return vectors


def mean(text: str, most: int = 512) -> Vectors:
    return unit(ROWS[tokens_of(text)[:most]].mean(axis=0))


def is_close(found: Vectors, meant: Vectors) -> bool:
    return np.allclose(found, meant, atol=1e-5)


def refused(folder: Path, told: str, options: str = "") -> None:
    """Hold that a model is refused in one line that says so."""
    with pytest.raises(EmbeddingError, match=told) as caught:
        passage(folder, options)
    assert str(caught.value).isprintable()


def test_it_lies_in_either_place_and_takes_what_it_asks_for(tmp_path: Path) -> None:
    for number, inputs in enumerate((("input_ids", "attention_mask"), ("input_ids", "position_ids"), ("input_ids",))):
        file = "onnx/model.onnx" if number else "model.onnx"
        assert is_close(passage(make_model(tmp_path / str(number), ROWS, file=file, inputs=inputs)), mean(TEXT))
    named = make_model(tmp_path / "named", ROWS, file="onnx/model_quantized.onnx")
    refused(named, r"neither .*: add \?file=onnx/model_quantized.onnx to the name")
    assert is_close(passage(named, "?file=onnx/model_quantized.onnx"), mean(TEXT))
    refused(make_model(tmp_path / "deep", ROWS, file="a/b/c/model.onnx"), r"neither model\.onnx nor onnx/model\.onnx$")


def test_its_pooling_is_what_its_folder_says_or_the_name(tmp_path: Path) -> None:
    places: list[tuple[dict[str, Any], int | None]] = [
        ({"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}, 0),
        ({"pooling_mode_lasttoken": True, "include_prompt": True}, -1),
        ({"pooling_mode": "cls"}, 0),
        ({"pooling_mode_mean_tokens": True}, None),
        ({"pooling_mode_mean_sqrt_len_tokens": True}, None),
    ]
    for written, place in places:
        make_model(tmp_path, ROWS, settings={POOLING: written})
        meant = mean(TEXT) if place is None else unit(ROWS[tokens_of(TEXT)[place]])
        assert is_close(passage(tmp_path), meant), written
    for pooling, place in (("cls", 0), ("last", -1)):
        assert is_close(passage(tmp_path, f"?pooling={pooling}"), unit(ROWS[tokens_of(TEXT)[place]]))


def test_its_own_sentence_vectors_are_taken_where_it_gives_them(tmp_path: Path) -> None:
    make_model(tmp_path, ROWS, outputs=("last_hidden_state", "sentence_embedding"))
    assert is_close(passage(tmp_path), unit(ROWS[tokens_of(TEXT)].max(axis=0)))
    assert is_close(passage(tmp_path, "?pooling=mean"), mean(TEXT))


def test_words_stand_before_queries_and_passages_as_its_folder_says_or_the_name(tmp_path: Path) -> None:
    make_model(tmp_path, ROWS, settings={PROMPTS: {"prompts": {"query": "query: ", "document": "passage: "}}})
    assert is_close(query(tmp_path), mean(f"query: {TEXT}"))
    assert is_close(passage(tmp_path), mean(f"passage: {TEXT}"))
    assert is_close(passage(tmp_path, "?passage_prefix="), mean(TEXT))
    options = "?query_prefix=find: &passage_prefix=text%20%26%20more: "
    assert is_close(query(tmp_path, options), mean(f"find: {TEXT}"))
    assert is_close(passage(tmp_path, options), mean(f"text & more: {TEXT}"))


def test_it_reads_as_many_tokens_as_its_folder_or_the_name_says(tmp_path: Path) -> None:
    make_model(tmp_path, ROWS, settings={BERT: {"max_seq_length": 8, "do_lower_case": False}})
    long = "battery " * 50
    cut = [*tokens_of(long)[:7], tokens_of(long)[-1]]
    assert is_close(passage(tmp_path, text=long), unit(ROWS[cut].mean(axis=0)))
    assert is_close(passage(tmp_path, "?max_tokens=52", text=long), mean(long))


def cut_short(folder: Path) -> None:
    file = folder / "model.onnx"
    file.write_bytes(file.read_bytes()[:1000])


def written(name: str, content: str) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")

    return write


def module(path: str) -> Callable[[Path], None]:
    return written("modules.json", f'[{{"type": "x.Pooling", "path": {path}}}]')


SPOILED: list[tuple[Callable[[Path], Any], str]] = [
    (lambda folder: (folder / "tokenizer.json").unlink(), r"tokenizer\.json is missing"),
    (lambda folder: (folder / "model.onnx").unlink(), r"holds neither model\.onnx nor onnx/model\.onnx"),
    (cut_short, r"model\.onnx is no ONNX model that can be run"),
    (written("tokenizer.json", "{}"), r"tokenizer\.json is no tokenizer"),
    (written(BERT, "{"), r"sentence_bert_config\.json cannot be read as JSON"),
    (written(BERT, "[3]"), r"sentence_bert_config\.json is not a JSON object"),
    (written("modules.json", "[3]"), r"modules\.json does not list modules"),
    (module('"a\\u0000b"'), r"modules\.json names .*by what is no path"),
    (module('"../../../etc"'), r"modules\.json names .*which leads out of"),
    (written(PROMPTS, '{"prompts": {"query": 3}}'), r"config_sentence_transformers\.json does not give"),
    (written(POOLING, '{"pooling_mode_max_tokens": true}'), r"1_Pooling/config\.json asks for a pooling that"),
    (module('""}, {"type": "x.Dense", "path": "2_Dense"'), r"model\.onnx does not apply the model's last step, Dense,"),
    (shutil.rmtree, r"model: there is no such folder of a model"),
]


def test_what_cannot_be_used_is_told_in_one_line_that_names_the_file(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    whole = make_model(tmp_path / "whole", ROWS)
    for number, (spoil, told) in enumerate(SPOILED):
        folder = shutil.copytree(whole, tmp_path / str(number) / "model")
        spoil(folder)
        refused(folder, told)
    assert capfd.readouterr() == ("", "")


def test_a_name_that_no_file_can_have_is_told_in_one_line(tmp_path: Path) -> None:
    folder = make_model(tmp_path / "model", ROWS)
    wrong = {
        "?file=../model/model.onnx": "which leads out of", "?file=/etc/hostname": "which leads out of",
        "?file=%00": "by what is no path", f"?file={LONG}": "by what is no path",
        f"?file={LONG[:300]}": "cannot be read as a model's folder", f"/{LONG}": "cannot be read as a model's folder",
    }  # fmt: skip
    for options, told in wrong.items():
        refused(folder, told, options)


def test_a_model_that_gives_or_asks_for_something_else_is_refused(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for output, told in (("no_tokens", "of shape"), ("no_width", "of shape"), ("pieces", "in pieces")):
        make_model(tmp_path, ROWS, outputs=(output,))
        for options in ("", "?pooling=cls"):
            refused(tmp_path, rf"model\.onnx gives '{output}' {told}", options)
    make_model(tmp_path, ROWS, outputs=("scores",))
    refused(tmp_path, r"model\.onnx gives 'scores' of shape .* neither a vector a text nor")
    make_model(tmp_path, ROWS, inputs=("input_ids", "pixel_values"))
    refused(tmp_path, r"model\.onnx asks for 'pixel_values', tensor\(int64\): Palace gives")
    assert capfd.readouterr() == ("", "")


def test_vectors_that_are_none_or_of_another_dimension_are_refused(tmp_path: Path) -> None:
    for number in (np.nan, np.inf, 0):
        make_model(tmp_path, np.full((30_522, 8), number, np.float32))
        refused(tmp_path, r"model\.onnx gave a vector that is not finite, or all zeros")
    make_model(tmp_path, ROWS[:100])
    refused(tmp_path, r"model\.onnx does not run: ")
    make_model(tmp_path, ROWS)
    with pytest.raises(EmbeddingError, match=r"model\.onnx gives vectors of 16 numbers instead of 24"):
        local(tmp_path, embedding_dimension=24).embed_passages([TEXT])


def digest(folder: Path, options: str = "") -> str:
    name: str = local(folder, options).model
    return name.partition("@")[2]


def test_what_decides_the_vectors_of_passages_decides_which_model_it_is(tmp_path: Path) -> None:
    here = make_model(tmp_path / "here")
    there = shutil.copytree(here, tmp_path / "there")
    plain = local(here).model
    assert plain == f"local:{here}@{digest(there)}", "a model that lies elsewhere is the same"
    for option in ("?passage_prefix=passage: ", "?max_tokens=99", "?pooling=cls"):
        assert digest(here, option) != digest(here)
    assert digest(here, "?query_prefix=query: ") == digest(here)
    (here / "model.onnx_data").write_bytes(b"weights")
    weighted = digest(here)
    (here / "model.onnx_data").write_bytes(b"others!")
    assert len({digest(there), weighted, digest(here)}) == 3, "weights beside the model are a part of it"


def test_a_model_that_changes_after_it_was_named_is_no_longer_used(tmp_path: Path) -> None:
    named = local(make_model(tmp_path))
    name = named.model
    make_model(tmp_path, table(16, seed=2))
    assert digest(tmp_path) != name.partition("@")[2]
    for used in (named, embedder(name)):
        with pytest.raises(EmbeddingError, match=r"model\.onnx is another model, or used .*embeddings switch 'l"):
            used.embed_passages(["a text"])


def test_a_name_is_written_one_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_model(tmp_path / "e5")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    options = "?query_prefix=query: &passage_prefix=passage: &pooling=mean"
    name = f"local:{tmp_path}/e5?pooling=mean&query_prefix=query%3A%20&passage_prefix=passage%3A%20"
    for place in ("e5", "~/e5", f"{tmp_path}/e5"):
        assert embedder(f"local:{place}{options}").model.partition("@")[0] == name
    assert embedder(embedder(name).model).model == embedder(name).model


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
