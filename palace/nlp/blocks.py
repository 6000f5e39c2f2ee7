"""Telling a block of ours, which a model was given, from what somebody said. Pure.

Blocks are what ``palace.recall.pack`` and ``palace.agent.inject`` write. Each of their lines says which
drawer it quotes, and no angle bracket stands in them but those of their own tags: what they quote is written out
(``palace.nlp.inert``). So a block is told exactly, nothing that it quotes can end it, and whoever writes the tags
around words of their own has said these words.
"""

from __future__ import annotations

from typing import NamedTuple

from palace.nlp.rules import late

AFTER = "\n\n"
"""What stands between a block and the message that it is put in front of."""

_POINTER = r"§ W-[0-9]+/R-[0-9]+/D-[0-9]+"
_ROLE = r"(?:user|assistant|system|tool)"
# Nothing that was matched is given back: a text that only begins like a block is passed in one go.
_DRAWER = rf"(?>{_POINTER}(?: [^<>\n]*)? \| {_ROLE}\b[^<>\n]*\n(?:  [^<>\n]*\n)*+)"
_MEMORY = rf'(?><memory id="{_POINTER}" category="[a-z_ ]+" when="[^"<>\n]*" who="{_ROLE}[^<>\n]*">[^<>\n]*</memory>\n)'
_BLOCK = rf"(?:<memory_context>\n{_DRAWER}++</memory_context>|<memories>\n{_MEMORY}++</memories>)"
# A program may write the brackets out before it passes on what a hook has told, and wrap it up (Gemini CLI).
_PASSED_ON = (
    rf"(?:<hook_context>\s*+)?&lt;memory_context&gt;\n{_DRAWER}++&lt;/memory_context&gt;(?:\s*+</hook_context>)?"
)
_LEADING = late(rf"\A({_BLOCK})(?:\n\n|\Z)")
_ANYWHERE = late(rf"(?:{_BLOCK}|{_PASSED_ON})(?:\n\n)?")
_BEGINNINGS = ("<memor", "&lt;memory_context&gt;")


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
    return _ANYWHERE.sub("", text) if any(each in text for each in _BEGINNINGS) else text
