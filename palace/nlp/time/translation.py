"""Translate German and casual expressions of time into standard English, so that one set of rules reads them all.

The rows of ``palace/data/times`` are the translations. Each character of the new text keeps the offsets of its
expression in the original.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import NamedTuple

from palace.models import Span
from palace.nlp.rules import rules
from palace.nlp.time.expressions import find_times
from palace.nlp.time.periods import Tense, TimeWindow
from palace.nlp.time.vocabulary import MONTHS, compiled
from palace.nlp.words import lowered

_PLACEHOLDER = re.compile(r"\{(\w+)(?::([^{}]*))?\}")


@dataclass(frozen=True, slots=True)
class Translated:
    """A translated text, with offsets in the original."""

    text: str
    starts: tuple[int, ...] | range
    """For each character, the offset in the original where its expression begins."""
    ends: tuple[int, ...] | range
    """For each character, the offset in the original where its expression ends."""

    def span(self, start: int, end: int) -> Span:
        """Convert a span of the translation to one of the original."""
        return Span(self.starts[start], self.ends[end - 1]) if start < end else Span(start, start)


class _Row(NamedTuple):
    """A pattern of expressions, with their translation."""

    pattern: re.Pattern[str]
    english: str
    needs: tuple[str, ...]
    language: str
    end: str
    """A comma behind the translation where the text goes on in German, so that no word of it is read as part."""


def find_times_asked(query: str, now: datetime, *, tense: Tense) -> tuple[TimeWindow, ...]:
    """Find the times in an English or German query, as ``find_times`` does for English."""
    words = _translate(_untranslated(query), "german", "questions")
    windows = find_times(words.text, now, tense=tense)
    return tuple(replace(window, span=words.span(*window.span)) for window in windows)


def in_calendar_words(text: str) -> Translated:
    """Translate the German and casual expressions of time in a folded statement."""
    return _translate(_translate(_untranslated(text), "german", "statements"), "english", "statements")


def _untranslated(text: str) -> Translated:
    return Translated(text, range(len(text)), range(1, len(text) + 1))


def _translate(words: Translated, language: str, kind: str) -> Translated:
    """Apply the rows of a kind in order, each to the result of the one before."""
    if compiled(rules("times", language).source("hint")).search(lowered(words.text)):
        for row in _rows(language, kind):
            words = _apply(words, row)
    return words


@cache
def _rows(language: str, kind: str) -> tuple[_Row, ...]:
    data = rules("times", language)
    return tuple(
        _Row(
            compiled(rf"(?<!\w)(?:{data.filled(each['pattern'])})(?!\w)"),
            each["english"],
            tuple(each.get("needs", ())),
            language,
            "," if kind == "questions" else "",
        )
        for each in data.table(kind)
    )


def _apply(words: Translated, row: _Row) -> Translated:
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    done = 0
    for found in row.pattern.finditer(lowered(words.text)):
        if row.needs and not any(found[group] for group in row.needs):
            continue
        first, end = found.span()
        said = _in_english(found, row)
        said = said + row.end if row.end else said.lower()
        parts += [words.text[done:first], said]
        starts += [*words.starts[done:first], *[words.starts[first]] * len(said)]
        ends += [*words.ends[done:first], *[words.ends[end - 1]] * len(said)]
        done = end
    if not done:
        return words
    parts.append(words.text[done:])
    return Translated("".join(parts), (*starts, *words.starts[done:]), (*ends, *words.ends[done:]))


def _in_english(found: re.Match[str], row: _Row) -> str:
    groups = found.groupdict()
    if "lead" in groups and groups.get("part"):
        # "Anfang Mai" needs a preposition in English.
        groups["lead"] = groups["lead"] or "in"
    said = _PLACEHOLDER.sub(lambda name: _meaning(row.language, name[1], groups.get(name[1]), name[2]), row.english)
    return " ".join(said.split())


def _meaning(language: str, group: str, text: str | None, otherwise: str | None) -> str:
    """Translate the text of a group; numbers, and words that no table has, stay as they are."""
    if not text:
        return otherwise or ""
    if group == "month":
        return MONTHS[int(text) - 1]
    if group == "year" and len(text) == 2:
        return f"{20 if int(text) < 50 else 19}{text}"
    table = rules("times", language).read.get(group)
    if not isinstance(table, dict):
        return text
    word = text.split()[-1] if group == "count" else text
    known = max((key for key in table if word.startswith(key)), key=len, default=None)
    if known:
        return str(table[known])
    return text if otherwise is None else otherwise
