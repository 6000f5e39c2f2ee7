"""Settings that are several texts: as JSON, or as they are typed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from palace.settings.personal.kinds import Value

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
