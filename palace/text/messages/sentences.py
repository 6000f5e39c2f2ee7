"""Cut what a person says into sentences, which are embedded in place of the passages they stand in.

A message of a person often says several things in passing; a vector of each is found where the message's is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from palace.records import Span
from palace.text.passages import LINE_END, SENTENCE_END, pieces

LONGEST_MESSAGE = 6000
"""Characters beyond which a text is a pasted document, not speech."""

MOST_SENTENCES = 60
SHORTEST_SENTENCE = 25
"""Characters; what is shorter says too little alone ("Thanks!") and goes with its neighbour."""

# Code is left out as a line end is; a fence that is not closed reaches to the end.
_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_END = re.compile(f"{SENTENCE_END.pattern}|{LINE_END.pattern}")


def split_sentences(content: str) -> tuple[Span, ...]:
    """Cut a message into its sentences: none where there is but one, nor for one of more than 6,000 characters.

    A sentence ends where it does for passages, and with the line. One of fewer than 25 characters is joined to the one
    before, the first to the next. Blocks of code are left out. Spans are
    in order, at most 60, without overlap, and start and end with something visible. Takes time linear in the length.
    """
    if len(content) > LONGEST_MESSAGE:
        return ()
    sentences: list[Span] = []
    for stretch in _stretches(content):
        sentences += (span for span in _joined(content, stretch) if span.end - span.start >= SHORTEST_SENTENCE)
        if len(sentences) >= MOST_SENTENCES:
            break
    return tuple(sentences[:MOST_SENTENCES]) if len(sentences) > 1 else ()


def _stretches(content: str) -> Iterator[Span]:
    """Find what stands before, between and behind blocks of code."""
    start = 0
    for code in _CODE.finditer(content):
        yield Span(start, code.start())
        start = code.end()
    yield Span(start, len(content))


def _joined(content: str, stretch: Span) -> list[Span]:
    """Cut a stretch, and join what is short to a neighbour; white space between the two is kept."""
    joined: list[Span] = []
    for piece in pieces(content, stretch, _END):
        is_short = piece.end - piece.start < SHORTEST_SENTENCE
        first_is_short = len(joined) == 1 and joined[0].end - joined[0].start < SHORTEST_SENTENCE
        if joined and (is_short or first_is_short):
            joined[-1] = Span(joined[-1].start, piece.end)
        else:
            joined.append(piece)
    return joined
