"""The speaker's own sentences of a message, without code, quotations and pasted documents. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from palace.models import Span
from palace.nlp.passages import LINE_END, SENTENCE_END, pieces
from palace.nlp.sentences import LONGEST_MESSAGE
from palace.nlp.time.vocabulary import fold
from palace.nlp.words import NOT_PROSE

MOST_SENTENCES = 120
LONGEST_SENTENCE = 1200
"""Most characters of a sentence; a longer one is data and is skipped."""

HIDDEN = "\x1a"
"""Replaces each character that is not the speaker's own, so that offsets stay."""

_QUOTED = re.compile(
    r"“[^“”\n]{1,600}”|„[^„“”\"\n]{1,600}[“”\"]|«[^«»\n]{1,600}»|»[^«»\n]{1,600}«|\"[^\"\n]{1,600}\"|(?<![\w'])'[^'\n]{12,600}'(?!\w)"
)
_QUOTED_LINE = re.compile(r"^[ \t]{0,4}(?:>|\|).{0,5000}$", re.MULTILINE)
_LONGEST_NAME = 4
"""Most words in quotation marks that may be a name."""
_SENTENCE = re.compile(r"\b(?:i|i'm|im|you|we|ich|du|wir|is|are|was|ist|bin)\b")
_DAY = (
    r"(?!(?<=\d)\.[ \u00a0](?:jan|januar|jänner|feb|februar|märz|maerz|apr|april|mai|jun|juni|jul|juli|aug|august|sep"
    r"|sept|september|okt|oktober|nov|november|dez|dezember)\b)"
)
"""Keeps the full stop of a German date from ending a sentence, in lower case too: "am 6. september"."""
_END = re.compile(
    f"{_DAY}(?:{SENTENCE_END.pattern})|{LINE_END.pattern}|(?<=[\U0001f300-\U0001faff])[ \t]|"
    "(?<=[ ]full stop)[ ]|(?<=[ ]new line)[ ]"
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a message, in which everything but the speaker's own words is hidden."""

    span: Span
    folded: str
    """The whole message, folded and hidden, with the same offsets as the content."""
    content: str

    @property
    def text(self) -> str:
        return self.folded[self.span.start : self.span.end]

    @property
    def is_asked(self) -> bool:
        return self.text.rstrip(" \t!.)\"'").endswith("?")


def sentences_of(content: str) -> Iterator[Sentence]:
    """Yield the first 120 sentences of a message, in order; none for a document of more than 6,000 characters."""
    if len(content) > LONGEST_MESSAGE:
        return
    folded = _own(content)
    count = 0
    for span in pieces(content, Span(0, len(content)), _END):
        if span.end - span.start <= LONGEST_SENTENCE and count < MOST_SENTENCES:
            count += 1
            yield Sentence(span, folded, content)


def _own(content: str) -> str:
    folded = fold(content)
    for pattern in (NOT_PROSE, _QUOTED_LINE, _QUOTED):
        folded = pattern.sub(_hide, folded)
    return folded


def _hide(found: re.Match[str]) -> str:
    """Hide quoted text, except a name in quotation marks."""
    text = found[0]
    is_name = text[0] in "“„\"«»'" and len(text.split()) <= _LONGEST_NAME and not _SENTENCE.search(text)
    if is_name:
        return " " + text[1:-1] + " "
    return re.sub(r"[^\n]", HIDDEN, text)
