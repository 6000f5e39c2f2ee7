"""What a tool may be given: declared once, published as a JSON schema, and read strictly. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from enum import Enum
from typing import Any

from palace.errors import BadRequest

LONGEST_SHOWN = 60
"""Characters of a wrong value that are told."""
NOT_GIVEN = ("", "null", "none", "undefined")
"""How models write that they give nothing, in lower case, where an argument need not be given."""
_WHOLE = re.compile(r"-?[0-9]{1,18}(?:\.0)?")
"""Some hosts write numbers as texts, and whole ones with a point."""


class Kind(Enum):
    """What a value is."""

    TEXT = "string"
    COUNT = "integer"
    FIRST = "from a moment on"
    LAST = "up to a moment"


@dataclass(frozen=True, slots=True)
class Argument:
    """One thing that a tool may be given."""

    name: str
    about: str = ""
    kind: Kind = Kind.TEXT
    is_required: bool = False
    least: int = 0
    most: int = 0
    otherwise: int | None = None
    """Of a count that is not given."""

    def schema(self) -> dict[str, Any]:
        """Describe it as JSON Schema does."""
        about = {"description": self.about} if self.about else {}
        if self.kind is not Kind.COUNT:
            return {"type": "string", **about}
        return {"type": "integer", "minimum": self.least, "maximum": self.most, "default": self.otherwise, **about}

    def read(self, value: object) -> Any:
        """Read a value: a text, a whole number, or a moment without a zone where it names none.

        Raises:
            BadRequest: it is none, or missing where it must not be.
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
            # Of a date, all of the day is meant.
            return datetime.combine(date.fromisoformat(text), time.max if self.kind is Kind.LAST else time.min)
        except ValueError:
            pass
        try:
            return datetime.fromisoformat(text)
        except ValueError:
            wanted = "like 2026-04-30 or 2026-04-30T18:20"
            raise BadRequest(f"{self.name} must be {wanted}, not {_shown(text)}") from None


def schema_of(arguments: Sequence[Argument]) -> dict[str, Any]:
    """Describe what a tool may be given, all of it."""
    required = [each.name for each in arguments if each.is_required]
    described: dict[str, Any] = {"type": "object", "properties": {each.name: each.schema() for each in arguments}}
    return described | ({"required": required} if required else {})


def read(arguments: Sequence[Argument], given: Mapping[str, object]) -> dict[str, Any]:
    """Read what a tool was given: every argument by its name, None or its default where it is not given.

    Raises:
        BadRequest: something is missing, wrong, or unknown.
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
