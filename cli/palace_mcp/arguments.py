"""The arguments of tools: declared once, published as JSON Schema, and parsed strictly. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from enum import Enum
from typing import Any

from palace.errors import BadRequest

LONGEST_SHOWN = 60
"""Characters of a wrong value that an error message quotes."""
NOT_GIVEN = ("", "null", "none", "undefined")
"""How models write an omitted optional argument, in lower case."""
_WHOLE = re.compile(r"-?[0-9]{1,18}(?:\.0)?")
"""Some hosts send numbers as strings, and whole ones with a decimal point."""


class Kind(Enum):
    """The kind of an argument's value."""

    TEXT = "string"
    COUNT = "integer"
    FIRST = "from a moment on"
    LAST = "up to a moment"


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a tool."""

    name: str
    about: str = ""
    kind: Kind = Kind.TEXT
    is_required: bool = False
    least: int = 0
    most: int = 0
    otherwise: int | None = None
    """Default of an integer."""

    def schema(self) -> dict[str, Any]:
        """Return the argument's JSON Schema."""
        about = {"description": self.about} if self.about else {}
        if self.kind is not Kind.COUNT:
            return {"type": "string", **about}
        return {"type": "integer", "minimum": self.least, "maximum": self.most, "default": self.otherwise, **about}

    def read(self, value: object) -> Any:
        """Parse a value: a string, an integer, or a time, which is naive if it names no zone.

        Raises:
            BadRequest: it is invalid, or missing though required.
        """
        is_nothing = value is None or (isinstance(value, str) and value.strip().lower() in NOT_GIVEN)
        if is_nothing and not self.is_required:
            return self.otherwise
        if value is None:
            raise BadRequest(f"{self.name} is missing")
        if self.kind is Kind.COUNT:
            return self._count(value)
        if not isinstance(value, str):
            raise BadRequest(f"{self.name} must be text, not {_shown(value)}")
        return value if self.kind is Kind.TEXT else self._moment(value.strip())

    def _count(self, value: object) -> int:
        is_whole = not isinstance(value, bool) and _WHOLE.fullmatch(str(value))
        number = int(str(value).removesuffix(".0")) if is_whole else None
        if number is None or not self.least <= number <= self.most:
            wanted = f"a whole number from {self.least:,} to {self.most:,}"
            raise BadRequest(f"{self.name} must be {wanted}, not {_shown(value)}")
        return number

    def _moment(self, text: str) -> datetime:
        try:
            # A date means the whole day.
            return datetime.combine(date.fromisoformat(text), time.max if self.kind is Kind.LAST else time.min)
        except ValueError:
            pass
        try:
            return datetime.fromisoformat(text)
        except ValueError:
            wanted = "like 2026-04-30 or 2026-04-30T18:20"
            raise BadRequest(f"{self.name} must be {wanted}, not {_shown(text)}") from None


def schema_of(arguments: Sequence[Argument]) -> dict[str, Any]:
    """Return the JSON Schema of a tool's arguments."""
    required = [each.name for each in arguments if each.is_required]
    described: dict[str, Any] = {"type": "object", "properties": {each.name: each.schema() for each in arguments}}
    return described | ({"required": required} if required else {})


def read(arguments: Sequence[Argument], given: Mapping[str, object]) -> dict[str, Any]:
    """Parse the arguments of a call: by name, with None or the default for omitted ones.

    Raises:
        BadRequest: an argument is missing, invalid or unknown.
    """
    names = [each.name for each in arguments]
    for name in given:
        if name not in names:
            raise BadRequest(f"there is no argument {_shown(name)}: there is {', '.join(names) or 'none'}")
    return {each.name: each.read(given.get(each.name)) for each in arguments}


def _shown(value: object) -> str:
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "a list"
    shown = repr(value)
    return shown if len(shown) <= LONGEST_SHOWN else f"{shown[:LONGEST_SHOWN]}…"
