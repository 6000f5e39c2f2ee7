"""Patterns that are compiled when they are first used: a process that answers one question uses few of them."""

from __future__ import annotations

import re
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
