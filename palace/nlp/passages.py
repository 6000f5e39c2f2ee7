"""Split a drawer's content into passages: spans small enough to be embedded and indexed on their own.

A passage fits the input of the bundled model, whichever model embeds it, so that passages outlive a change of model.
Token counts of parts add up because parts meet only where the tokenizer splits as well: at white space, at
punctuation and around ideographs.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from palace.models import Span
from palace.models.wordpiece import MAX_TOKENS, tokenizer, well_formed

PASSAGE_TOKENS = MAX_TOKENS - 2
"""Most WordPiece tokens of a passage; the model adds two special tokens."""

PASSAGE_CHARACTERS = 2000
"""Most code points of a passage."""

OVERLAP_TOKENS = 40
"""Most tokens that a passage repeats of the one before it."""

OVERLAP_CHARACTERS = 400
"""Most code points that a passage repeats of the one before it."""

# Word separators of the tokenizer: white space, except the control characters that it deletes.
_SPACE = r"[^\S\x0b\x0c\x1c-\x1f\x85]"
_INK = r"[\S\x0b\x0c\x1c-\x1f\x85]"

_ABBREVIATION = "".join(rf"(?<!\b{short})" for short in ("Mr", "Ms", "Mrs", "Dr", "St", "vs", r"e\.g", r"i\.e"))
_LIST_NUMBER = r"(?<!\n\d)(?<!\n\d\d)"
_CLOSING = r"[\"'”’»)\]*_]{0,4}"
_GERMAN_MONTH = "Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember"
_GERMAN_DAY = rf"(?!(?<=\d)\.[ \u00a0](?:{_GERMAN_MONTH})\b)"
"""Keeps the full stop of a German date from ending a sentence."""

SENTENCE_END = re.compile(
    rf"(?=[.!?…؟।۔]){_ABBREVIATION}{_LIST_NUMBER}{_GERMAN_DAY}[.!?…؟।۔]{_CLOSING}(?={_SPACE})"
    r"|[。！？｡][」』”）]{0,4}"
    r"|\n[ \t\r]{0,99}\n"
)
LINE_END = re.compile(r"[\n\r\u2028\u2029]")
_GOES_ON = r"(?!(?:(?<=\.\.)\.|…) [a-zß-ÿ])"
"""Keeps dots of hesitation from ending a sentence: "my probation... no, that ended"."""
UNIT_END = re.compile(f"{_GOES_ON}(?:{SENTENCE_END.pattern}|{LINE_END.pattern})")
_WORD_END = re.compile(rf"{_SPACE}+")
_PLAIN = re.compile(r"[ -Z\\-~\n\r\t]*")
"""Text that the tokenizer takes as it is: a bracket may open a special token, "[SEP]"."""
_PIECE = re.compile(r"[A-Za-z0-9]+|[!-~]")
"""What the tokenizer looks up on its own in plain text: a word, or a single punctuation mark."""
_UNBROKEN = re.compile(rf"(?<!{_INK}){_INK}{{{PASSAGE_CHARACTERS + 1},}}")


class _Level(IntEnum):
    """How finely text is split into units; an atom is a word of the tokenizer."""

    WHOLE = 0
    SENTENCE = 1
    LINE = 2
    WORD = 3
    ATOM = 4


_ENDS = {_Level.SENTENCE: SENTENCE_END, _Level.LINE: LINE_END, _Level.WORD: _WORD_END}


class _Unit(NamedTuple):
    """A span that starts and ends with a visible character, and its number of tokens."""

    start: int
    end: int
    tokens: int
    level: _Level


def split_passages(content: str) -> tuple[Span, ...]:
    """Split content into passages of at most 254 WordPiece tokens and 2,000 characters.

    Spans are in order, start and end with a visible character, and together cover every character that is not white
    space; white space alone gives (). A passage ends with a sentence if one ends in its second half, else with a line,
    else with a word, else anywhere. Neighbours share about a sentence, except inside a run without white space that
    is longer than a passage. Takes time linear in the content's length.
    """
    whole = _trimmed(content, 0, len(content))
    if whole is None:
        return ()
    if _surely_fits(content[whole.start : whole.end]):
        return (whole,)
    text = well_formed(content)
    return tuple(span for stretch in _stretches(text) for span in _pack(text, stretch))


def _surely_fits(text: str) -> bool:
    """Check whether a text fits without counting tokens: decomposed, each character is one token at most."""
    if len(text) > PASSAGE_TOKENS:
        return False
    return text.isascii() or len(unicodedata.normalize("NFD", text)) <= PASSAGE_TOKENS


def _trimmed(text: str, start: int, end: int) -> Span | None:
    """Strip white space from a span; None where nothing is left."""
    piece = text[start:end].rstrip()
    visible = len(piece.lstrip())
    return Span(start + len(piece) - visible, start + len(piece)) if visible else None


def _stretches(text: str) -> Iterator[Span]:
    """Split runs without white space that are longer than a passage, at the limit of characters."""
    start = 0
    for run in _UNBROKEN.finditer(text):
        cut = run.start()
        while run.end() - cut > PASSAGE_CHARACTERS:
            cut = _between_clusters(text, cut + PASSAGE_CHARACTERS)
            yield Span(start, cut)
            start = cut
    yield Span(start, len(text))


def _between_clusters(text: str, cut: int) -> int:
    """Move a cut back before a combining mark or joiner to the character it belongs to, by at most 32."""
    for place in range(cut, cut - 32, -1):
        joined = text[place - 1] == "\u200d" or text[place] == "\u200d"
        if not joined and not unicodedata.category(text[place]).startswith("M"):
            return place
    return cut


def _pack(text: str, stretch: Span) -> Iterator[Span]:
    """Fill passages with the coarsest units that fit; split a unit only while a passage is not half full."""
    whole = _trimmed(text, *stretch)
    pending = [iter([_unit(text, whole, _Level.WHOLE)] if whole else [])]
    passage = _Passage(text)
    while pending:
        unit = next(pending[-1], None)
        if unit is None:
            pending.pop()
        elif passage.fits(unit):
            passage.add(unit)
        elif unit.level < _Level.ATOM and not passage.is_half_full:
            pending.append(_parts(text, unit))
        else:
            if passage.has_news:
                yield passage.span
            passage = passage.successor(unit)
            pending.append(iter([unit]))
    if passage.has_news:
        yield passage.span


class _Passage:
    """A passage that is being filled."""

    def __init__(self, text: str, repeated: Iterable[_Unit] = ()) -> None:
        self._text = text
        self._units: list[_Unit] = []
        self._tokens = 0
        for unit in repeated:
            self.add(unit)
        self._repeated = len(self._units)

    @property
    def span(self) -> Span:
        return Span(self._units[0].start, self._units[-1].end)

    @property
    def has_news(self) -> bool:
        return len(self._units) > self._repeated

    @property
    def is_half_full(self) -> bool:
        characters = self.span.end - self.span.start if self._units else 0
        return 2 * self._tokens >= PASSAGE_TOKENS or 2 * characters >= PASSAGE_CHARACTERS

    def fits(self, unit: _Unit) -> bool:
        start = self._units[0].start if self._units else unit.start
        return self._tokens + unit.tokens <= PASSAGE_TOKENS and unit.end - start <= PASSAGE_CHARACTERS

    def add(self, unit: _Unit) -> None:
        self._units.append(unit)
        self._tokens += unit.tokens

    def successor(self, unit: _Unit) -> _Passage:
        """Begin the next passage with as much of this one's tail as leaves room for the unit."""
        tokens, earliest = OVERLAP_TOKENS, self._units[-1].end - OVERLAP_CHARACTERS
        if unit.tokens <= PASSAGE_TOKENS:
            tokens = min(tokens, PASSAGE_TOKENS - unit.tokens)
            earliest = max(earliest, unit.end - PASSAGE_CHARACTERS)
        return _Passage(self._text, _tail(self._text, self._units, tokens, earliest))


