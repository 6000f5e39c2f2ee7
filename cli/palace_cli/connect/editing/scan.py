"""JSON as people keep settings in it, with comments and commas at the end: what it says, and where. Pure."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NoReturn

from palace_cli.connect.editing.refusals import Refused

DEEPEST = 100
"""Levels that are followed; no settings have as many."""

_BLANK = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*[\s\S]*?\*/)*")
_TEXT = re.compile(r'"[^"\\\r\n]*(?:\\.[^"\\\r\n]*)*"')
_WORD = re.compile(r"[^\s{}\[\],:\"/]+")


@dataclass(frozen=True, slots=True)
class Node:
    """A value and where it stands."""

    start: int
    end: int
    data: Any
    members: tuple[Member, ...] = ()
    """Of an object or an array, in order."""

    def find(self, name: str | int) -> Node | None:
        """Return the value of a name, or at a place; of a name that stands twice the last, which counts."""
        member = self.member(name)
        return member.value if member else None

    def member(self, name: str | int) -> Member | None:
        """Return what goes by a name, or stands at a place."""
        return next((each for each in reversed(self.members) if each.name == name), None)


@dataclass(frozen=True, slots=True)
class Member:
    """What stands in an object or an array."""

    name: str | int
    start: int
    """Where its name begins; in an array its value."""
    value: Node
    comma: int | None
    """Where the comma behind it stands."""


@lru_cache(maxsize=2)
def scan(text: str) -> Node | None:
    """Read a whole text; None where nothing stands in it but blanks and comments.

    A change asks for the same text again and again, and some have megabytes: what was read last is kept, and not to be
    changed.

    Raises:
        Refused: it is no JSON, comments and commas at the end aside; the line is named.
    """
    reader = _Reader(text)
    if reader.next_sign() == "":
        return None
    root = reader.value(0)
    if reader.next_sign() != "":
        reader.refuse("something stands behind its end")
    return root


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 1 if text.startswith("\ufeff") else 0

    def next_sign(self) -> str:
        """Go to what comes next and return its first character, or nothing at the end."""
        found = _BLANK.match(self._text, self._at)
        self._at = found.end() if found else self._at
        return self._text[self._at : self._at + 1]

    def value(self, depth: int) -> Node:
        sign = self.next_sign()
        if depth > DEEPEST:
            self.refuse("it is nested too deeply")
        if sign == "{":
            return self._object(depth)
        if sign == "[":
            return self._array(depth)
        return self._plain()

    def refuse(self, reason: str) -> NoReturn:
        line = self._text.count("\n", 0, self._at) + 1
        raise Refused(f"line {line}: {reason}")

    def _object(self, depth: int) -> Node:
        start, members = self._at, list[Member]()
        self._at += 1
        while self.next_sign() != "}":
            name_at = self._at
            if self.next_sign() != '"':
                self.refuse("a name in quotes is expected")
            name = self._plain().data
            if self.next_sign() != ":":
                self.refuse("a colon is expected")
            self._at += 1
            value = self.value(depth + 1)
            members.append(Member(name, name_at, value, self._comma("}")))
        self._at += 1
        return Node(start, self._at, {each.name: each.value.data for each in members}, tuple(members))

    def _array(self, depth: int) -> Node:
        start, members = self._at, list[Member]()
        self._at += 1
        while self.next_sign() != "]":
            value = self.value(depth + 1)
            members.append(Member(len(members), value.start, value, self._comma("]")))
        self._at += 1
        return Node(start, self._at, [each.value.data for each in members], tuple(members))

    def _comma(self, closing: str) -> int | None:
        """Step over the comma that comes next and say where it stands; None in front of the end."""
        sign = self.next_sign()
        if sign == closing:
            return None
        if sign != ",":
            self.refuse("a comma is expected")
        self._at += 1
        return self._at - 1

    def _plain(self) -> Node:
        found = (_TEXT if self.next_sign() == '"' else _WORD).match(self._text, self._at)
        try:
            data = json.loads(found[0], parse_constant=_no_number) if found else _no_number("")
        except ValueError:
            self.refuse("a value is expected")
        start, self._at = self._at, found.end() if found else self._at
        return Node(start, self._at, data)


def _no_number(_: str) -> NoReturn:
    raise ValueError
