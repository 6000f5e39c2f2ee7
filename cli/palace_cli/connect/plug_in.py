"""opencode's plug-in, a file that is Palace's as a whole; its hooks are read like those in other files. Pure."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from palace_cli.connect.jsonc import Refused

_HOOKS = "const HOOKS = "


def data_of(text: str) -> dict[str, Any]:
    """Return the hooks of a plug-in; none of an empty text.

    Raises:
        Refused: it is not Palace's.
    """
    if not text.strip():
        return {}
    line = next((line for line in text.splitlines() if line.startswith(_HOOKS)), None)
    if line is None or text.partition("\n")[0] != _template().partition("\n")[0]:
        raise Refused("it is a plug-in that was not written by palace connect: rename or remove it first")
    try:
        return {"hooks": json.loads(line.removeprefix(_HOOKS))}
    except ValueError as problem:
        raise Refused("its hooks cannot be read: remove the file") from problem


def written(text: str, hooks: dict[str, Any]) -> str:
    """Return the plug-in with some hooks, in place of a text that is empty or Palace's.

    Raises:
        Refused: the text is another's.
    """
    data_of(text)
    return _template().replace(f"{_HOOKS}{{}}", f"{_HOOKS}{json.dumps(hooks, ensure_ascii=False)}")


def without(text: str) -> str:
    """Return "" for Palace's plug-in, and another's unchanged."""
    try:
        data_of(text)
    except Refused:
        return text
    return ""


@cache
def _template() -> str:
    return Path(__file__).with_name("opencode.js").read_text(encoding="utf-8")
