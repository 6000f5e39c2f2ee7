"""Where tables begin in TOML text. Pure.

What a line looks like says where one may begin; that it does is known from the text before it, which then ends outside
of every string and array.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass

_HEADER = re.compile(
    r"(?:^|(?<=\ufeff))[ \t]*\[\[?[ \t]*"
    r"""(?P<name>(?:"(?:[^"\\\r\n]|\\.)*"|'[^'\r\n]*'|[^\[\]\r\n"'\#])+?)"""
    r"[ \t]*\]\]?[ \t]*(?:\#[^\r\n]*)?(?=\r?$)",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Header:
    """A line that looks like the beginning of a table, from its blanks to its comment's end."""

    start: int
    end: int
    names: tuple[str, ...]
    """The way to the table."""


def headers(text: str, at: int = 0) -> Iterator[Header]:
    """Go through what looks like the beginning of a table, from a place on; some may stand in a string or an array."""
    for found in _HEADER.finditer(text, at):
        if names := _names(found["name"]):
            yield Header(found.start(), found.end(), names)


def is_table(text: str, header: Header) -> bool:
    """Whether a table begins there: what is before it is complete."""
    try:
        tomllib.loads(text[: header.start].removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return False
    return True


def table_end(text: str, header: Header) -> int:
    """Return where the next table begins, or the text ends."""
    following = (each.start for each in headers(text, header.end) if is_table(text, each))
    return next(following, len(text))


def _names(written: str) -> tuple[str, ...]:
    """Read the name of a table, whatever quotes it has; nothing where it is none."""
    try:
        at = tomllib.loads(f"[{written}]")
    except (ValueError, RecursionError):
        return ()
    names = []
    while at:
        name, at = next(iter(at.items()))
        names.append(name)
    return tuple(names)
