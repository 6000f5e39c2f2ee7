"""Reads how the model in a folder is meant to be used, as sentence-transformers writes it down.

The files: ``modules.json`` names the steps, ``1_Pooling/config.json`` says how tokens become one vector,
``sentence_bert_config.json`` how much is read, ``config_sentence_transformers.json`` what stands before a text. All may
be missing, as only the model and its tokenizer may not.
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
"""Tokens that are read where nothing says how many: what most models were trained with."""

DIGEST_LETTERS = 16
APPLIED = ("Transformer", "Pooling", "Normalize")
"""Steps that Palace takes itself: the model, its pooling, and unit length, which every vector gets."""

_POOLINGS = {
    "mean_tokens": "mean",
    "mean_sqrt_len_tokens": "mean",  # the same direction
    "cls_token": "cls",
    "lasttoken": "last",
    "mean": "mean",
    "cls": "cls",
}


Stamp = tuple[str, int, int]
"""Name, size and moment of a file."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """All that decides what vectors a model gives."""

    model: Path
    tokenizer: Path
    pooling: str | None
    """"mean", "cls" or "last"; None takes the model's own sentence vectors where it gives them, else the mean."""
    query_prefix: str
    passage_prefix: str
    max_tokens: int
    lowers: bool
    """Whether texts are put into lower case first."""
    unapplied: str
    """A step after pooling that only the model itself could take; empty if there is none."""
    stamps: tuple[Stamp, ...] = ()
    """Name, size and moment of each file that decides: whether any was replaced since."""


def read_recipe(folder: Path, options: Options) -> Recipe:
    """Read a folder; what the options say goes before what the files say.

    Raises:
        EmbeddingError: the model or its tokenizer is missing, a file is not what its name says, or cannot be read.
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
    """Give the digest of all that decides a passage's vector, 16 letters; what stands before a query is no part of it.

    Raises:
        EmbeddingError: a file cannot be read.
    """
    files = [_sha256(file) for file in _deciding(recipe)]
    decisions = [recipe.pooling, recipe.passage_prefix, recipe.max_tokens, recipe.lowers]
    return hashlib.sha256(json.dumps([files, decisions]).encode()).hexdigest()[:DIGEST_LETTERS]


def _deciding(recipe: Recipe) -> list[Path]:
    """List the files that decide: the model, all that it takes numbers from, and the tokenizer.

    What is called like weights beside it (``model.onnx_data``) counts whether the model says so or not, as it always
    did: recorded digests stay what they are.
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
        # Not all the way down: the folder may be any, the whole disk for one.
        others = sorted(path.relative_to(folder).as_posix() for at in ("", "*/") for path in folder.glob(f"{at}*.onnx"))
        choice = f": add ?file={others[0]} to the name to use that one" if others else ""
        raise EmbeddingError(f"{folder} holds neither model.onnx nor onnx/model.onnx{choice}")
    return found


def _steps(folder: Path) -> dict[str, str]:
    """Read which steps lead to a vector, each with its folder: "Transformer", "Pooling", "Normalize" and others."""
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
    """Read how tokens become one vector; None where nothing says so."""
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
    """Read what stands before queries and passages, by the names that sentence-transformers gives them."""
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
    """Read a file that holds a JSON object; an empty one where there is no file."""
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
    """List the files beside or below an ONNX model that hold numbers of it, in order of their names.

    ``_stamp`` is the model's: a file that was replaced is read again.

    Raises:
        EmbeddingError: the file is no ONNX model, or takes numbers from a file that is missing or not below its folder.
    """
    import onnx

    try:
        loaded = onnx.load(model, format="protobuf", load_external_data=False)
    except Exception as problem:  # protobuf has an error of its own for what is no model
        raise EmbeddingError(f"{model} is no ONNX model that can be run: it cannot be read as one") from problem
    entries = [entry for tensor in _tensors(loaded) for entry in tensor.external_data]
    files = sorted({file_within(model.parent, entry.value, model) for entry in entries if entry.key == "location"})
    for file in files:
        if not file.is_file():
            raise EmbeddingError(f"{file} is missing: {model} keeps numbers in it")
    return tuple(files)


def _tensors(model: Any) -> Iterator[Any]:
    """Find the tensors of a model, wherever they stand in it; their numbers are not looked at."""
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
"""Characters of such a path."""


def file_within(folder: Path, named: object, by: object) -> Path:
    """Return the path below a folder that something (``by``) names.

    What a link there leads to is not looked at: the hub's cache is made of links, and what is read through one counts
    as the file's content.

    Raises:
        EmbeddingError: it is no path, or leads out of the folder.
    """
    if not isinstance(named, str) or "\0" in named or len(named) > LONGEST_PATH:
        raise EmbeddingError(f"{by} names a file or folder by what is no path")
    path = PurePath(named)
    if path.is_absolute() or ".." in path.parts:
        raise EmbeddingError(f"{by} names {named[:80]!r}, which leads out of {folder}")
    return folder / path
