"""Language rules: patterns and word lists of ``palace/data``, read and compiled on first use."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, cast

_METHODS = ("search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn", "pattern", "flags", "groups")
_NAME = re.compile(r"\{\{(\w+)\}\}")
_FLAGS = re.compile(r"\(\?[a-z]+\)")
_LINE_BREAK = re.compile(r"\n[ ]*")


@cache
def rules(*path: str) -> Rules:
    """Return the rules of a file in ``palace/data``: ``rules("todos", "english")`` of ``todos/english.toml``."""
    return Rules(*path[:-1], f"{path[-1]}.toml")


class Rules:
    """The patterns and word lists of a TOML file, by name.

    A string is a pattern or a list of words; line breaks in a pattern, and the spaces behind them, are ignored. A name
    in double braces inserts the pattern of that name. A list is an alternation of its patterns; a first element of
    flags alone, ``(?i)``, sets them for all. A table has its patterns under ``any`` or its one pattern under
    ``pattern``; a table that maps meanings to such rules is read by ``meanings``; any other is an alternation of its
    keys. Texts that a rule must find and must not find stand beside it, or under its name in ``examples``, as
    ``finds`` and ``misses``; the tests check them.
    """

    def __init__(self, *path: str) -> None:
        self._path = path
        self.pattern, self.source = cache(self._pattern), cache(self._source)
        self.words, self.meanings = cache(self._words), cache(self._meanings)

    @cached_property
    def read(self) -> dict[str, Any]:
        """The parsed file."""
        written = files("palace").joinpath("data", *self._path).read_text("utf-8")
        return tomllib.loads(written)

    def __getitem__(self, name: str) -> re.Pattern[str]:
        return self.pattern(name)

    def text(self, name: str) -> str:
        """Return the value of a name as it is written."""
        return str(self.read[name])

    def table(self, name: str) -> Any:
        """Return the table or list of a name."""
        return self.read[name]

    def _source(self, name: str) -> str:
        """Return the source of a pattern, with named patterns inserted; "table.name" for one in a table."""
        written: Any = self.read
        for part in name.split("."):
            written = written[part]
        return self.filled(written)

    def finds(self, name: str, text: str) -> bool:
        """Check whether a text contains a match of the named pattern."""
        return self.pattern(name).search(text) is not None

    def _pattern(self, name: str) -> re.Pattern[str]:
        """Compile the named pattern."""
        return re.compile(self.source(name))

    def _words(self, name: str) -> frozenset[str]:
        """Return the words of the named list."""
        return frozenset(self.read[name].split())

    def _meanings(self, name: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
        """Return the keys of a table, each with its compiled pattern, in order."""
        return tuple((meaning, re.compile(self.filled(each))) for meaning, each in self.read[name].items())

    def meaning(self, name: str, text: str) -> str | None:
        """Return the first key of a table whose pattern a text contains; None for none."""
        return next((meaning for meaning, pattern in self.meanings(name) if pattern.search(text)), None)

    def filled(self, written: str | list[Any] | dict[str, Any]) -> str:
        """Return the source of a rule (a string, list or table) as one pattern, with named patterns inserted."""
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
    """Return a pattern that is compiled on first use, so that importing its module costs nothing.

    Compiling Palace's larger patterns takes 0.1 s, a tenth of the run time of a hook in a process of its own.
    """
    return cast(re.Pattern[str], Late(pattern, flags))


class Late:
    """A stand-in for a pattern; on first use it compiles the pattern and takes over its methods."""

    def __init__(self, pattern: str, flags: int | re.RegexFlag) -> None:
        self._told = (pattern, flags)

    def __getattr__(self, name: str) -> Any:
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(*self._told)
        self.__dict__.update({each: getattr(compiled, each) for each in _METHODS})
        return self.__dict__[name]


@cache
def caseless(pattern: str) -> Caseless:
    """Return the ``Caseless`` of a pattern that begins with ``(?i)`` and has no capitals; one for each pattern."""
    return Caseless(pattern)


class Caseless:
    """A pattern that ignores case, in a third of the time: it searches the text in lower case.

    The spans of a match are those in the text. Its words, ``found[0]``, may be in lower case.
    """

    def __init__(self, pattern: str) -> None:
        self._lower, self._any = re.compile(pattern.removeprefix("(?i)")), late(pattern)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Find the matches in a text, in order."""
        pattern, text = self._for(text)
        return pattern.finditer(text)

    def search(self, text: str) -> re.Match[str] | None:
        """Find the first match in a text."""
        pattern, text = self._for(text)
        return pattern.search(text)

    def match(self, text: str) -> re.Match[str] | None:
        """Match the beginning of a text."""
        pattern, text = self._for(text)
        return pattern.match(text)

    def _for(self, text: str) -> tuple[re.Pattern[str], str]:
        lower = text.lower()
        # Where case is ignored, "s" and "i" are these letters too.
        is_same = text.isascii() or (len(lower) == len(text) and "ſ" not in lower and "ı" not in lower)
        return (self._lower, lower) if is_same else (self._any, text)
