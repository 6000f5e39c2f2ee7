"""Careful access to the fields of parsed JSON, whose types nobody has checked."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def parsed(text: object) -> Any:
    """Parse JSON; None where it cannot be, or is no text."""
    try:
        return json.loads(text) if isinstance(text, str | bytes) else None
    except (ValueError, RecursionError):
        return None


def as_object(value: object) -> dict[str, Any]:
    """Return the JSON object itself, or an empty one where the value is anything else."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    """Return the JSON array itself, or an empty one where the value is anything else."""
    return value if isinstance(value, list) else []


def objects(value: object) -> list[dict[str, Any]]:
    """List the items of a JSON array, those that are no objects as empty ones."""
    return [as_object(item) for item in as_list(value)]


def text_field(record: dict[str, Any], *names: str) -> str | None:
    """Return the first of the named fields that holds text with more than white space in it."""
    for name in names:
        value = record.get(name)
        if isinstance(value, str) and value.strip():
            return value
    return None


def id_field(record: dict[str, Any], *names: str) -> str | None:
    """Return the first of the named fields that can be an id: text, or a whole number written as text."""
    for name in names:
        value = record.get(name)
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
    return None


def object_field(record: dict[str, Any], *names: str) -> dict[str, Any]:
    """Return the object that stands below these names one after another; an empty one where there is none."""
    for name in names:
        record = as_object(record.get(name))
    return record


def nested_text(record: dict[str, Any], name: str, *inner: str) -> str | None:
    """Return a field that holds text, or the first of the named fields with text of the object it holds."""
    return text_field(record, name) or text_field(as_object(record.get(name)), *inner)


def count_field(record: dict[str, Any], name: str, default: int = 1) -> int:
    """Return a count, of reactions say, that can be believed; else the default."""
    count = record.get(name)
    return count if isinstance(count, int) and 0 < count < 1_000_000 else default


def some_of(texts: Sequence[str], most: int) -> str:
    """Write the first of some texts in a row, and how many more there are."""
    more = f" and {len(texts) - most} more" if len(texts) > most else ""
    return ", ".join(texts[:most]) + more


def as_name(text: str | None) -> str | None:
    """Make a name or title fit to be stored: no NUL, no lone surrogate, no white space around it."""
    return _UNSTORABLE.sub("\ufffd", text).strip() or None if text else None


def as_title(text: str | None, length: int = 120) -> str | None:
    """Make a title: a name on one line, of at most ``length`` characters."""
    line = " ".join((as_name(text) or "").split())
    return (line if len(line) <= length else f"{line[: length - 1].rstrip()}…") or None
