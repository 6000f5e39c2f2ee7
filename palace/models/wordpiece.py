"""The WordPiece tokenizer of BERT uncased, for the bundled model and for measuring passages."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer

MAX_TOKENS = 256
"""Tokens that the bundled model reads at once, including the two special tokens."""

SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


@cache
def tokenizer() -> Tokenizer:
    """Return this process's tokenizer, which neither truncates nor pads.

    It gives the ids of the tokenizer published with sentence-transformers/all-MiniLM-L6-v2. Threads share it, so
    callers must not change its state.
    """
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    vocabulary = _read_vocabulary()
    bert = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100))  # noqa: S106
    bert.normalizer = normalizers.BertNormalizer(lowercase=True)
    bert.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    bert.add_special_tokens(list(SPECIAL_TOKENS))
    bert.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        special_tokens=[(token, vocabulary[token]) for token in ("[CLS]", "[SEP]")],
    )
    return bert


def well_formed(text: str) -> str:
    """Replace lone surrogates, which no tokenizer or provider accepts, by "?"; the length stays the same."""
    if text.isascii():
        return text
    return text.encode("utf-8", errors="replace").decode("utf-8")


def _read_vocabulary() -> dict[str, int]:
    words = files("palace").joinpath("data", "wordpiece.txt").read_text(encoding="utf-8")
    return {word: number for number, word in enumerate(words.rstrip("\n").split("\n"))}
