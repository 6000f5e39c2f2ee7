"""The names of models in folders: how they are written, and when two mean the same model."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace.embedding.local.embedder import LocalEmbedder
from palace.embedding.local.names import FOLDER, HUB, LocalName, Options, is_local, is_same_model, pinned, read_name
from palace.embedding.registry import embedder_for
from palace.errors import EmbeddingError
from palace.provider.client import the_client
from palace.settings import Settings
from tests.embedding.tiny import make_model, table

TEXT = st.text(st.characters(codec="utf-8"), max_size=20)
OPTIONS = st.builds(
    Options,
    pooling=st.sampled_from([None, "mean", "cls", "last"]),
    query_prefix=st.none() | TEXT,
    passage_prefix=st.none() | TEXT,
    max_tokens=st.none() | st.integers(3, 8192),
)
NAMES = st.builds(
    LocalName,
    kind=st.just(HUB),
    place=st.from_regex(r"[a-z][\w.-]{0,9}/[a-z][\w.-]{0,9}", fullmatch=True),
    options=OPTIONS,
    digest=st.none() | st.from_regex(r"[0-9a-f]{16}", fullmatch=True),
)


@given(NAMES)
def test_a_name_that_is_written_is_read_again(name: LocalName) -> None:
    assert read_name(str(name)) == name


def test_a_folder_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/home/mara")
    assert str(read_name("local:models/e5")) == f"local:{tmp_path}/models/e5"
    assert str(read_name("local:~/e5")) == "local:/home/mara/e5"


def test_an_option_may_be_written_as_it_is_said() -> None:
    name = read_name("local:/e5?query_prefix=query: &passage_prefix=passage: &pooling=mean")
    assert (name.options.query_prefix, name.options.passage_prefix) == ("query: ", "passage: ")
    assert str(name) == "local:/e5?pooling=mean&query_prefix=query%3A%20&passage_prefix=passage%3A%20"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("local:", "names no model: write local:FOLDER"),
        ("hf:all-mpnet-base-v2", "names no model of the hub: write hf:OWNER/NAME"),
        ("hf:../../etc/passwd", "names no model of the hub"),
        ("local:/m?poolin=cls", "has an option 'poolin': there are file, pooling"),
        ("local:/m?pooling=max", "pooling is one of mean, cls, last"),
        ("local:/m?max_tokens=1", "max_tokens is a number from 3 to"),
        ("local:/m?max_tokens=many", "max_tokens is a number from 3 to"),
        ("local:~nobody-of-that-name/m", "names the home of an account that is not there"),
        ("/models/e5", "names no model: write bundled/all-MiniLM-L6-v2, local:FOLDER or"),
        ("./e5", "names no model: write"),
        ("~/e5", "names no model: write"),
        ("bundled/another", "names no model: write"),
    ],
)
def test_what_names_no_model_is_told(name: str, told: str) -> None:
    with pytest.raises(EmbeddingError, match=told) as caught:
        embedder_for(name, Settings())
    assert str(caught.value).isprintable()


def test_no_model_that_litellm_knows_is_named_so() -> None:
    known = [*the_client().model_cost, *(f"{provider}/" for provider in the_client().provider_list)]
    assert [name for name in known if is_local(name) or name.startswith(("/", ".", "~", "bundled/"))] == []


def name_of(folder: Path, options: str = "") -> str:
    return LocalEmbedder(f"{FOLDER}{folder}{options}").model


def test_a_model_that_lies_elsewhere_is_the_same(tmp_path: Path) -> None:
    here = make_model(tmp_path / "here")
    there = shutil.copytree(here, tmp_path / "there")
    assert name_of(here) != name_of(there)
    assert is_same_model(name_of(here), name_of(there))
    assert pinned(f"local:{there}", name_of(here)) == name_of(there)


def test_another_file_at_the_same_place_is_another_model(tmp_path: Path) -> None:
    before = name_of(make_model(tmp_path))
    after = name_of(make_model(tmp_path, table(16, seed=2)))
    assert not is_same_model(before, after)
    with pytest.raises(EmbeddingError, match=r"model\.onnx is another model, or used .*embeddings switch 'l"):
        LocalEmbedder(before).embed_passages(["a text"])


def test_weights_that_lie_beside_the_model_are_a_part_of_it(tmp_path: Path) -> None:
    make_model(tmp_path)
    (tmp_path / "model.onnx_data").write_bytes(b"weights")
    before = name_of(tmp_path)
    (tmp_path / "model.onnx_data").write_bytes(b"others!")
    assert not is_same_model(before, name_of(tmp_path))


def test_what_decides_the_vectors_of_passages_decides_which_model_it_is(tmp_path: Path) -> None:
    plain = name_of(make_model(tmp_path))
    for option in ("?passage_prefix=passage: ", "?max_tokens=99", "?pooling=cls"):
        assert not is_same_model(plain, name_of(tmp_path, option))
    assert is_same_model(plain, name_of(tmp_path, "?query_prefix=query: "))


def test_a_model_that_changes_after_it_was_named_is_no_longer_used(tmp_path: Path) -> None:
    embedder = LocalEmbedder(f"local:{make_model(tmp_path)}")
    assert embedder.model
    make_model(tmp_path, table(16, seed=2))
    with pytest.raises(EmbeddingError, match="another model"):
        embedder.embed_passages(["a text"])


def test_a_model_of_another_kind_is_another() -> None:
    assert pinned("openai/text-embedding-3-small", "local:/m@0123456789abcdef") is None
    assert pinned("local:/m@fedcba9876543210", "local:/m@0123456789abcdef") is None
    assert pinned("bundled/all-MiniLM-L6-v2", "bundled/all-MiniLM-L6-v2") == "bundled/all-MiniLM-L6-v2"
