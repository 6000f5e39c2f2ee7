"""Text put into other words, each character of which knows where in the text it comes from. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

Say = Callable[[re.Match[str]], str | None]
"""The words to put in the place of those found; None to leave them."""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A text in other words."""

    text: str
    starts: tuple[int, ...] | range
    """Where in the original each character's expression begins; as many as characters."""
    ends: tuple[int, ...] | range
    """Where it ends."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Give the place in the original of what stands from one character to before another."""
        return (self.starts[start], self.ends[end - 1]) if start < end else (start, start)


def as_it_is(text: str) -> Rewritten:
    """Take a text in its own words."""
    return Rewritten(text, range(len(text)), range(1, len(text) + 1))


def rewrite(told: Rewritten, rules: Iterable[tuple[re.Pattern[str], Say]]) -> Rewritten:
    """Apply rules one after the other, each to what the ones before it left."""
    for pattern, say in rules:
        told = _apply(told, pattern, say)
    return told


def _apply(told: Rewritten, pattern: re.Pattern[str], say: Say) -> Rewritten:
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    done = 0
    for found in pattern.finditer(told.text):
        said = say(found)
        if said is None:
            continue
        first, end = found.span()
        parts += [told.text[done:first], said]
        starts += [*told.starts[done:first], *[told.starts[first]] * len(said)]
        ends += [*told.ends[done:first], *[told.ends[end - 1]] * len(said)]
        done = end
    if not done:
        return told
    parts.append(told.text[done:])
    return Rewritten("".join(parts), (*starts, *told.starts[done:]), (*ends, *told.ends[done:]))
