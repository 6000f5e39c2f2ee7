"""A message as its words and names, each name one part. Pure."""

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
        """Check whether it is a word that is no name."""
        return self.name is None and self.text[:1].isalpha()

    def is_any(self, *lists: str) -> bool:
        """Check whether it is a word of one of some lists of the data."""
        return any(self.text in RULES.words(each) for each in lists)

    @property
    def ends(self) -> bool:
        """Check whether it ends what was said before it."""
        return self.name is None and RULES["stop"].fullmatch(self.text) is not None


END = Part("")
"""What stands beyond either end of a message."""
_SUPPOSED = ("if", "wenn", "falls")


class Parts:
    """The parts of a message; beyond its ends stands ``END``."""

    def __init__(self, content: str, names: Names, language: str | None) -> None:
        """Split a message; a full stop is put between sentences that end without a mark."""
        self._parts: list[Part] = []
        self.sentences = list(sentences_of(content))
        for number, sentence in enumerate(self.sentences):
            if self._parts and (self._parts[-1].is_word or self._parts[-1].name is not None):
                self._parts.append(Part(".", sentence=number))
            self._add(sentence, names, number, is_english=not is_german(sentence.text, language))
        self._supposed = {part.sentence for part in self._parts if part.text in _SUPPOSED}

    def is_supposed(self, place: int) -> bool:
        """Check whether what a sentence says is asked in it, or depends on a condition."""
        sentence = self._parts[place].sentence
        return sentence in self._supposed or self.sentences[sentence].is_asked

    def closes(self, place: int) -> bool:
        """Check whether what stands at a place ends what was said beside a name, so that no list goes on."""
        goes_on = self[place].text == "," and self[place + 1].text in ("and", "und", "or", "oder")
        return self[place].ends and not goes_on

    def texts(self, start: int, end: int) -> str:
        """Return the parts from a place up to another, parted by spaces."""
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
                # A contraction is its words; what is only written in haste stays as it is written.
                is_whole = shared[word.start] == 1 and not word.text.startswith("'")
                text = sentence.folded[word.start : word.end] if is_whole else word.lower
                self._parts.append(Part(text, sentence=number))
