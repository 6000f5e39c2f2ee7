"""The format ``<memories>``: an element a memory, for prompts that were written for it. Pure.

    block  = "<memories>" LF, { memory LF }, "</memories>"
    memory = '<memory id="', pointer, '" category="', category, '" when="', when, '" who="', who, '">', text,
             "</memory>"

``when`` and ``who`` are those of ``palace.recall.pack``; the text is one line. Quotation marks of these two are written
out, as is whatever is markup in a text.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo

from palace.recall.pack import cited_line, written_item
from palace.records import Hit, RecentItem, Role

OPEN, CLOSE = "<memories>", "</memories>"
_BAR = " | "
_OF_ROLE = {Role.USER: "said", Role.ASSISTANT: "reply", Role.SYSTEM: "system", Role.TOOL: "tool"}
_OF_SIGNAL = {"standing": "instruction"}


def memories(hits: Sequence[Hit], zone: tzinfo) -> str:
    """Write hits as a block; "" without one."""
    return _block([_element(cited_line(hit, zone), category_of(hit)) for hit in hits])


def recent_memories(items: Sequence[RecentItem], zone: tzinfo) -> str:
    """Write what is recent as such a block; its category is why it is shown."""
    return _block([_element(written_item(each.drawer, each.sentence, "", zone), each.why.value) for each in items])


def category_of(hit: Hit) -> str:
    """Name what a hit is: "instruction", else "said", "reply", "system" or "tool" by who said it."""
    told = [_OF_SIGNAL[signal.arm] for signal in hit.arms if signal.arm in _OF_SIGNAL]
    return told[0] if told and hit.drawer.role is Role.USER else _OF_ROLE[hit.drawer.role]


def _element(line: str, category: str) -> str:
    pointer, when, who, text = line.split(_BAR, 3)
    when, who = when.replace('"', "&quot;"), who.replace('"', "&quot;")
    shown = " ".join(text.split())
    return f'<memory id="{pointer}" category="{category}" when="{when}" who="{who}">{shown}</memory>'


def _block(elements: Sequence[str]) -> str:
    return "\n".join((OPEN, *elements, CLOSE)) if elements else ""
