"""A model in a folder: how its files are meant, what may be said otherwise, and what is refused."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from palace.embedding.local.embedder import LocalEmbedder
from palace.embedding.protocol import Vectors
from palace.errors import EmbeddingError
from tests.embedding.tiny import make_model, table, tokens_of, unit

TEXT = "The spare battery is with Derek."
ROWS = table(16)
POOLING = "1_Pooling/config.json"
PROMPTS = "config_sentence_transformers.json"
BERT = "sentence_bert_config.json"
LONG = "a" * 5000


def passage(folder: Path, options: str = "", text: str = TEXT) -> Vectors:
    vectors: Vectors = LocalEmbedder(f"local:{folder}{options}").embed_passages([text]).vectors[0]
    return vectors


def query(folder: Path, options: str = "") -> Vectors:
    vectors: Vectors = LocalEmbedder(f"local:{folder}{options}").embed_queries([TEXT]).vectors[0]
    return vectors


def mean(text: str, most: int = 512) -> Vectors:
    return unit(ROWS[tokens_of(text)[:most]].mean(axis=0))


@pytest.mark.parametrize("file", ["model.onnx", "onnx/model.onnx"])
@pytest.mark.parametrize("inputs", [("input_ids", "attention_mask"), ("input_ids", "position_ids"), ("input_ids",)])
def test_it_lies_in_either_place_and_takes_what_it_asks_for(tmp_path: Path, file: str, inputs: tuple[str, ...]) -> None:
    make_model(tmp_path, ROWS, file=file, inputs=inputs)
    np.testing.assert_allclose(passage(tmp_path), mean(TEXT), atol=1e-5)


@pytest.mark.parametrize(
    ("written", "place"),
    [
        ({"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}, 0),
        ({"pooling_mode_lasttoken": True, "include_prompt": True}, -1),
        ({"pooling_mode": "cls"}, 0),
        ({"pooling_mode_mean_tokens": True}, None),
        ({"pooling_mode_mean_sqrt_len_tokens": True}, None),
    ],
)
def test_its_pooling_is_what_its_folder_says(tmp_path: Path, written: dict[str, Any], place: int | None) -> None:
    make_model(tmp_path, ROWS, settings={POOLING: written})
    expected = mean(TEXT) if place is None else unit(ROWS[tokens_of(TEXT)[place]])
    np.testing.assert_allclose(passage(tmp_path), expected, atol=1e-5)


@pytest.mark.parametrize(("pooling", "place"), [("cls", 0), ("last", -1)])
def test_its_pooling_can_be_said_otherwise(tmp_path: Path, pooling: str, place: int) -> None:
    make_model(tmp_path, ROWS, settings={POOLING: {"pooling_mode_mean_tokens": True}})
    np.testing.assert_allclose(passage(tmp_path, f"?pooling={pooling}"), unit(ROWS[tokens_of(TEXT)[place]]), atol=1e-5)


def test_its_own_sentence_vectors_are_taken_where_it_gives_them(tmp_path: Path) -> None:
    make_model(tmp_path, ROWS, outputs=("last_hidden_state", "sentence_embedding"))
    np.testing.assert_allclose(passage(tmp_path), unit(ROWS[tokens_of(TEXT)].max(axis=0)), atol=1e-5)
    np.testing.assert_allclose(passage(tmp_path, "?pooling=mean"), mean(TEXT), atol=1e-5)


def test_words_stand_before_queries_and_passages_as_its_folder_says(tmp_path: Path) -> None:
    make_model(tmp_path, ROWS, settings={PROMPTS: {"prompts": {"query": "query: ", "document": "passage: "}}})
    np.testing.assert_allclose(query(tmp_path), mean(f"query: {TEXT}"), atol=1e-5)
    np.testing.assert_allclose(passage(tmp_path), mean(f"passage: {TEXT}"), atol=1e-5)
    np.testing.assert_allclose(passage(tmp_path, "?passage_prefix="), mean(TEXT), atol=1e-5)


def test_words_before_queries_and_passages_can_be_said(tmp_path: Path) -> None:
    make_model(tmp_path, ROWS)
    options = "?query_prefix=find: &passage_prefix=text%20%26%20more: "
    np.testing.assert_allclose(query(tmp_path, options), mean(f"find: {TEXT}"), atol=1e-5)
    np.testing.assert_allclose(passage(tmp_path, options), mean(f"text & more: {TEXT}"), atol=1e-5)


def test_it_reads_as_many_tokens_as_its_folder_or_the_name_says(tmp_path: Path) -> None:
    make_model(tmp_path, ROWS, settings={BERT: {"max_seq_length": 8, "do_lower_case": False}})
    long = "battery " * 50
    cut = [*tokens_of(long)[:7], tokens_of(long)[-1]]
    np.testing.assert_allclose(passage(tmp_path, text=long), unit(ROWS[cut].mean(axis=0)), atol=1e-5)
    np.testing.assert_allclose(passage(tmp_path, "?max_tokens=52", text=long), mean(long), atol=1e-5)


def test_another_file_can_be_named(tmp_path: Path) -> None:
    make_model(tmp_path, ROWS, file="onnx/model_quantized.onnx")
    with pytest.raises(EmbeddingError, match=r"neither .*: add \?file=onnx/model_quantized.onnx to the name"):
        passage(tmp_path)
    np.testing.assert_allclose(passage(tmp_path, "?file=onnx/model_quantized.onnx"), mean(TEXT), atol=1e-5)


def cut_short(folder: Path) -> None:
    file = folder / "model.onnx"
    file.write_bytes(file.read_bytes()[:1000])


def written(name: str, content: str) -> Any:
    def write(folder: Path) -> None:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")

    return write


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda folder: (folder / "tokenizer.json").unlink(), r"tokenizer\.json is missing"),
        (lambda folder: (folder / "model.onnx").unlink(), r"holds neither model\.onnx nor onnx/model\.onnx"),
        (shutil.rmtree, r"model: there is no such folder of a model"),
        (cut_short, r"model\.onnx is no ONNX model that can be run"),
        (written("model.onnx", ""), r"model\.onnx is no ONNX model that can be run"),
        (written("tokenizer.json", "{}"), r"tokenizer\.json is no tokenizer"),
        (written("tokenizer.json", "["), r"tokenizer\.json is no tokenizer"),
        (written(BERT, "{"), r"sentence_bert_config\.json cannot be read as JSON"),
        (written(BERT, "[3]"), r"sentence_bert_config\.json is not a JSON object"),
        (written("modules.json", "{}3"), r"modules\.json cannot be read as JSON"),
        (written("modules.json", "[3]"), r"modules\.json does not list modules"),
        (written("modules.json", "3"), r"modules\.json does not list modules"),
        *(
            (written("modules.json", f'[{{"type": "x.Pooling", "path": {path}}}]'), r"modules\.json names .*" + told)
            for path, told in (
                ("5", "by what is no path"),
                ("null", "by what is no path"),
                ('"a\\u0000b"', "by what is no path"),
                ('"../../../etc"', "which leads out of"),
                ('"/etc"', "which leads out of"),
                (f'"{LONG}"', "by what is no path"),
            )
        ),
        (
            written(PROMPTS, '{"prompts": {"query": 3}}'),
            r"config_sentence_transformers\.json does not give",
        ),
        (
            written(PROMPTS, '{"prompts": {"a": "b"}, "default_prompt_name": [1]}'),
            r"config_sentence_transformers\.json does not give",
        ),
        (written(POOLING, '{"pooling_mode": [{}]}'), r"1_Pooling/config\.json asks for a pooling that"),
        (written(POOLING, '{"pooling_mode_max_tokens": true}'), r"1_Pooling/config\.json asks for a pooling that"),
        (
            written(POOLING, '{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": true}'),
            r"1_Pooling/config\.json asks for a pooling that",
        ),
        (
            written("modules.json", '[{"type": "x.Transformer", "path": ""}, {"type": "x.Dense", "path": "2_Dense"}]'),
            r"model\.onnx does not apply the model's last step, Dense,",
        ),
    ],
)
def test_what_cannot_be_used_is_told_in_one_line_that_names_the_file(tmp_path: Path, spoil: Any, told: str) -> None:
    folder = make_model(tmp_path / "model", ROWS)
    spoil(folder)
    with pytest.raises(EmbeddingError, match=told) as caught:
        passage(folder)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("?file=../model/model.onnx", r"\?file= names .*, which leads out of"),
        ("?file=/etc/hostname", r"\?file= names .*, which leads out of"),
        ("?file=%00", r"\?file= names .* by what is no path"),
        (f"?file={LONG}", r"\?file= names .* by what is no path"),
        (f"?file={LONG[:300]}", r"cannot be read as a model's folder"),
        (f"/{LONG}", r"cannot be read as a model's folder"),
    ],
)
def test_a_name_that_no_file_can_have_is_told_in_one_line(tmp_path: Path, options: str, told: str) -> None:
    folder = make_model(tmp_path / "model", ROWS)
    with pytest.raises(EmbeddingError, match=told) as caught:
        passage(folder, options)
    assert str(caught.value).isprintable()


def test_what_could_be_meant_is_not_looked_for_all_the_way_down(tmp_path: Path) -> None:
    make_model(tmp_path, ROWS, file="a/b/c/model.onnx")
    with pytest.raises(EmbeddingError, match=r"neither model\.onnx nor onnx/model\.onnx$"):
        passage(tmp_path)


@pytest.mark.parametrize("options", ["", "?pooling=cls", "?pooling=last"])
@pytest.mark.parametrize(
    ("output", "told"), [("no_tokens", "of shape"), ("no_width", "of shape"), ("pieces", "in pieces")]
)
def test_a_model_that_gives_nothing_or_pieces_is_refused(tmp_path: Path, output: str, told: str, options: str) -> None:
    make_model(tmp_path, ROWS, outputs=(output,))
    with pytest.raises(EmbeddingError, match=rf"model\.onnx gives '{output}' {told}"):
        passage(tmp_path, options)


def test_a_model_that_gives_nothing_prints_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    make_model(tmp_path, ROWS, outputs=("no_tokens",))
    with pytest.raises(EmbeddingError):
        passage(tmp_path)
    assert capfd.readouterr() == ("", "")


def test_a_model_that_gives_no_vectors_is_refused(tmp_path: Path) -> None:
    make_model(tmp_path, ROWS, outputs=("scores",))
    with pytest.raises(EmbeddingError, match=r"model\.onnx gives 'scores' of shape .* neither a vector a text nor"):
        passage(tmp_path)


def test_a_model_that_asks_for_something_else_is_refused(tmp_path: Path) -> None:
    make_model(tmp_path, ROWS, inputs=("input_ids", "pixel_values"))
    with pytest.raises(EmbeddingError, match=r"model\.onnx asks for 'pixel_values', tensor\(int64\): Palace gives"):
        passage(tmp_path)


@pytest.mark.parametrize("number", [np.nan, np.inf, 0])
def test_a_vector_without_direction_is_refused(tmp_path: Path, number: float) -> None:
    make_model(tmp_path, np.full((30_522, 8), number, np.float32))
    with pytest.raises(EmbeddingError, match=r"model\.onnx gave a vector that is not finite, or all zeros"):
        passage(tmp_path)


def test_a_token_that_the_model_does_not_know_is_told(tmp_path: Path) -> None:
    make_model(tmp_path, ROWS[:100])
    with pytest.raises(EmbeddingError, match=r"model\.onnx does not run: ") as caught:
        passage(tmp_path)
    assert str(caught.value).isprintable()


def test_another_dimension_than_the_one_that_is_known_is_refused(tmp_path: Path) -> None:
    make_model(tmp_path, ROWS)
    with pytest.raises(EmbeddingError, match=r"model\.onnx gives vectors of 16 numbers instead of 24"):
        LocalEmbedder(f"local:{tmp_path}", dimension=24).embed_passages([TEXT])


def test_nothing_is_printed_of_what_fails(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    cut_short(make_model(tmp_path, ROWS))
    with pytest.raises(EmbeddingError):
        passage(tmp_path)
    assert capfd.readouterr() == ("", "")
