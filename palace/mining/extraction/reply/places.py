"""Where names stand in what was shown of a turn. Pure."""

from __future__ import annotations

import re
from html import unescape

from palace.mining.extraction.windows import SaidTurn, Window

MOST_PLACES = 20
"""Places of one name in one turn."""

WORD = re.compile(r"\w+")
_STOP = re.compile(r"[.!?…](?=\s|$)|\n")


def words_of(window: Window) -> set[str]:
    """Give every word that a person says in a window, case-folded."""
    return {word.casefold() for turn in window.turns if turn.is_persons for word in WORD.findall(turn.shown)}


def place_of_a_word(name: str, turn: SaidTurn) -> tuple[int, int] | None:
    """Find where a word of a name stands in a turn, the longest that does; "of" and its like are no such words."""
    words = sorted((word for word in WORD.findall(name) if len(word) > 2 or word.isdigit()), key=len, reverse=True)
    return next((place for word in words for place in places_of(word, turn)), None)


def places_of(name: str, turn: SaidTurn) -> list[tuple[int, int]]:
    """List where a name stands in what was shown of a turn, as whole words, in any case and with any spaces."""
    words = unescape(name).split()
    if not words:
        return []
    pattern = r"(?<!\w)" + r"\s+".join(map(re.escape, words)) + r"(?!\w)"
    if not (words[0][0].isalnum() and words[-1][-1].isalnum()):
        pattern = r"\s+".join(map(re.escape, words))
    found = re.finditer(pattern, turn.shown, re.IGNORECASE)
    return [match.span() for match, _ in zip(found, range(MOST_PLACES), strict=False)]


def clause_of(content: str, start: int, end: int) -> tuple[int, int]:
    """Give the sentence that a place stands in."""
    before = [found.end() for found in _STOP.finditer(content, 0, start)]
    after = _STOP.search(content, end)
    begin = before[-1] if before else 0
    begin += len(content[begin:start]) - len(content[begin:start].lstrip())
    return begin, after.end() if after else len(content)
