"""Telling a block of ours from what somebody said. Pure.

A block holds no angle bracket but those of its own tags: what it quotes is written out (``palace.text.inert``). So it
is told exactly, and nothing that it quotes can end it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

AFTER = "\n\n"
"""What stands between a block and the message that it is put in front of."""

_BLOCK = (
    r"(?:<memory_context>\n[^<>]*</memory_context>"
    r"|<memories>\n(?:<memory [^<>]*>[^<>]*</memory>\n)*</memories>)"
)
_LEADING = re.compile(rf"\A({_BLOCK})(?:\n\n|\Z)")
_ANYWHERE = re.compile(rf"{_BLOCK}(?:\n\n)?")


class Parted(NamedTuple):
    """A text with the block that it begins with."""

    block: str
    """Without what stands behind it; "" where there is none."""
    rest: str


def part_block(text: str) -> Parted:
    """Take the block off a text that begins with one."""
    found = _LEADING.match(text)
    return Parted(found[1], text[found.end() :]) if found else Parted("", text)


def without_blocks(text: str) -> str:
    """Take every block out of a text, wherever it stands: it was never said."""
    return _ANYWHERE.sub("", text)
