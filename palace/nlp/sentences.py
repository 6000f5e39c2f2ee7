"""Split a person's messages into sentences, which are embedded in place of the passages that contain them.

A message often makes several points; a vector of each sentence is found where the message's vector is not.
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
"""Most characters of a message that is split; a longer one is a pasted document."""

MOST_SENTENCES = 60
SHORTEST_SENTENCE = 25
"""Fewest characters of a sentence; a shorter one ("Thanks!") is joined to its neighbour."""

# An unclosed code fence reaches to the end of the text.
_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_END = re.compile(f"{SENTENCE_END.pattern}|{LINE_END.pattern}")


def split_sentences(content: str) -> tuple[Span, ...]:
    """Split a message into sentences; () for a single sentence and for more than 6,000 characters.

    A sentence ends as in passages, and at a line end. One of fewer than 25 characters is joined to the one before,
    the first to the next. Code blocks are left out. Spans are in order, at most 60, without overlap, and start and
    end with a visible character. Takes time linear in the length.
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
    """Yield the spans before, between and behind code blocks."""
    start = 0
    for code in _CODE.finditer(content):
        yield Span(start, code.start())
        start = code.end()
    yield Span(start, len(content))


def _joined(content: str, stretch: Span) -> list[Span]:
    """Split a span into sentences, and join short ones to a neighbour with the white space between them."""
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
"""Most characters of a passage outside its sentences, white space included, at which it gets no vector."""

FARTHEST = timedelta(days=3653)
"""Ten years: the length of a stretch of time that is open at one side ("before 2020")."""

_SHORT = 300
"""Characters below which a message of unknown language may be German."""


def index_message(content: str, role: Role, said_at: datetime | None) -> MessageIndex:
    """Build the index entries of a message: passages, sentences, times and language.

    A message that is split into sentences is embedded by these alone, which was measured to find it as well as both.
    Sentences and times are read only from users' messages, and not from pasted documents (more than 6,000 characters);
    times need ``said_at``. Of a message that is not split, at most 200 passages are embedded: the first hundred, and
    others at equal distances.
    A tool's message has no language.
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
    """Return the kinds of the passages of a message that is not split into sentences."""
    half = intake.MOST_VECTORS // 2
    if role is Role.TOOL or count <= 2 * half:
        return [PassageKind.TOOL if role is Role.TOOL else PassageKind.WHOLE] * count
    kinds = [PassageKind.WHOLE] * half + [PassageKind.KEYWORDS] * (count - half)
    for at in range(half):
        kinds[half + (at + 1) * (count - half) // half - 1] = PassageKind.WHOLE
    return kinds


def _is_left(passage: Span, sentences: Sequence[Span]) -> bool:
    """Check whether a passage needs a vector of its own: its sentences leave out a longer part, such as code."""
    told = sum(max(0, min(span.end, passage.end) - max(span.start, passage.start)) for span in sentences)
    return not sentences or passage.end - passage.start - told > LEFT_OUT


def _stretches_index(content: str, said_at: datetime | None, language: str | None) -> Iterator[Stretch]:
    # Some programs write the year 1 for an unknown time.
    if said_at is None or not EARLIEST.year < said_at.year < LATEST.year:
        return
    # Postgres keeps the moment without its zone: in UTC, a rebuild reads the same times.
    now = said_at.astimezone(UTC)
    is_german = language == "de" or (language is None and len(content) < _SHORT)

    def find(tense: Tense) -> Sequence[TimeWindow]:
        return (find_times_asked if is_german else find_times)(content, now, tense=tense)

    for window in directed(content, now, find):
        yield _stretch(window)


def _stretch(window: TimeWindow) -> Stretch:
    """Widen a window by its softness; an open side is cut at ten years."""
    start, end = window.start, window.end
    if start.date() == EARLIEST:
        start = max(start, end - FARTHEST)
    if end.date() == LATEST:
        end = min(end, start + FARTHEST)
    return Stretch(start - window.softness, end + window.softness)
