"""Findings: position and kind of a secret in a text, never the secret itself. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

KEY, TOKEN, PASSWORD, PRIVATE_KEY, CARD = "key", "token", "password", "private key", "card number"
KINDS = (KEY, TOKEN, PASSWORD, PRIVATE_KEY, CARD)
"""The kinds of secrets that are searched for unless a user's rules switch them off."""

MARKER = re.compile(r"\[secret: [a-z][a-z0-9 -]{0,39}\]")
"""The marker that replaces a secret; nothing is found within one."""


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """A secret in a text: ``text[start:end]`` of the original text, in code points."""

    start: int
    end: int
    kind: str
    """One of ``KINDS``, or the name of a user's own pattern."""
    rule: str
    """The rule that found it: ``github-token``, ``assignment``, ``prose``, …"""


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text whose secrets are replaced by markers."""

    text: str
    findings: tuple[Finding, ...]
    """In order and without overlap, with offsets in the original text."""


@dataclass(frozen=True, slots=True)
class Page:
    """A text prepared for the rules."""

    text: str
    lower: str
    """The text in lower case, with the same offsets."""

    @classmethod
    def of(cls, text: str) -> Page:
        """Prepare a text."""
        lower = text.lower()
        if len(lower) != len(text):
            lower = "".join(low if len(low := letter.lower()) == 1 else letter for letter in text)
        return cls(text, lower)


def occurrences(text: str, word: str) -> Iterator[int]:
    """Yield the offsets of a word in order, without overlapping occurrences."""
    place = text.find(word)
    while place >= 0:
        yield place
        place = text.find(word, place + len(word))


def led_by(
    page: Page, pattern: re.Pattern[str], words: Iterable[str], *, lower: bool = False
) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern that begin at any of these words, which is fast where a text has none of them.

    ``lower`` matches the pattern against the lower-case text.
    """
    for word in words:
        for place in occurrences(page.lower, word):
            if found := pattern.match(page.lower if lower else page.text, place):
                yield found


def apart(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Merge overlapping findings into one that covers them all, with the kind and rule of the longest."""
    joined: list[Finding] = []
    longest = 0
    for found in sorted(findings, key=lambda each: (each.start, -each.end)):
        if not joined or found.start >= joined[-1].end:
            joined.append(found)
            longest = found.end - found.start
            continue
        last = joined[-1]
        best = found if found.end - found.start > longest else last
        longest = max(longest, found.end - found.start)
        joined[-1] = Finding(last.start, max(last.end, found.end), best.kind, best.rule)
    return tuple(joined)
