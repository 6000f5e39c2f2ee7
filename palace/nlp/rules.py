"""Rules of language: patterns and word lists of ``palace/data``, read and compiled when they are first used."""

from __future__ import annotations

import re
import tomllib
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, cast

_METHODS = ("search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn", "pattern", "flags", "groups")
_NAME = re.compile(r"\{\{(\w+)\}\}")
_FLAGS = re.compile(r"\(\?[a-z]+\)")
_LINE_BREAK = re.compile(r"\n[ ]*")


@cache
def rules(*path: str) -> Rules:
    """Return the rules of a file of ``palace/data``: ``rules("todos", "english")`` those of ``todos/english.toml``."""
    return Rules(*path[:-1], f"{path[-1]}.toml")


class Rules:
    """Patterns and word lists of a TOML file, by name.

    A string is a pattern or a list of words; line breaks in a pattern, with the spaces behind them, are no part of it.
    A name in double braces stands for the pattern of that name. A list matches where one of its patterns does; a first
    one that is flags alone, ``(?i)``, sets them for all. A table has its patterns under ``any``; a table of such tables
    has a meaning for each, and one of words with what they mean stands for any of them. A list may have tables as well,
    each with its ``pattern``. What a rule finds and what not is beside it, or in ``examples`` by its name, under
    ``finds`` and ``misses``: the tests check it.
    """

    def __init__(self, *path: str) -> None:
        self._path = path
        self.pattern, self.source = cache(self._pattern), cache(self._source)
        self.words, self.meanings = cache(self._words), cache(self._meanings)

    @cached_property
    def read(self) -> dict[str, Any]:
        """What the file holds."""
        written = files("palace").joinpath("data", *self._path).read_text("utf-8")
        return tomllib.loads(written)

    def __getitem__(self, name: str) -> re.Pattern[str]:
        return self.pattern(name)

    def text(self, name: str) -> str:
        """Return what stands under a name, as it is written."""
        return str(self.read[name])

    def table(self, name: str) -> Any:
        """Return the table or the list that stands under a name."""
        return self.read[name]

    def _source(self, name: str) -> str:
        """Return the pattern of a name as text, with those that it names filled in; of a table "table.name"."""
        written: Any = self.read
        for part in name.split("."):
            written = written[part]
        return self.filled(written)

    def finds(self, name: str, text: str) -> bool:
        """Tell whether the pattern of a name is found in a text."""
        return self.pattern(name).search(text) is not None

    def _pattern(self, name: str) -> re.Pattern[str]:
        """Compile what has a name."""
        return re.compile(self.source(name))

    def _words(self, name: str) -> frozenset[str]:
        """Return the words that stand under a name."""
        return frozenset(self.read[name].split())

    def _meanings(self, name: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
        """Return the meanings of a table with the pattern of each, in order."""
        return tuple((meaning, re.compile(self.filled(each))) for meaning, each in self.read[name].items())

    def meaning(self, name: str, text: str) -> str | None:
        """Return the first meaning of a table whose pattern is found in a text; None where none is."""
        return next((meaning for meaning, pattern in self.meanings(name) if pattern.search(text)), None)

    def filled(self, written: str | list[Any] | dict[str, Any]) -> str:
        """Return what is written for a pattern as one, with those that it names filled in."""
        if isinstance(written, dict):
            rule = written.get("any") or written.get("pattern")
            return self.filled(rule) if rule else "|".join(sorted(written, key=len, reverse=True))
        if isinstance(written, list):
            flags = written[0] if isinstance(written[0], str) and _FLAGS.fullmatch(written[0]) else ""
            whole = flags + "|".join(f"(?:{self.filled(rule)})" for rule in written[bool(flags) :])
        else:
            whole = (
                _LINE_BREAK.sub("", f"\n{written}") if "\n" in written and not written.startswith("(?x") else written
            )
        return _NAME.sub(lambda found: self.filled(self.read[found[1]]), whole)


def late(pattern: str, flags: int | re.RegexFlag = 0) -> re.Pattern[str]:
    """Return a pattern as ``re.compile`` does; importing what has it costs nothing.

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