def _tail(text: str, units: Sequence[_Unit], tokens: int, earliest: int) -> list[_Unit]:
    """Return the last sentence, or as many of the last smaller units as fit the tokens and characters."""
    taken: list[_Unit] = []
    for unit in reversed(units):
        if unit.tokens > tokens or unit.start < earliest:
            if not taken and unit.level < _Level.ATOM:
                taken = _tail(text, list(_parts(text, unit)), tokens, earliest)
            break
        taken.insert(0, unit)
        tokens -= unit.tokens
        if unit.level <= _Level.SENTENCE:
            break
    return taken


def _parts(text: str, unit: _Unit) -> Iterator[_Unit]:
    """Split a unit into units of the next finer level."""
    level = _Level(unit.level + 1)
    if level is _Level.ATOM:
        return _atoms(text, unit)
    return (_unit(text, piece, level) for piece in pieces(text, Span(unit.start, unit.end), _ENDS[level]))


def pieces(text: str, whole: Span, end: re.Pattern[str]) -> Iterator[Span]:
    """Split a span behind each match and strip the pieces; empty ones are left out."""
    start = whole.start
    for cut in chain((match.end() for match in end.finditer(text, *whole)), [whole.end]):
        piece = _trimmed(text, start, cut)
        if piece is not None:
            yield piece
        start = cut


def _unit(text: str, visible: Span, level: _Level) -> _Unit:
    return _Unit(*visible, _count_tokens(text, visible), level)


def _count_tokens(text: str, span: Span) -> int:
    """Count the tokens of a span; one with too many characters counts as too many tokens, unread."""
    if span.end - span.start > PASSAGE_CHARACTERS:
        return PASSAGE_TOKENS + 1
    counted = text[span.start : span.end]
    if not _PLAIN.fullmatch(counted):
        return _tokens_of(counted)
    return sum(map(_tokens_of_word, _PIECE.findall(counted)))


def _tokens_of(text: str) -> int:
    return len(tokenizer().encode(text, add_special_tokens=False))


_tokens_of_word = lru_cache(8192)(_tokens_of)


def _atoms(text: str, word: _Unit) -> Iterator[_Unit]:
    """Split a word where the tokenizer does: around punctuation and ideographs, keeping marks with letters."""
    encoding = tokenizer().encode(text[word.start : word.end], add_special_tokens=False)
    starts, tokens = [word.start], [0]
    current: int | None = 0
    for number, (offset, _) in zip(encoding.word_ids, encoding.offsets, strict=True):
        if number != current and word.start + offset > starts[-1]:
            starts.append(word.start + offset)
            tokens.append(0)
        current = number
        tokens[-1] += 1
    for start, end, count in zip(starts, [*starts[1:], word.end], tokens, strict=True):
        visible = _trimmed(text, start, end)
        if visible is not None:
            yield _Unit(*visible, count, _Level.ATOM)
