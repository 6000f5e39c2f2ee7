"""Safe access to fields of parsed, unvalidated JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def parsed(text: object) -> Any:
    """Parse JSON; return None for invalid JSON or a value that is no text."""
    try:
        return json.loads(text) if isinstance(text, str | bytes) else None
    except (ValueError, RecursionError):
        return None


def as_object(value: object) -> dict[str, Any]:
    """Return a JSON object unchanged, and {} for any other value."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    """Return a JSON array unchanged, and [] for any other value."""
    return value if isinstance(value, list) else []


def objects(value: object) -> list[dict[str, Any]]:
    """Return the items of a JSON array, with {} for those that are no objects."""
    return [as_object(item) for item in as_list(value)]


def text_field(record: dict[str, Any], *names: str) -> str | None:
    """Return the first of the named fields that contains text other than white space, or None."""
    for name in names:
        value = record.get(name)
        if isinstance(value, str) and value.strip():
            return value
    return None


def id_field(record: dict[str, Any], *names: str) -> str | None:
    """Return the first of the named fields that can be an id, text or an integer, as text; None if there is none."""
    for name in names:
        value = record.get(name)
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
    return None


def object_field(record: dict[str, Any], *names: str) -> dict[str, Any]:
    """Return the nested object at a path of names, or {}."""
    for name in names:
        record = as_object(record.get(name))
    return record


def nested_text(record: dict[str, Any], name: str, *inner: str) -> str | None:
    """Return the text of a field or, if the field is an object, of the first of its named fields with text."""
    return text_field(record, name) or text_field(as_object(record.get(name)), *inner)


def count_field(record: dict[str, Any], name: str, default: int = 1) -> int:
    """Return a plausible count, such as of reactions, else the default."""
    count = record.get(name)
    return count if isinstance(count, int) and 0 < count < 1_000_000 else default


def some_of(texts: Sequence[str], most: int) -> str:
    """Join the first ``most`` texts with commas, followed by how many more there are."""
    more = f" and {len(texts) - most} more" if len(texts) > most else ""
    return ", ".join(texts[:most]) + more


def as_name(text: str | None) -> str | None:
    """Return a storable name: no NUL, no lone surrogates, no outer white space; None if empty."""
    return _UNSTORABLE.sub("\ufffd", text).strip() or None if text else None


def as_title(text: str | None, length: int = 120) -> str | None:
    """Return a title: a name on one line, of at most ``length`` characters; None if empty."""
    line = " ".join((as_name(text) or "").split())
    return (line if len(line) <= length else f"{line[: length - 1].rstrip()}…") or None
