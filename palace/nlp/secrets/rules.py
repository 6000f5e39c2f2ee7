"""What a user looks for beside what everybody does, and what a user lets pass. Pure."""

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
    r"""A pattern of a user's own: ``OwnPattern("badge", r"TIDE-\d{6}")``; what it finds is replaced by its name.

    It is made of letters, classes and repeats alone: no groups, no alternatives, no looking around. A repeat takes all
    it can up to 256 and may not run into what follows it, so that no text makes it try anything twice.
    """

    name: str
    """Small letters, digits, spaces and dashes, 40 at most; not one of ``KINDS``."""
    pattern: str
    """200 letters at most. ``.`` stands for itself."""
    compiled: re.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check it; raises ``PalaceError`` that says what is wrong."""
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
    """What is looked for; as it stands, everything that Palace knows."""

    patterns: tuple[OwnPattern, ...] = ()
    """Of the user's own; 32 at most."""
    allowed: frozenset[str] = field(default=frozenset(), repr=False)
    """Values that are let pass wherever they stand, letter by letter."""
    off: frozenset[str] = frozenset()
    """Kinds ("card number") and rules ("jwt") that are not heeded."""

    def __post_init__(self) -> None:
        """Check them; raises ``PalaceError``."""
        if len(self.patterns) > _MOST_PATTERNS:
            raise PalaceError(f"{len(self.patterns)} patterns of one's own are too many; {_MOST_PATTERNS} are heeded")

    def find(self, text: str) -> Iterator[Finding]:
        """Find what the user's own patterns match."""
        for own in self.patterns:
            for found in own.compiled.finditer(text):
                yield Finding(found.start(), found.end(), own.name, own.name)

    def heeds(self, found: Finding, text: str) -> bool:
        """Tell whether a finding counts."""
        if found.kind in self.off or found.rule in self.off:
            return False
        return not self.allowed or text[found.start : found.end] not in self.allowed


EVERYTHING = Rules()
"""The rules of who has none of their own."""


def _checked(name: str, pattern: str) -> str:
    """Write a pattern as one that never goes back; raises ``PalaceError``."""
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
