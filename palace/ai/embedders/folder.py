"""Reading of a model's folder in the layout of sentence-transformers.

The files: ``modules.json`` names the steps, ``1_Pooling/config.json`` says how tokens become one vector,
``sentence_bert_config.json`` how many tokens are read, ``config_sentence_transformers.json`` the prefixes of texts. All
are optional; only the model and its tokenizer are required.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from glob import escape
from pathlib import Path, PurePath
from typing import Any

from palace.ai.embedders.names import MOST_TOKENS, Options
from palace.errors import EmbeddingError

MODEL_FILES = ("model.onnx", "onnx/model.onnx")
TOKENIZER = "tokenizer.json"
USUAL_TOKENS = 512
"""Tokens read of a text where no file says how many: what most models were trained with."""

DIGEST_LETTERS = 16
APPLIED = ("Transformer", "Pooling", "Normalize")
"""Steps that Palace does itself: the model, its pooling, and normalisation, which every vector gets."""

_POOLINGS = {
    "mean_tokens": "mean",
    "mean_sqrt_len_tokens": "mean",  # the same direction
    "cls_token": "cls",
    "lasttoken": "last",
    "mean": "mean",
    "cls": "cls",
}


Stamp = tuple[str, int, int]
"""Name, size and modification time of a file."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything that decides which vectors a model gives."""

    model: Path
    tokenizer: Path
    pooling: str | None
    """"mean", "cls" or "last"; None takes the model's own sentence vectors where it gives them, else the mean."""
    query_prefix: str
    passage_prefix: str
    max_tokens: int
    lowers: bool
    """Whether texts are lower-cased first."""
    unapplied: str
    """A step after pooling that Palace cannot do and only the model itself could; empty if there is none."""
    stamps: tuple[Stamp, ...] = ()
    """Stamp of each deciding file, which shows whether one was replaced."""


def read_recipe(folder: Path, options: Options) -> Recipe:
    """Read a model's folder; the options override its files.

    Raises:
        EmbeddingError: the model or its tokenizer is missing, or a file is unreadable or malformed.
    """
    try:
        return _read_recipe(folder, options)
    except OSError as problem:
        raise EmbeddingError(f"{str(folder)[:200]} cannot be read as a model's folder: {problem.strerror}") from problem


def _read_recipe(folder: Path, options: Options) -> Recipe:
    if not folder.is_dir():
        raise EmbeddingError(f"{folder}: there is no such folder of a model")
    model = _find_model(folder, options.file)
    steps = _steps(folder)
    tokenizer = _first(folder / part / TOKENIZER for part in ("", *steps.values(), "onnx"))
    if tokenizer is None:
        raise EmbeddingError(f"{folder / TOKENIZER} is missing: a model needs the tokenizer it was trained with")
    prompts = _prompts(folder / "config_sentence_transformers.json")
    sizes = _object(folder / steps.get("Transformer", "") / "sentence_bert_config.json")
    recipe = Recipe(
        model=model,
        tokenizer=tokenizer,
        pooling=options.pooling or _pooling(folder / steps.get("Pooling", "1_Pooling") / "config.json"),
        query_prefix=prompts["query"] if options.query_prefix is None else options.query_prefix,
        passage_prefix=prompts["passage"] if options.passage_prefix is None else options.passage_prefix,
        max_tokens=options.max_tokens or _max_tokens(sizes, tokenizer.parent),
        lowers=sizes.get("do_lower_case") is True,
        unapplied=next((step for step in steps if step not in APPLIED), ""),
    )
    return replace(recipe, stamps=tuple(_stamp(file) for file in _deciding(recipe)))


@cache
def digest_of(recipe: Recipe) -> str:
    """Return 16 letters of a digest of all that decides a passage's vector; a query's prefix is no part of it.

    Raises:
        EmbeddingError: a file cannot be read.
    """
    files = [_sha256(file) for file in _deciding(recipe)]
    decisions = [recipe.pooling, recipe.passage_prefix, recipe.max_tokens, recipe.lowers]
    return hashlib.sha256(json.dumps([files, decisions]).encode()).hexdigest()[:DIGEST_LETTERS]


def _deciding(recipe: Recipe) -> list[Path]:
    """List the files that decide the vectors: the model, its external weights, and the tokenizer.

    Files named like weights of the model (``model.onnx_data``) count whether it refers to them or not: they always did,
    and recorded digests must not change.
    """
    beside = recipe.model.parent.glob(f"{escape(recipe.model.name)}[_.]*data*")
    numbers = external_files(recipe.model, _stamp(recipe.model))
    return [recipe.model, *sorted({*beside, *numbers}), recipe.tokenizer]


def _find_model(folder: Path, wanted: str | None) -> Path:
    if wanted is not None:
        named = file_within(folder, wanted, "?file=")
        if not named.is_file():
            raise EmbeddingError(f"{named} is missing")
        return named
    found = _first(folder / file for file in MODEL_FILES)
    if found is None:
        # Not recursive: the folder may be any, even the root of the disk.
        others = sorted(path.relative_to(folder).as_posix() for at in ("", "*/") for path in folder.glob(f"{at}*.onnx"))
        choice = f": add ?file={others[0]} to the name to use that one" if others else ""
        raise EmbeddingError(f"{folder} holds neither model.onnx nor onnx/model.onnx{choice}")
    return found


