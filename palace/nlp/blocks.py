"""Recognise memory blocks that Palace gave to a model, so that they are not filed as messages. Pure.

``palace.recall.pack`` and ``palace.agent.inject`` write blocks. Each of their lines says which drawer it quotes, and
they contain no angle bracket but those of their own tags: brackets in quoted text are escaped (``palace.nlp.inert``).
So a block is recognised exactly and no quotation can end it; a user who puts the tags around words of their own has
said these words.
"""

from __future__ import annotations

from typing import NamedTuple

from palace.nlp.rules import late

AFTER = "\n\n"
"""Separator between a block and the message that it is put before."""

_POINTER = r"§ W-[0-9]+/R-[0-9]+/D-[0-9]+"
_ROLE = r"(?:user|assistant|system|tool)"
# Possessive, without backtracking: a text that only begins like a block takes linear time.
_DRAWER = rf"(?>{_POINTER}(?: [^<>\n]*)? \| {_ROLE}\b[^<>\n]*\n(?:  [^<>\n]*\n)*+)"
_MEMORY = rf'(?><memory id="{_POINTER}" category="[a-z_ ]+" when="[^"<>\n]*" who="{_ROLE}[^<>\n]*">[^<>\n]*</memory>\n)'
_BLOCK = rf"(?:<memory_context>\n{_DRAWER}++</memory_context>|<memories>\n{_MEMORY}++</memories>)"
# A client may escape the brackets of a hook's output and wrap it before it passes it on (Gemini CLI).
_PASSED_ON = (
    rf"(?:<hook_context>\s*+)?&lt;memory_context&gt;\n{_DRAWER}++&lt;/memory_context&gt;(?:\s*+</hook_context>)?"
)
_LEADING = late(rf"\A({_BLOCK})(?:\n\n|\Z)")
_ANYWHERE = late(rf"(?:{_BLOCK}|{_PASSED_ON})(?:\n\n)?")
_BEGINNINGS = ("<memor", "&lt;memory_context&gt;")


class SplitBlock(NamedTuple):
    """A text split into its leading block and the rest."""

    block: str
    """The block alone; "" where there is none."""
    rest: str


def split_block(text: str) -> SplitBlock:
    """Split the block off a text that begins with one."""
    found = _LEADING.match(text)
    return SplitBlock(found[1], text[found.end() :]) if found else SplitBlock("", text)


def without_blocks(text: str) -> str:
    """Remove every block from a text, wherever it stands: nobody said it."""
    return _ANYWHERE.sub("", text) if any(each in text for each in _BEGINNINGS) else text
