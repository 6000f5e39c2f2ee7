"""What was found in a text: where a secret stands, of which kind it is, and never the secret itself. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

KEY, TOKEN, PASSWORD, PRIVATE_KEY, CARD = "key", "token", "password", "private key", "card number"
KINDS = (KEY, TOKEN, PASSWORD, PRIVATE_KEY, CARD)
"""The kinds that are looked for unless a user's rules switch them off."""

MARKER = re.compile(r"\[secret: [a-z][a-z0-9 -]{0,39}\]")
"""What stands for a secret that was taken out; nothing is ever found within one."""


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """A secret in a text: ``text[start:end]`` of the text that was given, in code points."""

    start: int
    end: int
    kind: str
    """One of ``KINDS``, or the name of a pattern of a user's own."""
    rule: str
    """What found it: ``github-token``, ``assignment``, ``prose``, …"""


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text whose secrets are replaced by markers."""

    text: str
    findings: tuple[Finding, ...]
    """In order, apart from each other; their places are those in the text before."""


@dataclass(frozen=True, slots=True)
class Page:
    """A text as the rules read it."""

    text: str
    lower: str
    """In lower case, letter by letter, so that places are the same."""

    @classmethod
    def of(cls, text: str) -> Page:
        """Make one."""
        lower = text.lower()
        if len(lower) != len(text):
            lower = "".join(low if len(low := letter.lower()) == 1 else letter for letter in text)
        return cls(text, lower)


def occurrences(text: str, word: str) -> Iterator[int]:
    """Iterate over the places where a word begins, in order, those that overlap left out."""
    place = text.find(word)
    while place >= 0:
        yield place
        place = text.find(word, place + len(word))


def led_by(
    page: Page, pattern: re.Pattern[str], words: Iterable[str], *, lower: bool = False
) -> Iterator[re.Match[str]]:
    """Iterate over the matches of a pattern where one of some words stands; that is quick where none does.

    ``lower`` matches it against the text in lower case.
    """
    for word in words:
        for place in occurrences(page.lower, word):
            if found := pattern.match(page.lower if lower else page.text, place):
                yield found


def apart(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Join findings that overlap to one that covers them all and is of the kind of the longest of them."""
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
