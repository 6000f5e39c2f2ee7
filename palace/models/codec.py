"""Write a JSON Schema of records in the form that `to_json` writes, with their docstrings as descriptions.

https://json-schema.org/draft/2020-12/schema. Imported only where it is needed.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from palace.errors import PalaceError
from palace.models import Pointer

DIALECT = "https://json-schema.org/draft/2020-12/schema"

_PLAIN: dict[object, dict[str, object]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    NoneType: {"type": "null"},
    datetime: {"type": "string", "format": "date-time"},
    date: {"type": "string", "format": "date"},
    Decimal: {
        "type": "string",
        "description": "US dollars, as a decimal number.",
        "pattern": r"^-?\d+(\.\d+)?(E-?\d+)?$",
    },
    Path: {"type": "string"},
    object: {},
    Pointer: {"type": "string", "pattern": r"^§ W-\d{3,}/R-\d{2,}/D-\d{3,}$"},
}


def json_schema(records: Iterable[type]) -> dict[str, object]:
    """Return a JSON Schema of record types and the types in their fields, each under ``$defs`` by name."""
    shapes: dict[str, dict[str, object]] = {}
    waiting = list(records)
    while waiting:
        record = waiting.pop()
        if record.__name__ not in shapes:
            shapes[record.__name__] = _shape(record, waiting)
    return {"$schema": DIALECT, "$defs": dict(sorted(shapes.items()))}


def _shape(record: type, waiting: list[type]) -> dict[str, object]:
    """Return the schema of one type; types of its fields are appended to ``waiting``."""
    meanings = _meanings(record)
    described = {"description": inspect.cleandoc(record.__doc__ or "")}
    if issubclass(record, StrEnum):
        return {**described, "type": "string", "enum": [member.value for member in record]}
    members = {name: _typed(hint, waiting) for name, hint in get_type_hints(record).items()}
    for name, meaning in meanings.items():
        members[name] = {**members[name], "description": meaning}
    return {**described, "type": "object", "properties": members, "required": [*members], "additionalProperties": False}


def _typed(hint: Any, waiting: list[type]) -> dict[str, object]:
    if hint in _PLAIN:
        return _PLAIN[hint]
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return {"anyOf": [_typed(argument, waiting) for argument in arguments]}
    if origin is tuple and arguments[-1] is not Ellipsis:
        shapes = [_typed(argument, waiting) for argument in arguments]
        return {"type": "array", "prefixItems": shapes, "minItems": len(shapes), "maxItems": len(shapes)}
    if origin in (tuple, list, Sequence):
        return {"type": "array", "items": _typed(arguments[0], waiting)}
    if origin in (dict, Mapping):
        return {"type": "object", "additionalProperties": _typed(arguments[1], waiting)}
    if not _is_record(hint):
        raise TypeError(f"{hint!r} has no shape in JSON")
    waiting.append(hint)
    return {"$ref": f"#/$defs/{hint.__name__}"}


def _is_record(hint: object) -> bool:
    return isinstance(hint, type) and (is_dataclass(hint) or hasattr(hint, "_fields") or issubclass(hint, StrEnum))


def _meanings(record: type) -> dict[str, str]:
    """Return the docstrings below each field by name, with None replaced by null."""
    body = _classes(record.__module__)[record.__qualname__].body
    return {
        field.target.id: re.sub(r"\bNone\b", "null", " ".join(said.value.value.split()))
        for field, said in pairwise(body)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(said, ast.Expr) and isinstance(said.value, ast.Constant) and isinstance(said.value.value, str)
    }


@cache
def _classes(module: str) -> dict[str, ast.ClassDef]:
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}


def to_json(value: object, *, indent: int | None = None) -> str:
    """Write a record, or a tuple of records, as one JSON document; see ``json_value`` for the form.

    Raises:
        TypeError: a value has no form in JSON.
        ValueError: a number is not finite.
    """
    return json.dumps(json_value(value), ensure_ascii=False, indent=indent, allow_nan=False)


def json_value(value: object) -> object:
    """Convert a record into values that ``json`` can write.

    A dataclass becomes an object keyed by its field names; so does a named tuple, except a pointer, which becomes its
    citation ("§ W-001/R-02/D-003"). Times are ISO 8601 with their offset, dates without, money is a string so that no
    digit is lost, enumerations are their values, sequences are arrays. An error becomes its code and message.
    """
    if isinstance(value, (Pointer, Decimal, Path)):
        return str(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, PalaceError):
        value = {"code": value.code, "message": str(value)}
    if is_dataclass(value):
        return {field.name: json_value(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): json_value(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return _json_sequence(value)
    return value


def _json_sequence(value: tuple[object, ...] | list[object]) -> object:
    names: tuple[str, ...] | None = getattr(value, "_fields", None)
    items = [json_value(item) for item in value]
    return dict(zip(names, items, strict=True)) if names else items
