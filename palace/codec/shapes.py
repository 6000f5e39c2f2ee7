"""Writes a JSON Schema of records as ``values`` turns them into JSON, with what their docstrings say of each field.

https://json-schema.org/draft/2020-12/schema. Nothing here is loaded before somebody asks for it.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import is_dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from palace.records import Pointer
from palace.records.source import WholeFile

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
    WholeFile: {},
    Pointer: {"type": "string", "pattern": r"^§ W-\d{3,}/R-\d{2,}/D-\d{3,}$"},
}


def json_schema(records: Iterable[type]) -> dict[str, object]:
    """Describe record types and all that stands in them, each under ``$defs`` by its name."""
    shapes: dict[str, dict[str, object]] = {}
    waiting = list(records)
    while waiting:
        record = waiting.pop()
        if record.__name__ not in shapes:
            shapes[record.__name__] = _shape(record, waiting)
    return {"$schema": DIALECT, "$defs": dict(sorted(shapes.items()))}


def _shape(record: type, waiting: list[type]) -> dict[str, object]:
    """Describe one type; what it names goes to those that are waiting."""
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
    """Read what the source says below each field; what is None in Python is null in JSON."""
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
