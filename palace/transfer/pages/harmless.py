"""Text of messages as it may stand in a page: what is not seen and acts on what shows it becomes visible. Pure."""

from __future__ import annotations

import re

# Controls but tab and line feed; marks that turn the direction of what follows, which could change how it reads.
_ACTING = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]")


def harmless(text: str) -> str:
    """Give a text with line ends as line feeds, and controls and marks of direction written as their numbers."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    return _ACTING.sub(lambda found: f"\\u{{{ord(found[0]):x}}}", lines)
