"""What pages tell a person to do and the tests cannot, with the reason; and what a page tells will be refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

_TOLD: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))

NEVER_RUN: dict[str, str] = _TOLD["never_run"]
"""Commands of any page, as patterns, each with why no test runs it; that it can be called so is tried all the same."""

NOT_RUN: dict[str, dict[str, str]] = _TOLD["not_run"]
"""Commands by page, each with why no test runs it there."""

REFUSED: dict[str, dict[str, str]] = _TOLD["refused"]
"""Commands by page that fail where they stand, as the page says or since nothing waits and nobody can be asked there,
with a part of what they say."""

OTHERS_OPTIONS: dict[str, str] = _TOLD["options_of_others"]
"""Options of other programs that prose names."""


def is_run(page: str, command: str) -> bool:
    """Whether a command of a page is run by its tests."""
    return command not in NOT_RUN.get(page, {}) and not any(re.match(pattern, command) for pattern in NEVER_RUN)
