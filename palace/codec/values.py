"""Turns records into JSON: the command line's ``--json``, and whoever else sends a record somewhere."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path

from palace.errors import PalaceError
from palace.records import Pointer


def to_json(value: object, *, indent: int | None = None) -> str:
    """Write a record, or several in a tuple, as one JSON document; ``json_value`` says how each value is written.

    Raises:
        TypeError: there is something in it that no record holds.
        ValueError: a number is not finite.
    """
    return json.dumps(json_value(value), ensure_ascii=False, indent=indent, allow_nan=False)


def json_value(value: object) -> object:
    """Turn a record into what ``json`` can write.

    A dataclass becomes an object keyed by its field names; so does a named tuple, except a pointer, which
    becomes its citation ("§ W-001/R-02/D-003"). Moments are ISO 8601 with their offset, days without, money is
    a string so that no digit is lost, enumerations are their values, sequences are arrays. An error is its code and
    its line.
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
