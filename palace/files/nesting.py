"""How deep JSON from outside may be nested, and what is done with JSON that is deeper. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from itertools import chain
from typing import Any

MOST_LEVELS = 32
"""Objects and arrays within each other; what Palace writes itself has 5 at most."""

LEFT_OUT = f"(left out: nested deeper than {MOST_LEVELS} levels)"
"""Stands in the place of an object or an array that is."""

_SPARE = 8
"""Levels that reading leaves beyond the bound, so that whoever looks next finds it too deep as well."""

_PARTS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}]|[^"\[\]{}]+')


def is_deeper(value: object, most: int = MOST_LEVELS) -> bool:
    """Check whether a value of JSON has more levels; however many they are, this does not recurse."""
    here = [value]
    for _ in range(most):
        here = list(chain.from_iterable(map(_inside, here)))
        if not here:
            return False
    return any(isinstance(each, (dict, list)) for each in here)


def shallow(value: object, most: int = MOST_LEVELS) -> object:
    """Return a value of JSON with a remark in the place of what is nested deeper."""
    if not isinstance(value, (dict, list)):
        return value
    if most == 0:
        return LEFT_OUT
    if isinstance(value, list):
        return [shallow(each, most - 1) for each in value]
    return {name: shallow(each, most - 1) for name, each in value.items()}


def shallow_object(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object of JSON with a remark in the place of what is nested deeper in it."""
    return {name: shallow(each, MOST_LEVELS - 1) for name, each in value.items()}


def read_json(written: str | bytes) -> object:
    """Read what a database holds as JSON; of what is nested too deep for that, what is not too deep."""
    try:
        return json.loads(written)
    except RecursionError:
        text = written if isinstance(written, str) else written.decode("utf-8")
        return json.loads(_shallow_text(text, MOST_LEVELS + _SPARE))


def _shallow_text(text: str, most: int) -> str:
    kept, level = [], 0
    for part in _PARTS.findall(text):
        if part in ("[", "{"):
            level += 1
            if level == most + 1:
                kept.append(json.dumps(LEFT_OUT))
        if level <= most:
            kept.append(part)
        if part in ("]", "}"):
            level -= 1
    return "".join(kept)


def _inside(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
