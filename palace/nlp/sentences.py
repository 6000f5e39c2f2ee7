"""Cut what a person says into sentences, which are embedded in place of the passages they stand in.

A message of a person often says several things in passing; a vector of each is found where the message's is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from palace.models import MessageIndex, NewPassage, PassageKind, Role, Span, Stretch, intake
from palace.nlp.direction import directed
from palace.nlp.further import further_words
from palace.nlp.instructions import is_standing
from palace.nlp.languages import tell_language
from palace.nlp.own import own_words
from palace.nlp.passages import LINE_END, SENTENCE_END, pieces, split_passages
from palace.nlp.time import Tense, TimeWindow, find_times, find_times_asked
from palace.nlp.time.periods import EARLIEST, LATEST

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


LEFT_OUT = 100
"""Characters of a passage that may stand in no sentence, white space among them."""

FARTHEST = timedelta(days=3653)
"""Ten years: how far a stretch reaches that is open at a side ("before 2020")."""

_SHORT = 300
"""Characters of a message whose language is not told by its words, which may be German."""


def index_message(content: str, role: Role, said_at: datetime | None) -> MessageIndex:
    """Read from a message what is filed with it.

    What is cut into sentences is embedded by these alone: their vectors were measured to find it as well as both do.
    Sentences and times are read only from what a person says, and from no pasted document (more than 6,000
    characters); times only where it is known when it was said. Of one that is not cut into sentences, at most 200
    passages are embedded: the first hundred, and of the others evenly.
    What a tool was told or returned is in no language.
    """
    passages = split_passages(content)
    language = None if role is Role.TOOL else tell_language(content)
    if role is not Role.USER or len(content) > LONGEST_MESSAGE:
        plain = zip(passages, _kinds(len(passages), role), strict=True)
        return MessageIndex(
            tuple(NewPassage(span, kind, further=_further(content, span)) for span, kind in plain), language=language
        )
    sentences = split_sentences(content)
    said = sentences or passages
    own = own_words(content)
    standing = {span for span in said if is_standing(own[slice(*span)])}
    return MessageIndex(
        passages=(
            *(
                NewPassage(
                    span,
                    PassageKind.WHOLE if _is_left(span, sentences) else PassageKind.KEYWORDS,
                    further=_further(content, span),
                    is_standing=not sentences and span in standing,
                )
                for span in passages
            ),
            *(NewPassage(span, PassageKind.SENTENCE, span in standing) for span in sentences),
        ),
        spoken_of=tuple(_stretches_index(content, said_at, language)),
        language=language,
    )


def _further(content: str, passage: Span) -> tuple[str, ...]:
    return further_words(content[slice(*passage)])


def _kinds(count: int, role: Role) -> Sequence[PassageKind]:
    """Return the kinds of the passages of a message that is not cut into sentences."""
    half = intake.MOST_VECTORS // 2
    if role is Role.TOOL or count <= 2 * half:
        return [PassageKind.TOOL if role is Role.TOOL else PassageKind.WHOLE] * count
    kinds = [PassageKind.WHOLE] * half + [PassageKind.KEYWORDS] * (count - half)
    for at in range(half):
        kinds[half + (at + 1) * (count - half) // half - 1] = PassageKind.WHOLE
    return kinds


def _is_left(passage: Span, sentences: Sequence[Span]) -> bool:
    """Tell whether sentences leave out something of a passage that is worth a vector, such as code."""
    told = sum(max(0, min(span.end, passage.end) - max(span.start, passage.start)) for span in sentences)
    return not sentences or passage.end - passage.start - told > LEFT_OUT


def _stretches_index(content: str, said_at: datetime | None, language: str | None) -> Iterator[Stretch]:
    # Programs write the year 1 for a moment they do not know.
    if said_at is None or not EARLIEST.year < said_at.year < LATEST.year:
        return
    # A rebuild knows the moment, not the zone it was told in: read in one zone, times are the same then.
    now = said_at.astimezone(UTC)
    is_german = language == "de" or (language is None and len(content) < _SHORT)

    def find(tense: Tense) -> Sequence[TimeWindow]:
        return (find_times_asked if is_german else find_times)(content, now, tense=tense)

    for window in directed(content, now, find):
        yield _stretch(window)


def _stretch(window: TimeWindow) -> Stretch:
    """Widen a window by its softness; one that is open at a side reaches ten years to there."""
    start, end = window.start, window.end
    if start.date() == EARLIEST:
        start = max(start, end - FARTHEST)
    if end.date() == LATEST:
        end = min(end, start + FARTHEST)
    return Stretch(start - window.softness, end + window.softness)
