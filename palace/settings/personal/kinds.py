"""What a setting may be: each kind reads a text, checks a value, and says what it wants."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

Value = bool | int | float | str | tuple[str, ...] | None
"""What a setting is; as JSON, several words are an array."""

LONGEST_TEXT = 500


class Kind(Protocol):
    """A kind of value."""

    @property
    def wanted(self) -> str:
        """The rest of a sentence that says what it may be: "true or false"."""

    def read(self, text: str) -> object:
        """Take a text for the value that it writes; what it may be is looked at by ``check``."""

    def check(self, value: object) -> Value:
        """Give the value as it is kept.

        Raises:
            ValueError: it is none of this kind.
        """


@dataclass(frozen=True, slots=True)
class Flag:
    """Yes or no."""

    wanted: str = "true or false"

    def read(self, text: str) -> object:
        """Take true, yes, on, 1 and their opposites, as environment variables are."""
        folded = text.strip().lower()
        if folded in ("true", "yes", "on", "1", "t", "y"):
            return True
        return False if folded in ("false", "no", "off", "0", "f", "n") else text

    def check(self, value: object) -> Value:
        """Take a truth value and nothing that only stands for one."""
        if not isinstance(value, bool):
            raise ValueError  # noqa: TRY004 — all that a value may not be is one error
        return value


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number in a range."""

    least: int
    most: int

    @property
    def wanted(self) -> str:
        """Say the range."""
        return f"a whole number from {self.least:,} to {self.most:,}"

    def read(self, text: str) -> object:
        """Take digits."""
        digits = text.strip()
        return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 20 else text

    def check(self, value: object) -> Value:
        """Take a number within the range."""
        if isinstance(value, bool) or not isinstance(value, int) or not self.least <= value <= self.most:
            raise ValueError
        return value


@dataclass(frozen=True, slots=True)
class Number:
    """A number in a range, whole or not."""

    least: float
    most: float

    @property
    def wanted(self) -> str:
        """Say the range."""
        return f"a number from {self.least:g} to {self.most:g}"

    def read(self, text: str) -> object:
        """Take a decimal number."""
        try:
            return float(text)
        except ValueError:
            return text

    def check(self, value: object) -> Value:
        """Take a number within the range."""
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise ValueError  # noqa: TRY004 — all that a value may not be is one error
        # Not a number is in no range; and a whole number of any length can be compared, but not made a decimal one.
        if not self.least <= value <= self.most:
            raise ValueError
        return float(value)


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of some words."""

    words: tuple[str, ...]

    @property
    def wanted(self) -> str:
        """List the words."""
        return f"one of {', '.join(self.words)}"

    def read(self, text: str) -> object:
        """Take a word in any case."""
        return text.strip().lower()

    def check(self, value: object) -> Value:
        """Take one of the words."""
        if not isinstance(value, str) or value not in self.words:
            raise ValueError
        return str(value)


@dataclass(frozen=True, slots=True)
class SomeOf:
    """Some of some words, or none of them."""

    words: tuple[str, ...]

    @property
    def wanted(self) -> str:
        """List the words."""
        return f"some of {', '.join(self.words)}, separated by commas, or none"

    def read(self, text: str) -> object:
        """Take words separated by commas; "none" is none of them."""
        folded = text.strip().lower()
        return () if folded in ("", "none") else tuple(word.strip() for word in folded.split(","))

    def check(self, value: object) -> Value:
        """Take a list of the words, or a text as ``read`` does; they are kept in their own order."""
        given = self.read(value) if isinstance(value, str) else value
        if not isinstance(given, Sequence) or not all(isinstance(word, str) and word in self.words for word in given):
            raise ValueError
        return tuple(word for word in self.words if word in given)


@dataclass(frozen=True, slots=True)
class Line:
    """A text on one line: the name of a model."""

    wanted: str = f"a name of 1 to {LONGEST_TEXT} characters"

    def read(self, text: str) -> object:
        """Take the text without white space around it."""
        return text.strip()

    def check(self, value: object) -> Value:
        """Take a text that Postgres and a terminal's line can hold."""
        if not isinstance(value, str) or not 0 < len(value.strip()) <= LONGEST_TEXT or not value.isprintable():
            raise ValueError
        return value.strip()


LONGEST = 10_000
"""Characters of one of them."""


@dataclass(frozen=True, slots=True)
class Several:
    """Texts, in their order."""

    most: int

    @property
    def wanted(self) -> str:
        """Say how they are typed."""
        return f"up to {self.most:,} texts, separated by commas or as a JSON array, or none"

    def read(self, text: str) -> object:
        """Take an array in JSON, else texts separated by commas; "none" is none."""
        read = _json(text)
        if isinstance(read, list):
            return read
        return () if text.strip().lower() in ("", "none") else tuple(each.strip() for each in text.split(","))

    def check(self, value: object) -> Value:
        """Take a sequence of texts, or a text as ``read`` does; each counts once."""
        given = self.read(value) if isinstance(value, str) else value
        if not isinstance(given, Sequence) or len(given) > self.most or not all(map(_is_text, given)):
            raise ValueError
        return tuple(dict.fromkeys(given))


@dataclass(frozen=True, slots=True)
class Pairs:
    """Texts by name, kept as ``name=text``, in order of name."""

    most: int

    @property
    def wanted(self) -> str:
        """Say how they are typed."""
        return "NAME=PATTERN, one a line, or a JSON object, or none"

    def read(self, text: str) -> object:
        """Take an object or an array in JSON, else a pair a line; "none" is none."""
        read = _json(text)
        if isinstance(read, (list, dict)):
            return read
        return () if text.strip().lower() in ("", "none") else tuple(filter(None, map(str.strip, text.splitlines())))

    def check(self, value: object) -> Value:
        """Take a mapping, a sequence of pairs as texts, or a text as ``read`` does."""
        given = self.read(value) if isinstance(value, str) else value
        if isinstance(given, Mapping):
            if not all(_is_text(each) for pair in given.items() for each in pair):
                raise ValueError
            given = [f"{name.strip()}={text}" for name, text in given.items()]
        if not isinstance(given, Sequence) or len(given) > self.most or not all(map(_is_pair, given)):
            raise ValueError
        pairs = pairs_of(given)
        if len(pairs) != len(given):
            raise ValueError
        return tuple(f"{name}={text}" for name, text in sorted(pairs.items()))


def pairs_of(written: Sequence[str]) -> dict[str, str]:
    """Give texts by name, of ``name=text``; white space around the sign does not count."""
    split = (pair.partition("=") for pair in written)
    return {name.strip(): text.strip() for name, _, text in split}


def _is_pair(value: object) -> bool:
    return _is_text(value) and isinstance(value, str) and all(part.strip() for part in value.partition("="))


def _is_text(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value.strip()) <= LONGEST and "\0" not in value


def _json(text: str) -> object:
    if not text.lstrip().startswith(("[", "{")):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
