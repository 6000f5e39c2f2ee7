"""A user's own patterns for secrets, and the values, kinds and rules that a user exempts. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from palace.errors import PalaceError
from palace.nlp.secrets.findings import KINDS, Finding

_NAME = re.compile(r"[a-z][a-z0-9 -]{0,39}")
_MOST_PATTERNS, _MOST_LETTERS = 32, 200
_MOST_REPEATS = 256
_ATOM = re.compile(
    r"(?P<atom>\\[dwsDWS]|\\[^\w\s]|\[\^?(?:\\[dws]|\\[^\w\s]|\w-\w|[^\\\]\[])+\]|[^\\\[\]().*+?{}|^$])"
    r"(?P<repeat>\{\d{1,3}(?:,\d{1,3})?\}|[?*+])?|(?P<edge>\\b)"
)
_DOUBLED = re.compile(r"--|&&|~~|\|\|")
_TRIED = tuple(chr(code) for code in (*range(32, 127), 0xE4, 0x416, 0x4E2D))


@dataclass(frozen=True, slots=True)
class OwnPattern:
    r"""A user's own pattern, ``OwnPattern("badge", r"TIDE-\d{6}")``; its matches become ``[secret: badge]``.

    It consists of characters, classes and repeats alone: no groups, alternatives or lookarounds. A repeat is
    possessive, up to 256 times, and must not match what follows it, so that no text causes backtracking.
    """

    name: str
    """Lower-case letters, digits, spaces and dashes, beginning with a letter, 40 at most; not one of ``KINDS``."""
    pattern: str
    """At most 200 characters. ``.`` matches only itself."""
    compiled: re.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Compile the pattern; raise ``PalaceError`` if its name or the pattern is not allowed."""
        if not _NAME.fullmatch(self.name) or self.name in KINDS:
            raise PalaceError(
                f"a pattern's name is of small letters, digits, spaces and dashes, and new: {self.name!r}"
            )
        try:
            object.__setattr__(self, "compiled", re.compile(_checked(self.name, self.pattern)))
        except re.error as error:
            raise PalaceError(f"the pattern {self.name!r} cannot be read: {error}") from error


@dataclass(frozen=True, slots=True)
class Rules:
    """A user's rules for secrets; by default everything that Palace knows is found."""

    patterns: tuple[OwnPattern, ...] = ()
    """The user's own patterns, at most 32."""
    allowed: frozenset[str] = field(default=frozenset(), repr=False)
    """Exact values that are never secrets."""
    off: frozenset[str] = frozenset()
    """Kinds ("card number") and rules ("jwt") that are switched off."""

    def __post_init__(self) -> None:
        """Raise ``PalaceError`` if there are too many patterns."""
        if len(self.patterns) > _MOST_PATTERNS:
            raise PalaceError(f"{len(self.patterns)} patterns of one's own are too many; {_MOST_PATTERNS} are heeded")

    def find(self, text: str) -> Iterator[Finding]:
        """Find the matches of the user's own patterns."""
        for own in self.patterns:
            for found in own.compiled.finditer(text):
                yield Finding(found.start(), found.end(), own.name, own.name)

    def heeds(self, found: Finding, text: str) -> bool:
        """Check whether a finding counts: neither switched off nor an allowed value."""
        if found.kind in self.off or found.rule in self.off:
            return False
        return not self.allowed or text[found.start : found.end] not in self.allowed


EVERYTHING = Rules()
"""The rules of a user without rules of their own."""


def _checked(name: str, pattern: str) -> str:
    """Rewrite a pattern with possessive repeats; raise ``PalaceError`` if it is not allowed."""
    if not pattern or len(pattern) > _MOST_LETTERS:
        raise PalaceError(f"the pattern {name!r} has {len(pattern)} letters; 1 to {_MOST_LETTERS} are possible")
    if doubled := _DOUBLED.search(pattern):
        raise PalaceError(f"the pattern {name!r} has {doubled.group()!r}, which will mean something else in a class")
    parts: list[tuple[str, int, int]] = []
    written, place = "", 0
    while place < len(pattern):
        found = _ATOM.match(pattern, place)
        if found is None and pattern[place] == ".":
            parts.append((r"\.", 1, 1))
            written, place = written + r"\.", place + 1
            continue
        if found is None:
            raise PalaceError(
                f"the pattern {name!r} cannot be used from {pattern[place : place + 10]!r} on: letters, classes such "
                r"as [A-Z] and \d, repeats such as {6} and +, and \b are possible"
            )
        place = found.end()
        if found["edge"]:
            written += r"\b"
            continue
        least, most = _repeat(found["repeat"])
        if not 0 <= least <= most <= _MOST_REPEATS or not most:
            raise PalaceError(
                f"the pattern {name!r} repeats {found['repeat']}; 1 to {_MOST_REPEATS} times are possible"
            )
        parts.append((found["atom"], least, most))
        written += f"{found['atom']}{{{least},{most}}}+"
    _check_order(name, parts)
    return written


def _repeat(written: str | None) -> tuple[int, int]:
    if written is None:
        return 1, 1
    if written in "?*+":
        return {"?": (0, 1), "*": (0, _MOST_REPEATS), "+": (1, _MOST_REPEATS)}[written]
    numbers = [int(number) for number in written.strip("{}").split(",")]
    return numbers[0], numbers[-1]


def _check_order(name: str, parts: list[tuple[str, int, int]]) -> None:
    if not any(least for _, least, _ in parts):
        raise PalaceError(f"the pattern {name!r} matches nothing at all as well: something of it has to be there")
    for index, (atom, least, most) in enumerate(parts):
        if least == most:
            continue
        for following, must, _ in parts[index + 1 :]:
            both = [letter for letter in _TRIED if re.match(atom, letter) and re.match(following, letter)]
            if both:
                raise PalaceError(
                    f"in the pattern {name!r}, {atom}, repeated, would run into {following}, which can be the same; "
                    "give the number of times, or a letter between them"
                )
            if must:
                break
