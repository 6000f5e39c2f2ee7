"""Token counts of texts: by the model's own tokenizer where it is installed, otherwise estimated."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from palace.ai.client import find_encoding
from palace.errors import BadRequest
from palace.models.wordpiece import well_formed

if TYPE_CHECKING:
    from tokenizers import Tokenizer

ESTIMATE = "estimate"
"""The name of the estimating counter."""
_WHOLE = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""Bytes estimated as one token each: tokenizers differ most in digits, and text in no language is full of them."""
_HALF = b"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~\n" + bytes(range(0x80, 0x100))
"""Bytes estimated as half a token: punctuation, and those of letters beyond ASCII. All others are a third of one."""
PIECE = 20_000
"""The most characters tokenized at once: time for text without spaces grows with the square of its length."""
REMEMBERED = 20_000
"""The most texts whose count is cached: a conversation is counted again with each turn."""
WORTH = 64
"""The least characters of a text whose count is cached."""


@dataclass(frozen=True, slots=True)
class TokenCounter:
    """Counts the tokens of a text."""

    name: str
    """The tokenizer's name: "o200k_base", that of a file, or "estimate"."""
    is_exact: bool
    """Whether the model's own tokenizer counts; an estimate is rather too high than too low."""
    count: Callable[[str], int]

    @classmethod
    def of(cls, model: str | None) -> TokenCounter:
        """Return the counter for a model, named with its provider or without.

        OpenAI's models are counted exactly, with files that are on this computer; all others, and None, are estimated.
        """
        if model is not None and not isinstance(model, str):
            raise BadRequest(f"model must be a name, not {type(model).__name__}")
        return _estimating() if model is None else _of(model)

    @classmethod
    def from_file(cls, path: str | Path) -> TokenCounter:
        """Return a counter that uses a ``tokenizer.json``, as published with a model on the hub.

        Raises:
            BadRequest: the file cannot be read as one.
        """
        from tokenizers import Tokenizer

        try:
            tokenizer = Tokenizer.from_file(str(path))
        except Exception as problem:  # the bindings raise nothing more specific
            raise BadRequest(f"{path} cannot be read as a tokenizer: {str(problem).splitlines()[0]}") from problem
        return cls(Path(path).name, True, _remembering(_counting_with(tokenizer)))

    @classmethod
    def given(cls, count: Callable[[str], int], *, name: str = "given") -> TokenCounter:
        """Return a counter that uses a function of your own, which is assumed to be exact."""
        if not callable(count):
            raise BadRequest(f"a counter of tokens must be a function, not {type(count).__name__}")
        return cls(name, True, count)


def estimate_tokens(text: str) -> int:
    """Estimate the tokens of a text from its characters, rather too many than too few."""
    data = text.encode("utf-8", "replace")
    fewer = data.translate(None, _WHOLE)
    rest = len(fewer.translate(None, _HALF))
    return len(data) - len(fewer) + -(-(3 * (len(fewer) - rest) + 2 * rest) // 6)


@cache
def _estimating() -> TokenCounter:
    return TokenCounter(ESTIMATE, False, estimate_tokens)


@cache
def _of(model: str) -> TokenCounter:
    encoding = find_encoding(model)
    if encoding is None:
        return _estimating()

    def count(text: str) -> int:
        return sum(len(encoding.encode_ordinary(piece)) for piece in _pieces(well_formed(text)))

    return TokenCounter(encoding.name, True, _remembering(count))


def _counting_with(tokenizer: Tokenizer) -> Callable[[str], int]:
    tokenizer.no_truncation()
    tokenizer.no_padding()

    def count(text: str) -> int:
        pieces = _pieces(well_formed(text))
        return sum(len(tokenizer.encode(piece, add_special_tokens=False).ids) for piece in pieces)

    return count


def _pieces(text: str) -> Iterable[str]:
    start = 0
    while len(text) - start > PIECE:
        space = text.rfind(" ", start + PIECE // 2, start + PIECE)
        end = space if space > 0 else start + PIECE
        yield text[start:end]
        start = end
    yield text[start:]


def _remembering(count: Callable[[str], int]) -> Callable[[str], int]:
    """Cache counts by a digest of the text: the texts may be large and private."""
    known: dict[bytes, int] = {}

    def remembered(text: str) -> int:
        if len(text) < WORTH:
            return count(text)
        key = blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()
        if (tokens := known.get(key)) is None:
            tokens = count(text)
            if len(known) >= REMEMBERED:
                known.clear()
            known[key] = tokens
        return tokens

    return remembered
