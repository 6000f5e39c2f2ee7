"""A message as its words and names, each name one part. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from palace.models.claims import NamedSpan
from palace.nlp.aliases.tokens import tokenize
from palace.nlp.claims.german import is_german
from palace.nlp.claims.message import Names
from palace.nlp.claims.sentence import HIDDEN, Sentence, sentences_of


class Part(NamedTuple):
    """A word, a mark or a name."""

    text: str
    """Folded."""
    name: NamedSpan | None = None
    owns: bool = False
    """Whether it is a name with a possessive ending."""
    sentence: int = 0
    """Which of the message it stands in."""

    @property
    def is_word(self) -> bool:
        """Whether it is a word that is no name."""
        return self.name is None and self.text[:1].isalpha()


END = Part("")
"""What stands beyond either end of a message."""
_SUPPOSED = ("if", "wenn", "falls")


class Parts:
    """The parts of a message; beyond its ends stands ``END``."""

    def __init__(self, parts: Sequence[Part], sentences: Sequence[Sentence]) -> None:
        self._parts = parts
        self.sentences = sentences
        self._supposed = {part.sentence for part in parts if part.text in _SUPPOSED}

    def is_supposed(self, place: int) -> bool:
        """Tell whether what a sentence says is asked in it, or depends on a condition."""
        sentence = self._parts[place].sentence
        return sentence in self._supposed or self.sentences[sentence].is_asked

    def __getitem__(self, place: int) -> Part:
        return self._parts[place] if 0 <= place < len(self._parts) else END

    def __len__(self) -> int:
        return len(self._parts)


def parts_of(content: str, names: Names, language: str | None) -> Parts:
    """List the parts of a message, in order; a full stop is put between sentences that end without a mark."""
    parts: list[Part] = []
    sentences = list(sentences_of(content))
    for number, sentence in enumerate(sentences):
        if parts and (parts[-1].is_word or parts[-1].name is not None):
            parts.append(Part(".", sentence=number))
        parts += _parts(sentence, names, number, is_english=not is_german(sentence.text, language))
    return Parts(parts, sentences)


def _parts(sentence: Sentence, names: Names, number: int, *, is_english: bool) -> list[Part]:
    parts: list[Part] = []
    beyond = 0
    for token in tokenize(sentence.text, sentence.content, sentence.span.start, is_english=is_english):
        if token.end <= beyond:
            continue
        name = names.at(token.start) if token.text != HIDDEN else None
        if name is None:
            parts.append(Part(token.text, sentence=number))
            continue
        parts.append(Part(token.text, name, token.end > name.end and token.text.endswith("s"), number))
        beyond = max(name.end, token.end)
    return parts