def _steps(folder: Path) -> dict[str, str]:
    """Return the steps from text to vector ("Transformer", "Pooling", "Normalize", …), each with its folder."""
    file = folder / "modules.json"
    listed = _json(file)
    if listed is None:
        return {}
    try:
        steps = {each["type"].rpartition(".")[2]: each["path"] for each in listed}
    except (TypeError, LookupError, AttributeError) as problem:
        raise EmbeddingError(f"{file} does not list modules with their types and paths") from problem
    for path in steps.values():
        file_within(folder, path, file)
    return steps


def _pooling(file: Path) -> str | None:
    """Return how tokens become one vector; None where no file says so."""
    settings = _object(file)
    if not settings:
        return None
    modes = settings.get("pooling_mode")
    if modes is None:
        modes = [name.removeprefix("pooling_mode_") for name, value in settings.items() if value is True]
        modes = [mode for mode in modes if mode != "include_prompt"]
    modes = [modes] if isinstance(modes, str) else modes
    known = (
        [_POOLINGS.get(mode) if isinstance(mode, str) else None for mode in modes] if isinstance(modes, list) else []
    )
    if len(known) != 1 or known[0] is None or settings.get("include_prompt") is False:
        raise EmbeddingError(
            f"{file} asks for a pooling that Palace does not have: it has mean, cls and last, of all tokens;"
            " add ?pooling=… to the name if one of them is meant"
        )
    return known[0]


def _prompts(file: Path) -> dict[str, str]:
    settings = _object(file)
    prompts = settings.get("prompts") or {}
    default = settings.get("default_prompt_name") or ""
    texts = [default, *prompts.values()] if isinstance(prompts, dict) else [prompts]
    if not all(isinstance(text, str) for text in texts):
        raise EmbeddingError(f"{file} does not give its prompts as texts")
    names = {"query": ("query", default), "passage": ("document", "passage", "corpus", default)}
    return {kind: next((prompts[name] for name in called if name in prompts), "") for kind, called in names.items()}


def _max_tokens(sizes: Mapping[str, Any], beside: Path) -> int:
    lengths = (sizes.get("max_seq_length"), _object(beside / "tokenizer_config.json").get("model_max_length"))
    return next((int(each) for each in lengths if isinstance(each, int) and 3 <= each <= MOST_TOKENS), USUAL_TOKENS)


def _object(file: Path) -> dict[str, Any]:
    read = _json(file)
    if not isinstance(read, dict | None):
        raise EmbeddingError(f"{file} is not a JSON object")
    return read or {}


def _json(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as problem:
        raise EmbeddingError(f"{file} cannot be read as JSON") from problem


def _first(files: Iterator[Path]) -> Path | None:
    return next((file for file in files if file.is_file()), None)


def _stamp(file: Path) -> Stamp:
    try:
        facts = file.stat()
    except OSError as problem:
        raise EmbeddingError(f"{file} cannot be read: {problem.strerror}") from problem
    return file.name, facts.st_size, facts.st_mtime_ns


def _sha256(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError as problem:
        raise EmbeddingError(f"{file} cannot be read: {problem.strerror}") from problem


@cache
def external_files(model: Path, _stamp: Stamp) -> tuple[Path, ...]:
    """List the external weight files of an ONNX model, beside or below it, sorted by path.

    ``_stamp`` belongs to the cache key: a model that was replaced is read again.

    Raises:
        EmbeddingError: the file is no ONNX model, or refers to a file that is missing or outside its folder.
    """
    # Imported where the bundled model, which needs none of it, is not used.
    from google.protobuf.message import DecodeError

    from palace.ai.embedders.onnx_files import read_model

    try:
        loaded = read_model(model.read_bytes())
    except (OSError, DecodeError) as problem:
        raise EmbeddingError(f"{model} is no ONNX model that can be run: it cannot be read as one") from problem
    entries = [entry for tensor in _tensors(loaded) for entry in tensor.external_data]
    files = sorted({file_within(model.parent, entry.value, model) for entry in entries if entry.key == "location"})
    for file in files:
        if not file.is_file():
            raise EmbeddingError(f"{file} is missing: {model} keeps numbers in it")
    return tuple(files)


def _tensors(model: Any) -> Iterator[Any]:
    """Yield every tensor of a model, however deeply nested, without reading its numbers."""
    waiting = [model]
    while waiting:
        for field, value in waiting.pop().ListFields():
            if field.message_type is None:
                continue
            for each in value if isinstance(value, Sequence) else (value,):
                if field.message_type.name == "TensorProto":
                    yield each
                else:
                    waiting.append(each)


LONGEST_PATH = 1000
"""The most characters in a path that a model's file may name."""


def file_within(folder: Path, named: object, by: object) -> Path:
    """Return the path below ``folder`` that a file or option (``by``) names.

    Links are not resolved: the hub's cache consists of links, and the content behind one counts as the file's.

    Raises:
        EmbeddingError: ``named`` is no path, or leads out of the folder.
    """
    if not isinstance(named, str) or "\0" in named or len(named) > LONGEST_PATH:
        raise EmbeddingError(f"{by} names a file or folder by what is no path")
    path = PurePath(named)
    if path.is_absolute() or ".." in path.parts:
        raise EmbeddingError(f"{by} names {named[:80]!r}, which leads out of {folder}")
    return folder / path
