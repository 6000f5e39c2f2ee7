"""An English sentence while turns of phrase are read from it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from palace.records import Span
from palace.text.claims.clauses import Sentence
from palace.text.claims.dates import Times, times_of
from palace.text.claims.drafts import Message
from palace.text.claims.english.grammar.complements import Complement, complements
from palace.text.claims.english.grammar.cuts import clauses
from palace.text.claims.phrases import Phrase, phrase_at
from palace.text.claims.tokens import Token

_UNSAID = re.compile(
    r"(?<!\w)(?:not|never|n't|dont|didnt|cant|wont|no|might|may|could|would|should|maybe|perhaps|want|wants|hope|hoping"
    r"|thinking|if|almost|nearly|wish|considering|who said|said|says|told)(?!\w)"
)


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence with its words."""

    tokens: Sequence[Token]
    sentence: Sentence
    message: Message
    number: int

    def place(self, start: int) -> int:
        """Give the place of the first token from a character on."""
        return next((at for at, token in enumerate(self.tokens) if token.start >= start), len(self.tokens))

    def behind(self, place: int) -> list[Complement]:
        return complements(self.tokens, place, self.message.content, self.message.names)

    def phrase(self, place: int) -> Phrase | None:
        return phrase_at(self.tokens, place, self.message.content, self.message.names)

    def window(self, first: int, place: int) -> Span:
        """Give the stretch of the clauses from one token to another."""
        start, end = self.tokens[first].start, self.tokens[-1].end
        for opening, closing in clauses(self.tokens, self.message.names):
            if opening <= first < closing:
                start = self.tokens[opening].start
            if opening <= place < closing:
                end = self.tokens[closing - 1].end
        return Span(start, end)

    def times(self, span: Span, *, ahead: bool = False) -> Times:
        """Read the times of a stretch."""
        return times_of(self.sentence.folded[span.start : span.end], self.message.now, ahead=ahead)[0]

    def is_said(self, span: Span) -> bool:
        """Whether a stretch is neither denied nor only supposed."""
        return _UNSAID.search(self.sentence.folded[span.start : span.end]) is None
