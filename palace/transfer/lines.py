"""Converts the lines of an export to bytes and back. Pure; docs/export.md describes the format field by field."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any, TypeVar, get_args

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from palace.models.json_values import LARGEST, Malformed
from palace.models.lines import EndLine, HeaderLine, Line

FORMAT = "palace-export"
VERSION = 6
"""The version written; 5, of 0.2.0, can be read too."""
FIRST_VERSION = 5
NO_EXPORT = "is not an export of a palace"

# Valid in JSON strings, but some programs treat them as line ends.
_LINE_ENDS = {"\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"}

_KINDS: dict[str, type[Line]] = {kind.line: kind for kind in get_args(Line)}

_CODECS: dict[type[Any], TypeAdapter[Any]] = {}
"""Created on first use: each takes some milliseconds."""

_SAID = {
    "bool_type": "is neither true nor false",
    "dataclass_type": "is not an object",
    "finite_number": "is not a number",
    "float_type": "is not a number",
    "int_type": "is not an integer",
    "string_pattern_mismatch": "holds a NUL or a lone surrogate",
    "string_too_long": "is longer than {max_length:,} characters",
    "string_too_short": "is empty",
    "string_type": "is not a text",
    "string_unicode": "holds a NUL or a lone surrogate",
    "too_short": "has no value",
    "too_long": "has more than {max_length:,} values",
    "tuple_type": "is not an array",
}
"""Messages by pydantic's type of error."""

Record = TypeVar("Record")


def write_header(header: HeaderLine) -> bytes:
    """Write the first line."""
    return _line({"format": FORMAT, "version": VERSION}, header)


def write_line(line: Line) -> bytes:
    """Write a line between the first and the last."""
    return _line({"line": line.line}, line)


def write_end(end: EndLine) -> bytes:
    """Write the last line."""
    return _line({"end": FORMAT}, end)


def read_header(raw: bytes) -> tuple[HeaderLine, int]:
    """Parse the first line; return it with the file's version.

    Raises:
        Malformed: it is not the first line of an export, or of a later version.
    """
    try:
        members = _members(raw)
    except Malformed as problem:
        raise Malformed(NO_EXPORT) from problem
    if members.pop("format", None) != FORMAT:
        raise Malformed(NO_EXPORT)
    version = members.pop("version", None)
    if isinstance(version, bool) or not isinstance(version, int) or not FIRST_VERSION <= version <= VERSION:
        known = f"versions {FIRST_VERSION} to {VERSION}"
        raise Malformed(f"is an export of version {version!r}, this program reads {known}: update Palace")
    return _record(HeaderLine, members), version


def read_line(raw: bytes, version: int = VERSION, *, is_cut: bool = False) -> Line | EndLine:
    """Parse any line but the first, of a file of that version; ``is_cut`` if only its beginning was read.

    Raises:
        Malformed: it violates the format.
    """
    if is_cut:
        raise Malformed("is longer than a line can be")
    members = _members(raw)
    if members.get("end") == FORMAT:
        del members["end"]
        return _record(EndLine, members)
    kind = members.pop("line", None)
    if not isinstance(kind, str) or kind not in _KINDS:
        raise Malformed("is of no known kind")
    try:
        _check_version(_KINDS[kind], members, version)
        return _record(_KINDS[kind], members)
    except Malformed as problem:
        raise Malformed(f"of this {kind}, {problem}") from problem


def _codec(kind: type[Record]) -> TypeAdapter[Record]:
    if kind not in _CODECS:
        _CODECS[kind] = TypeAdapter(kind)
    return _CODECS[kind]


def _record(kind: type[Record], members: dict[str, Any]) -> Record:
    try:
        return _codec(kind).validate_python(members)
    except ValidationError as problem:
        raise Malformed(_first_of(problem.errors(include_url=False))) from problem


def _check_version(kind: type[Line], members: dict[str, Any], version: int) -> None:
    """Refuse members that the version does not have, and require those that it introduced."""
    for field in fields(kind):
        since = field.metadata.get("since", FIRST_VERSION)
        if since > version and field.name in members:
            raise Malformed(f"has {field.name!r}, which it cannot have")
        if FIRST_VERSION < since <= version and field.name not in members:
            raise Malformed(f"lacks {field.name!r}")


def _first_of(problems: list[ErrorDetails]) -> str:
    """Return the first error as the rest of a sentence: an unknown member, else the first in order of members."""
    problem = next((each for each in problems if each["type"] == "unexpected_keyword_argument"), problems[0])
    words = [repr(name) for name in problem["loc"] if isinstance(name, str)]
    match problem["type"]:
        case "unexpected_keyword_argument":
            words[-1] = f"has {words[-1]}, which it cannot have"
        case "missing":
            words[-1] = f"lacks {words[-1]}"
        case _:
            words.append(_said_of(problem))
    return " ".join(words)


def _said_of(problem: ErrorDetails) -> str:
    value, given = problem["input"], problem.get("ctx", {})
    match problem["type"]:
        case "value_error":
            return str(given["error"])
        case "enum":
            return f"is none of {given['expected'].replace(' or ', ', ')}".replace("'", "")
        case "greater_than_equal" | "less_than_equal":
            return _said_of_bound(value, **given)
        case known:
            return _SAID[known].format(**given)


def _said_of_bound(value: int, *, ge: int = 0, le: int = LARGEST) -> str:
    if not 0 <= value <= LARGEST:
        return f"is not between 0 and {LARGEST:,}"
    return f"is not {ge:,} or more" if value < ge else f"is not {le:,} or less"


def _line(begin: dict[str, object], record: Line | HeaderLine | EndLine) -> bytes:
    members = begin | _codec(type(record)).dump_python(record, mode="json")
    line = json.dumps(members, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for end, escaped in _LINE_ENDS.items():
        line = line.replace(end, escaped)
    return line.encode("utf-8") + b"\n"


def _members(raw: bytes) -> dict[str, Any]:
    if not raw.endswith(b"\n"):
        raise Malformed("is cut off")
    try:
        members = json.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError) as problem:
        raise Malformed("is not JSON in UTF-8") from problem
    if not isinstance(members, dict):
        raise Malformed("is not a JSON object")
    return members
