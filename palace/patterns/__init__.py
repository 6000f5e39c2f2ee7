"""Patterns that are compiled when they are first used: a process that answers one question uses few of them."""

from __future__ import annotations

import re
import tomllib
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, cast

_METHODS = ("search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn", "pattern", "flags", "groups")


def late(pattern: str, flags: int | re.RegexFlag = 0) -> re.Pattern[str]:
    """Give a pattern as ``re.compile`` does; importing what has it costs nothing.

    Compiling the larger ones of Palace takes a tenth of a second: a tenth of what a hook takes in a process of its own.
    """
    return cast(re.Pattern[str], Late(pattern, flags))


class Late:
    """Stands for a pattern; from its first use on its methods are that one's own, and cost no more."""

    def __init__(self, pattern: str, flags: int | re.RegexFlag) -> None:
        self._told = (pattern, flags)

    def __getattr__(self, name: str) -> Any:
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(*self._told)
        self.__dict__.update({each: getattr(compiled, each) for each in _METHODS})
        return self.__dict__[name]


class Rules:
    """Patterns and words of a file of ``palace/data``, by name; read when they are first used.

    A name in double braces stands for what has that name; a list is what matches where one of its patterns does.
    """

    def __init__(self, *path: str) -> None:
        self._path = path
        self.pattern, self.words = cache(self._pattern), cache(self._words)

    @cached_property
    def _written(self) -> dict[str, Any]:
        written = files("palace").joinpath("data", *self._path).read_text("utf-8")
        return tomllib.loads(written)

    def table(self, name: str) -> Any:
        """Give what stands under a name: a text, a list or a table."""
        return self._written[name]

    def _pattern(self, name: str) -> re.Pattern[str]:
        """Compile what has a name."""
        return re.compile(self._filled(self._written[name]))

    def _words(self, name: str) -> frozenset[str]:
        """Give the words that stand under a name."""
        return frozenset(self._written[name].split())

    def _filled(self, written: str | list[str]) -> str:
        whole = written if isinstance(written, str) else "|".join(f"(?:{rule})" for rule in written)
        return _NAME.sub(lambda found: self._filled(self._written[found[1]]), whole)


_NAME = late(r"\{\{(\w+)\}\}")
