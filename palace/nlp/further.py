"""Search words that Postgres's parser misses: parts of names and codes, n-grams of scripts without spaces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from palace.nlp.rules import late, rules

MOST_WORDS = 2500
"""Most further words of a passage; enough for its 2,000 characters in a script without spaces."""
MOST_ASKED = 32


LONGEST = 120
"""Most characters of a compound word; a longer one is data, not a name."""
MOST_PARTS = 12
"""Most parts of a compound word; more are encoded data, which changes its case at every third letter."""

_COMPOUND = re.compile(r"[\w./@:\\#+-]+")
_LEVEL = re.compile(r"[/@:\\]+")
_JOINT = re.compile(r"[._#+-]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORDLIKE = re.compile(r"[^\W\d_]{2}")
_HYPHENED = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_EDGES = "._#+-"
_HAN = "\u3005\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HIRAGANA = "\u3041-\u3096\u309d\u309e"
_KATAKANA = "\u30a1-\u30fa\u30fc-\u30fe\u31f0-\u31ff\uff66-\uff9f"
_SOUTHERN = "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0eff\u1000-\u109f\u1780-\u17d3"
"""Thai, Lao, Burmese and Khmer: alphabets, which need n-grams of three letters instead of two."""

UNSPACED = late(f"[{_HAN}{_HIRAGANA}{_KATAKANA}{_SOUTHERN}]+")
_SEGMENT = late(f"[{_HAN}]+|[{_HIRAGANA}]+|[{_KATAKANA}]+|[{_SOUTHERN}]+")
_RUN = late(f"[{_HAN}{_HIRAGANA}{_KATAKANA}]+|[{_SOUTHERN}]+")
_ENDING = late(f"[{_HAN}][{_HIRAGANA}]")
_IS_HAN = late(f"[{_HAN}]")
_IS_SOUTHERN = late(f"[{_SOUTHERN}]")


class FurtherWords(NamedTuple):
    """A query, split into the words to search for."""

    text: str
    """Text for Postgres's parser, without scripts that have no spaces."""
    parts: tuple[str, ...]
    """Parts of the query's names and codes."""
    grams: tuple[str, ...]
    """N-grams of its scripts without spaces."""


def further_words(text: str) -> tuple[str, ...]:
    """List the words of a passage that Postgres's parser misses, without duplicates, at most 2,500."""
    return tuple(dict.fromkeys((*parts_of(text), *grams_of(text))))[:MOST_WORDS]


def words_asked(query: str) -> FurtherWords:
    """Split a query into text for Postgres's parser and at most 32 parts and 32 n-grams that it misses."""
    parts = tuple(dict.fromkeys(parts_of(query)))[:MOST_ASKED]
    return FurtherWords(UNSPACED.sub(" ", query), parts, tuple(grams_asked(query))[:MOST_ASKED])


def parts_of(text: str) -> Iterator[str]:
    """Yield the parts of the compound words of a text, in lower case and in order, with repetitions.

    ``src/app/main.py`` gives src, app, main.py, main and py; ``getUserName`` get, user and name; ``PROJ-4412`` proj
    and 4412. Left out are parts of one character, numbers of fewer than three digits, words with hyphens alone, which
    Postgres's parser splits, and compounds of more than 12 parts. Takes time linear in the length.
    """
    for run in _COMPOUND.findall(text):
        is_one_word = run.isalpha() and run[1:].islower()
        if not is_one_word and len(run) <= LONGEST:
            yield from _parts(run.strip("./@:\\#+-"))


def _parts(run: str) -> Iterator[str]:
    if not _WORDLIKE.search(run) or (_HYPHENED.fullmatch(run) and not _HUMP.search(run)):
        return
    parts = [part.lower() for part in _split(run) if len(part) > 1 and not (part.isdigit() and len(part) < 3)]
    if len(parts) <= MOST_PARTS:
        yield from (part for part in parts if part != run.lower())


def _split(run: str) -> Iterator[str]:
    levels = [level.strip(_EDGES) for level in _LEVEL.split(run)]
    for level in levels:
        if len(levels) > 1 and "." in level:
            yield level
        for piece in _JOINT.split(level):
            humps = _HUMP.split(piece)
            if len(humps) > 1:
                yield piece
            yield from humps


def grams_of(text: str) -> Iterator[str]:
    """Yield the n-grams by which a text without spaces is indexed, in order and with repetitions.

    These are pairs of neighbouring ideographs or kana, single ideographs, and three neighbouring letters of an alphabet
    without spaces; a shorter run is taken whole. At most two for each character.
    """
    for run in _RUN.finditer(text):
        yield from _grams(run[0])
        yield from (character for character in run[0] if _IS_HAN.match(character) and len(run[0]) > 1)


def grams_asked(text: str) -> list[str]:
    """List the n-grams of a query, without duplicates and grammatical ones; all of them where no other is left.

    A change of script ends a word: no n-gram of a query spans ideographs and the kana behind them, which inflect them.
    """
    segments = [(run[0], bool(_ENDING.match(text, max(run.start() - 1, 0)))) for run in _SEGMENT.finditer(text)]
    grams = list(dict.fromkeys(gram for segment, _ in segments for gram in _grams(segment)))
    telling = [gram for segment, is_ending in segments if not is_ending for gram in _grams(segment)]
    telling = [
        gram
        for gram in dict.fromkeys(telling)
        if gram not in rules("words").words("unspaced") and not _is_one_kana(gram)
    ]
    return telling or grams


def _is_one_kana(gram: str) -> bool:
    return len(gram) == 1 and not _IS_HAN.match(gram)


def _grams(run: str) -> Iterator[str]:
    size = 3 if _IS_SOUTHERN.match(run) else 2
    if len(run) <= size:
        yield run
    else:
        yield from (run[place : place + size] for place in range(len(run) - size + 1))
