"""Boxes of a list that is ticked off, as Markdown writes them. Pure."""

from __future__ import annotations

import re

_BOX = re.compile(r"(?:[-*+]|\d{1,3}[.)])[ \t]+\[(?P<sign>[ xX✓✔]?)\](?=\s+\S)")
_DRAWN = re.compile(r"(?:[-*+][ \t]+)?(?P<sign>[☐☑☒✅])(?=\s*\S)")


def is_unticked(line: str) -> bool:
    """Tell whether a line is something to do that is not ticked: ``- [ ] order the seal``."""
    return _sign(line) in ("", " ", "☐")


def is_ticked(line: str) -> bool:
    """Tell whether a line is something to do that is ticked: ``- [x] order the seal``."""
    return _sign(line) not in (None, "", " ", "☐")


def _sign(line: str) -> str | None:
    found = _BOX.match(line.lstrip()) or _DRAWN.match(line.lstrip())
    return found["sign"] if found else None
