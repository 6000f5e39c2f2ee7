"""Makes text from memory safe to print: nothing in it can drive a terminal or reorder a line."""

from __future__ import annotations

import re

_CONTROL_PICTURES = {code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in "\t\n"}
"""The Unicode block Control Pictures draws C0 controls: ESC becomes ␛."""

_BIDI = (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_NAMED = {code: f"<U+{code:04X}>" for code in (*range(0x80, 0xA0), 0x2028, 0x2029, 0xFEFF, *_BIDI)}
_SYMBOLS = {**_CONTROL_PICTURES, 0x7F: "␡", **_NAMED}


def visible(text: str) -> str:
    """Show control characters and bidirectional overrides as symbols; keep line ends and tabs."""
    return text.replace("\r\n", "\n").translate(_SYMBOLS)


def one_line(text: str) -> str:
    """Show text on one line: every run of white space is one space, control characters are symbols."""
    return re.sub(r"\s+", " ", text).translate(_SYMBOLS)
