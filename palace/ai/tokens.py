"""How many tokens a text has: by the model's own tokenizer where that is at hand, reckoned from its signs elsewhere."""

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
"""The name of the counter that knows no tokenizer."""
_WHOLE = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""What is reckoned a token each: tokenizers differ most in digits, and text that is no language is full of these."""
_HALF = b"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~\n" + bytes(range(0x80, 0x100))
"""What is reckoned half a token: punctuation, and each byte of letters beyond ASCII. Others are a third of one."""
PIECE = 20_000
"""Characters that a tokenizer is given at once: what it needs for a stretch without spaces grows with its square."""
REMEMBERED = 20_000
"""Texts of which a count is remembered: a history is counted again with each of its turns."""
WORTH = 64
"""Characters from which on a count is worth remembering."""


@dataclass(frozen=True, slots=True)
class TokenCounter:
    """Counts the tokens of a text."""

    name: str
    """Of the tokenizer: "o200k_base", a file's, or "estimate"."""
    is_exact: bool
    """Whether it is the model's own tokenizer that counts; an estimate is rather more than fewer."""
    count: Callable[[str], int]

    @classmethod
    def of(cls, model: str | None) -> TokenCounter:
        """Give the counter for a model, named with its provider or without.

        OpenAI's models are counted exactly, with files that are on this computer; all others, and None, are estimated.
        """
        if model is not None and not isinstance(model, str):
            raise BadRequest(f"model must be a name, not {type(model).__name__}")
        return _estimating() if model is None else _of(model)

    @classmethod
    def from_file(cls, path: str | Path) -> TokenCounter:
        """Count with the ``tokenizer.json`` that a model of the hub is published with.

        Raises:
            BadRequest: the file cannot be read as one.
        """
        from tokenizers import Tokenizer

        try:
            tokenizer = Tokenizer.from_file(str(path))
        except Exception as problem:  # the bindings raise nothing narrower
            raise BadRequest(f"{path} cannot be read as a tokenizer: {str(problem).splitlines()[0]}") from problem
        return cls(Path(path).name, True, _remembering(_counting_with(tokenizer)))

    @classmethod
    def given(cls, count: Callable[[str], int], *, name: str = "given") -> TokenCounter:
        """Count with a function of your own, which is taken for exact."""
        if not callable(count):
            raise BadRequest(f"a counter of tokens must be a function, not {type(count).__name__}")
        return cls(name, True, count)


def estimate_tokens(text: str) -> int:
    """Reckon how many tokens a text has from the characters in it, rather more than fewer."""
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
    """Cut a very long text, behind white space where there is some."""
    start = 0
    while len(text) - start > PIECE:
        space = text.rfind(" ", start + PIECE // 2, start + PIECE)
        end = space if space > 0 else start + PIECE
        yield text[start:end]
        start = end
    yield text[start:]


def _remembering(count: Callable[[str], int]) -> Callable[[str], int]:
    """Remember what was counted, by a digest of the text: the texts themselves may be large, and somebody's."""
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
