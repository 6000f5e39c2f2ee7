"""Selects the part of a long drawer to show around its best sentence, and finds the words to mark in it. Pure."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Sequence

from palace.models import Hit, Span
from palace.nlp.further import UNSPACED
from palace.nlp.passages import UNIT_END, pieces

ELLIPSIS = "…"
TAB = 4
"""Columns between tab stops."""

DEEPEST = 40
"""Most columns of indentation that are kept."""

HALF_FULL = 0.5
"""Share of the available room below which a sentence is cut rather than left out."""

Cost = Callable[[str], float]
"""Cost of showing a text as a share of the available room; must not decrease with length."""

_BREAKS = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
_WORD = re.compile(r"[^\s\u2e80-\ud7ff\uf900-\ufaff]+|\S")
"""A word, or a character of a script without spaces."""
_ANY_WORD = re.compile(r"(?<![^\W_])[^\W_]+")


def focus_of(hit: Hit) -> Span:
    """Return the span that a hit is shown around: its best sentence, else its passage."""
    return hit.sentence or hit.passage


def words_among(words: Collection[str]) -> re.Pattern[str] | None:
    """Return a pattern whose matches include those of ``word_pattern``: mostly one for any word, compiled already."""
    is_plain = all(word.isalnum() and not UNSPACED.fullmatch(word) for word in words)
    return _ANY_WORD if words and is_plain else word_pattern(words)


def word_pattern(words: Iterable[str]) -> re.Pattern[str] | None:
    """Return a pattern that matches whole words in any case, as Postgres splits text; None without words.

    In scripts without spaces they match anywhere.
    """
    # Longer words first: "12-awg" before "12".
    longest_first = sorted({word for word in words if word}, key=lambda word: (-len(word), word))
    if not longest_first:
        return None
    unspaced = [word for word in longest_first if UNSPACED.fullmatch(word)]
    spaced = [word for word in longest_first if not UNSPACED.fullmatch(word)]
    whole = [rf"(?<![^\W_])(?:{'|'.join(map(re.escape, spaced))})(?![^\W_])"] if spaced else []
    return re.compile("|".join([*whole, *map(re.escape, unspaced)]), re.IGNORECASE)


def shown_span(content: str, within: Span, focus: Span, cost: Cost, *, reach: int) -> Span:
    """Return the part of ``within`` to show: the focus, with as much on both sides as fits.

    Sentences and lines stay whole unless half of the room would stay empty. A focus that does not fit is cut off. Text
    more than ``reach`` characters away is not examined.
    """
    near = Span(max(within.start, focus.start - reach), min(within.end, focus.end + reach))
    if near == within and _fits(content, within, cost):
        return within
    if not _fits(content, focus, cost):
        return Span(focus.start, _last_fitting(content, focus.start, focus.end, cost))
    units = list(pieces(content, near, UNIT_END))
    # A unit cut by the reach is incomplete.
    starts = [unit.start for unit in units[near.start > within.start :] if unit.start < focus.start]
    ends = [unit.end for unit in units[: len(units) - (near.end < within.end)] if unit.end > focus.end]
    shown = _grown(content, focus, starts, ends, cost)
    if cost(content[slice(*shown)]) < HALF_FULL:
        shown = Span(shown.start, _last_fitting(content, shown.start, near.end, cost, least=shown.end))
        shown = Span(_first_fitting(content, near.start, shown, cost), shown.end)
    return shown


def shown_lines(content: str, shown: Span) -> list[str]:
    """Return the non-empty lines of a part, with an ellipsis where text is left out.

    Shared indentation is removed; tabs become spaces, and so does other white space.
    """
    line_start = shown.start
    while line_start and content[line_start - 1] in " \t":
        line_start -= 1
    is_whole_line = line_start == 0 or content[line_start - 1] in _BREAKS
    text = content[line_start if is_whole_line else shown.start : shown.end]
    lines = [_plain(line) for line in text.splitlines() if line.strip()]
    if not lines:
        return []
    indented = lines if is_whole_line else lines[1:]
    shared = min((_indentation(line) for line in indented), default=0)
    cut = [line[min(shared, _indentation(line)) :] for line in lines]
    if content[: shown.start].strip():
        cut[0] = f"{ELLIPSIS} {cut[0].lstrip()}"
    if content[shown.end :].strip():
        cut[-1] = f"{cut[-1]} {ELLIPSIS}"
    return cut


def _plain(line: str) -> str:
    plain = re.sub(r"[^\S ]", " ", line.expandtabs(TAB)).rstrip()
    return plain[max(_indentation(plain) - DEEPEST, 0) :]


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _grown(content: str, focus: Span, starts: list[int], ends: list[int], cost: Cost) -> Span:
    """Add whole units while they fit, on the shorter side first; ``starts`` and ``ends`` are sorted."""
    shown, behind, ahead = focus, starts[::-1], ends
    while behind or ahead:
        is_behind = bool(behind) and (not ahead or focus.start - shown.start <= shown.end - focus.end)
        grown = Span(behind[0], shown.end) if is_behind else Span(shown.start, ahead[0])
        if _fits(content, grown, cost):
            shown = grown
        side = behind if is_behind else ahead
        del side[: 1 if shown == grown else len(side)]
    return shown


def _last_fitting(content: str, start: int, end: int, cost: Cost, *, least: int = 0) -> int:
    """Return the last end of a word that fits; of a single long word, the last character."""
    ends = [word.end() for word in _WORD.finditer(content, max(start, least), end)]
    fitting = _how_many(ends, lambda place: _fits(content, Span(start, place), cost))
    if fitting:
        return ends[fitting - 1]
    if least:
        return least
    characters = range(start + 1, end + 1)
    return start + max(_how_many(characters, lambda place: _fits(content, Span(start, place), cost)), 1)


def _first_fitting(content: str, start: int, shown: Span, cost: Cost) -> int:
    begins = [word.start() for word in _WORD.finditer(content, start, shown.start)][::-1]
    fitting = _how_many(begins, lambda place: _fits(content, Span(place, shown.end), cost))
    return begins[fitting - 1] if fitting else shown.start


def _how_many(places: Sequence[int], fits: Callable[[int], bool]) -> int:
    """Return how many leading places fit; ``fits`` must be monotonic."""
    return bisect_right(places, 0, key=lambda place: 0 if fits(place) else 1)


def _fits(content: str, span: Span, cost: Cost) -> bool:
    return cost(content[slice(*span)]) <= 1
