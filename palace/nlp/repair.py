"""Text that Postgres cannot hold, made holdable."""

from __future__ import annotations

import re

UNHOLDABLE = re.compile("[\x00\ud800-\udfff]")
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def repair(text: str) -> tuple[str, bool]:
    """Replace each NUL and each lone surrogate by U+FFFD; tell whether there was any. Lengths stay the same."""
    repaired, count = UNHOLDABLE.subn(REPLACEMENT, text)
    return repaired, count > 0
