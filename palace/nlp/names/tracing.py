"""Where known names stand in a message: by words, so that a thousand names cost no more than ten."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from palace.nlp.names.capitals import ENGLISH
from palace.nlp.names.lexicon import folded, given_names, is_medicine, is_ordinary, well_known
from palace.nlp.names.page import Page, Token

_PIECES = re.compile(r"[^\W_]+(?:['.&+#_-]?[^\W_]+)*\+{0,2}")
_GAP = re.compile(r"[ \t\n]{1,3}(?:& )?|-|\. |, ?")
_POSSESSIVE = re.compile(r"'s?$")


@lru_cache(1 << 14)
def forms_of(lower: str) -> tuple[str, ...]:
    """Return the folded forms of a lower-case word: as it is, and without a possessive ending if it has one."""
    first = folded(lower)
    return tuple(dict.fromkeys((first, _POSSESSIVE.sub("", first))))


class Traced(NamedTuple):
    """A name at a place."""

    start: int
    end: int
    key: str
    first: int
    """Its first token."""
    last: int
    """The token behind it."""


class Names:
    """Names to look for, each by its key: folded, without article."""

    def __init__(self, keys: Iterable[str], lower: Iterable[str] = (), persons: Iterable[str] = ()) -> None:
        """``lower`` are those of ordinary words which somebody writes without capitals; ``persons`` may bear an s."""
        self._lengths: dict[str, list[int]] = defaultdict(list)
        self._keys: dict[tuple[str, ...], str] = {}
        self._lower, self._bearers = frozenset(lower), frozenset(persons)
        for key in keys:
            words = tuple(_PIECES.findall(key))
            if words and words not in self._keys:
                self._keys[words] = key
        for length, first in sorted({(len(words), words[0]) for words in self._keys}, reverse=True):
            self._lengths[first].append(length)
        self._needs_capital = {
            key
            for words, key in self._keys.items()
            if all(is_ordinary(word) or len(word) < 3 for word in words) and not is_medicine(words[0])
        }

    def trace(self, page: Page) -> Iterator[Traced]:
        """Find the names in a page, in order, of those that overlap the longest."""
        tokens = page.tokens
        place = 0
        while place < len(tokens):
            found = self._at(page, place)
            if found is None:
                place += 1
                continue
            length, traced = found
            yield traced
            place += length

    def _at(self, page: Page, place: int) -> tuple[int, Traced] | None:
        token = page.tokens[place]
        forms = forms_of(token.lower)
        if forms[-1].endswith("s") and forms[-1][:-1] in self._bearers and page.is_lower:
            forms = (*forms, forms[-1][:-1])
        for form in filter(self._lengths.__contains__, forms):
            for words in self._beginning(page, place, form):
                if (end := self._end(page, place, words, form)) is not None:
                    return len(words), Traced(token.start, end, self._keys[words], place, place + len(words))
        return None

    def _beginning(self, page: Page, place: int, first: str) -> Iterator[tuple[str, ...]]:
        """Find the names that may begin at a token by their words, the longest first."""
        for length in self._lengths.get(first, ()):
            words = (first, *(folded(each.lower) for each in page.tokens[place + 1 : place + length]))
            bare = (*words[:-1], _POSSESSIVE.sub("", words[-1]) if words[1:] else first)
            yield from (each for each in dict.fromkeys((words, bare)) if each in self._keys)

    def _end(self, page: Page, place: int, words: tuple[str, ...], first: str) -> int | None:
        """Return where a name ends that begins at a token; None if its words are not written as a name."""
        tokens = page.tokens[place : place + len(words)]
        if not self._is_written(page, tokens, self._keys[words]):
            return None
        if not all(_GAP.fullmatch(page.text[one.end : other.start]) for one, other in pairwise(tokens)):
            return None
        last = tokens[-1]
        if len(words) == 1:
            return last.start + len(first) if len(folded(last.lower)) == len(last.text) else last.end
        return last.end - (len(last.text) - len(words[-1]) if folded(last.lower) != words[-1] else 0)

    def _is_written(self, page: Page, tokens: tuple[Token, ...], key: str) -> bool:
        """Check whether it is written as a name: ordinary words need their capitals, unless the writer has none."""
        if len(key) < 4 and not tokens[0].has_inner_capital:
            is_sure = not tokens[0].begins or (key in given_names() and not is_ordinary(key))
            is_title = tokens[0].is_capital and is_sure and key not in well_known()
            return tokens[0].text.isupper() or is_title or (key in self._lower and page.is_persons)
        if key not in self._needs_capital:
            is_given = page.is_persons and page.language == "de" and key in given_names()
            return page.language in ENGLISH or tokens[0].is_capital or is_given or key in self._lower
        if all(
            token.is_capital or token.text.isdigit() or token.lower in ("of", "and", "the", "for", "on")
            for token in tokens
        ):
            return not (page.is_shouted or (tokens[0].text.isupper() and len(tokens[0].text) > 3))
        return key in self._lower and page.is_persons
