"""Changing the texts within a value, each beside the name that it bears: a password is known by its name. Pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

Change = Callable[[str], str]
_LONGEST = 2_000
"""Letters of a value that its name can tell of; what is longer is known by itself."""


def changed(value: Any, change: Change) -> Any:
    """Give a value as JSON holds it with its texts changed: each by itself, beside its name, and all together."""
    if isinstance(value, str):
        return change(value)
    if (words := _words(value)) is not None:
        return _changed_words(value, words, change)
    inner = _inner(value, change)
    return _whole(inner, change) if isinstance(inner, (dict, list)) else inner


def _inner(value: Any, change: Change) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {name: _beside(name, _inner(each, change), change) for name, each in value.items()}
    return [_inner(each, change) for each in value] if isinstance(value, (list, tuple)) else value


def _beside(name: str, value: Any, change: Change) -> Any:
    """Change what a name leads to, a number as well."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)) or len(str(value)) > _LONGEST:
        return value
    lead = f"{json.dumps(name, ensure_ascii=False)}: "
    written = lead + json.dumps(value, ensure_ascii=False)
    now = change(written)
    if now == written:
        return value
    return _read(now[len(lead) :], now[len(lead) :]) if now.startswith(lead) else now


def _whole(value: Any, change: Change) -> Any:
    """Change what only what stands beside it tells of: ``{"name": "password", "value": …}``."""
    written = json.dumps(value, ensure_ascii=False)
    now = change(written)
    return value if now == written else _read(now, value)


def _read(written: str, otherwise: Any) -> Any:
    try:
        return json.loads(written)
    except ValueError:
        return otherwise


def _words(value: Any) -> list[str] | None:
    """Give the texts of a content in parts that has nothing else."""
    if not isinstance(value, list) or not all(isinstance(part, dict) for part in value):
        return None
    texts = [part.get("text") for part in value if part.keys() <= {"type", "text"}]
    return [text for text in texts if isinstance(text, str)] if len(texts) == len(value) else None


def _changed_words(value: list[dict[str, Any]], words: list[str], change: Change) -> Any:
    """Change texts in parts; they are one where only both together say what is to be changed."""
    alone = [change(text) for text in words]
    together = change("\n".join(alone))
    if len(alone) != len(value) or together != "\n".join(alone):
        return together
    return [{**part, "text": text} for part, text in zip(value, alone, strict=True)]
