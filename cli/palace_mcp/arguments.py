"""What a tool may be given: declared once, published as a JSON schema, and read strictly. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from enum import Enum
from typing import Any

from palace.errors import BadRequest

LONGEST_SHOWN = 60
"""Characters of a wrong value that are told."""

NOT_GIVEN = frozenset({"", "null", "none", "undefined"})
"""How models write that they give nothing, in lower case, where an argument need not be given."""

_WHOLE = re.compile(r"-?[0-9]{1,18}")


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
        told = {"description": self.about} if self.about else {}
        if self.kind is not Kind.COUNT:
            return {"type": "string", **told}
        return {"type": "integer", "minimum": self.least, "maximum": self.most, "default": self.otherwise, **told}

    def read(self, value: object) -> Any:
        """Read a value: a text, a whole number, or a moment without a zone where it names none.

        Raises:
            BadRequest: it is none.
        """
        return _READERS[self.kind](self, value)


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
    known = {each.name: each for each in arguments}
    for name in given:
        if name not in known:
            raise BadRequest(f"there is no argument {_shown(name)}: there is {', '.join(known) or 'none'}")
    return {name: _value(each, given.get(name)) for name, each in known.items()}


def _value(argument: Argument, given: object) -> Any:
    if argument.is_required:
        if given is None:
            raise BadRequest(f"{argument.name} is missing")
        return argument.read(given)
    is_given = given is not None and not (isinstance(given, str) and given.strip().lower() in NOT_GIVEN)
    return argument.read(given) if is_given else argument.otherwise


def _text(argument: Argument, value: object) -> str:
    if not isinstance(value, str):
        raise BadRequest(f"{argument.name} must be text, not {_shown(value)}")
    return value


def _count(argument: Argument, value: object) -> int:
    # Some hosts write numbers as texts, and whole ones with a point.
    number = _whole(value)
    if number is None or not argument.least <= number <= argument.most:
        wanted = f"a whole number from {argument.least:,} to {argument.most:,}"
        raise BadRequest(f"{argument.name} must be {wanted}, not {_shown(value)}")
    return number


def _whole(value: object) -> int | None:
    if isinstance(value, str):
        return int(value) if _WHOLE.fullmatch(value) else None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _moment(argument: Argument, value: object) -> datetime:
    text = _text(argument, value).strip()
    try:
        # Of a date, all of the day is meant.
        return datetime.combine(date.fromisoformat(text), time.max if argument.kind is Kind.LAST else time.min)
    except ValueError:
        pass
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise BadRequest(f"{argument.name} must be like 2026-04-30 or 2026-04-30T18:20, not {_shown(text)}") from None


_READERS: dict[Kind, Callable[[Argument, object], Any]] = {
    Kind.TEXT: _text,
    Kind.COUNT: _count,
    Kind.FIRST: _moment,
    Kind.LAST: _moment,
}


def _shown(value: object) -> str:
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "a list"
    shown = repr(value)
    return shown if len(shown) <= LONGEST_SHOWN else f"{shown[:LONGEST_SHOWN]}…"
