"""A message split into words, marks and names, each name one part. Pure."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from palace.models.claims import NamedSpan
from palace.nlp.aliases.nouns import RULES
from palace.nlp.claims.german import is_german
from palace.nlp.claims.message import Names
from palace.nlp.claims.sentence import Sentence, sentences_of
from palace.nlp.claims.words import words_of


class Part(NamedTuple):
    """A word, a punctuation mark or a name of a message."""

    text: str
    """The folded text."""
    name: NamedSpan | None = None
    owns: bool = False
    """Whether the part is a name with a possessive ending."""
    sentence: int = 0
    """Index of the sentence in the message."""

    @property
    def is_word(self) -> bool:
        """Check whether the part is a word and not a name."""
        return self.name is None and self.text[:1].isalpha()

    def is_any(self, *lists: str) -> bool:
        """Check whether the part stands in any of these word lists of the data."""
        return any(self.text in RULES.words(each) for each in lists)

    @property
    def ends(self) -> bool:
        """Check whether the part is a mark or word that ends a statement."""
        return self.name is None and RULES["stop"].fullmatch(self.text) is not None


END = Part("")
"""The part at any index outside a message."""
_SUPPOSED = ("if", "wenn", "falls")


class Parts:
    """The parts of a message by index; an index outside gives ``END``."""

    def __init__(self, content: str, names: Names, language: str | None) -> None:
        """Split a message, with a full stop added behind each sentence that has none and that another follows."""
        self._parts: list[Part] = []
        self.sentences = list(sentences_of(content))
        for number, sentence in enumerate(self.sentences):
            if self._parts and (self._parts[-1].is_word or self._parts[-1].name is not None):
                self._parts.append(Part(".", sentence=number))
            self._add(sentence, names, number, is_english=not is_german(sentence.text, language))
        self._supposed = {part.sentence for part in self._parts if part.text in _SUPPOSED}

    def is_supposed(self, place: int) -> bool:
        """Check whether the sentence of a part is a question or has a condition."""
        sentence = self._parts[place].sentence
        return sentence in self._supposed or self.sentences[sentence].is_asked

    def closes(self, place: int) -> bool:
        """Check whether the part at an index ends a statement, and is no comma of a list that goes on with "and"."""
        goes_on = self[place].text == "," and self[place + 1].text in ("and", "und", "or", "oder")
        return self[place].ends and not goes_on

    def texts(self, start: int, end: int) -> str:
        """Join the texts of the parts ``start:end`` with spaces."""
        return " ".join(self[place].text for place in range(start, end))

    def __getitem__(self, place: int) -> Part:
        return self._parts[place] if 0 <= place < len(self._parts) else END

    def __len__(self) -> int:
        return len(self._parts)

    def _add(self, sentence: Sentence, names: Names, number: int, *, is_english: bool) -> None:
        words = words_of(sentence, names, is_english=is_english)
        shared = Counter(word.start for word in words)
        for word in words:
            if word.name is not None:
                name = names.at(word.start) or word.name
                self._parts.append(Part(word.lower, name, sentence=number))
            elif word.text == "'s" and self._parts and self._parts[-1].name is not None:
                self._parts[-1] = self._parts[-1]._replace(owns=True)
            else:
                # A contraction gives its separate words; a casual spelling stays as written.
                is_whole = shared[word.start] == 1 and not word.text.startswith("'")
                text = sentence.folded[word.start : word.end] if is_whole else word.lower
                self._parts.append(Part(text, sentence=number))
