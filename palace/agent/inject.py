"""Write memory blocks within a number of items and of tokens, and insert them into messages. Pure.

The same hits give the same bytes: no clock and no score is written. Providers cache the beginning of a request, so a
block stays with the message it was recalled for, byte for byte, in each later request.

The format ``<memories>`` has one element per memory, for prompts that were written for it:

    block  = "<memories>" LF, { memory LF }, "</memories>"
    memory = '<memory id="', pointer, '" category="', category, '" when="', when, '" who="', who, '">', text,
             "</memory>"

``when`` and ``who`` are those of ``palace.recall.pack``; the text is one line. Quotation marks in these two are
escaped, as is markup in a text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import Any, Literal, TypeVar

from palace.agent.messages import Message
from palace.ai.tokens import TokenCounter
from palace.models import Drawer, Hit, Recent, RecentItem, Recollection, Role
from palace.nlp.blocks import AFTER
from palace.nlp.secrets.numbers import with_accounts
from palace.recall.pack import cited_line, line_writer, memory_context, recent_context, written_item

Format = Literal["memory_context", "memories", "none"]
FORMATS: tuple[Format, ...] = ("memory_context", "memories", "none")
"""With ``none`` no block is written: the caller gets only the hits."""
Place = Literal["user", "system"]
PLACES: tuple[Place, ...] = ("user", "system")
"""``user`` puts a block at the beginning of the user's message, ``system`` into a system message before it; some
providers move system messages to the front of the request."""
UNBOUNDED = 10_000_000
"""More tokens than any block has: here the budget is applied with the model's own tokenizer instead."""
OPEN, CLOSE = "<memories>", "</memories>"
_OF_ROLE = {Role.USER: "said", Role.ASSISTANT: "reply", Role.SYSTEM: "system", Role.TOOL: "tool"}
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class MemoryBlock:
    """A block and its contents."""

    block: str = ""
    hits: tuple[Hit, ...] = ()
    drawer_ids: tuple[int, ...] = ()
    """The drawers that it quotes, each once."""


@dataclass(frozen=True, slots=True)
class BlockWriter:
    """Writes memory blocks."""

    format: Format
    tokens: TokenCounter
    budget: int
    """Tokens of a block, at most."""
    zone: tzinfo
    accounts: str = "mask"
    """How account numbers are shown: "show", "mask" or "remove"."""

    def of_hits(self, recollection: Recollection, hits: Sequence[Hit], most: int) -> MemoryBlock:
        """Write the first hits that fit, at most ``most``; one that is too long is skipped."""
        if self.format == "none":
            return MemoryBlock(hits=tuple(hits[:most]))
        write_hit = line_writer(self.zone)

        def write(chosen: Sequence[Hit]) -> str:
            if self.format == "memories":
                return _memories([(cited_line(hit, self.zone), category_of(hit)) for hit in chosen])
            found = Recollection(recollection.query, tuple(chosen), order=recollection.order)
            return memory_context(found, token_budget=UNBOUNDED, zone=self.zone, write=write_hit)

        kept, block = self._fit(hits[:most], write)
        alone = self.format == "memories"
        shown = (
            each for hit in kept for each in ((hit.drawer,) if alone else (*hit.asked_before(), hit.drawer, *hit.after))
        )
        return MemoryBlock(with_accounts(block, self.accounts), tuple(kept), _ids(shown))

    def of_recent(self, recent: Recent, most: int, first: Sequence[RecentItem] = ()) -> MemoryBlock:
        """Write ``first``, then upcoming items, open ends, and the most telling statements, as far as they fit."""
        if self.format == "none":
            return MemoryBlock()
        ahead, shown = {id(item) for item in first}, {item.drawer.id for item in first}
        others = (*recent.coming, *recent.open, *sorted(recent.told, key=lambda item: -item.score))
        items = [*first, *(item for item in others if item.drawer.id not in shown)]

        def write(chosen: Sequence[RecentItem]) -> str:
            if self.format == "memories":
                lines = ((written_item(each.drawer, each.sentence, "", self.zone), each) for each in chosen)
                return _memories([(line, each.why.value) for line, each in lines])
            leading = [item for item in chosen if id(item) in ahead]
            return recent_context(_only(recent, chosen), token_budget=UNBOUNDED, zone=self.zone, first=leading)

        kept, block = self._fit(items[:most], write)
        return MemoryBlock(with_accounts(block, self.accounts), (), _ids(item.drawer for item in kept))

    def _fit(self, items: Sequence[Item], write: Callable[[Sequence[Item]], str]) -> tuple[list[Item], str]:
        """Keep the items that fit, in order; each attempt is written and counted as it would be sent."""
        block = write(items)
        if self.tokens.count(block) <= self.budget:
            return list(items), block
        kept: list[Item] = []
        block = ""
        for item in items:
            longer = write([*kept, item])
            if self.tokens.count(longer) <= self.budget:
                kept, block = [*kept, item], longer
        return kept, block


def category_of(hit: Hit) -> str:
    """Return the category of a hit: the type of a memory, "instruction", else "said", "reply", "system" or "tool"."""
    if hit.memory is not None:
        return hit.memory.type.value
    is_instruction = hit.drawer.role is Role.USER and any(signal.arm == "standing" for signal in hit.arms)
    return "instruction" if is_instruction else _OF_ROLE[hit.drawer.role]


def placed(messages: Sequence[Message], blocks: Mapping[int, str], place: Place) -> list[Any]:
    """List messages ready to send, with blocks inserted at the given indices."""
    return [each for number, message in enumerate(messages) for each in _sent(message, blocks.get(number, ""), place)]


def as_given(messages: Sequence[Message]) -> list[Any]:
    """List messages as the program passed them, including the blocks in them."""
    return [message.said if isinstance(message.given, str) else message.given for message in messages]


def _memories(memories: Sequence[tuple[str, str]]) -> str:
    elements = []
    for line, category in memories:
        pointer, when, who, text = line.split(" | ", 3)
        when, who, text = when.replace('"', "&quot;"), who.replace('"', "&quot;"), " ".join(text.split())
        elements.append(f'<memory id="{pointer}" category="{category}" when="{when}" who="{who}">{text}</memory>')
    return "\n".join((OPEN, *elements, CLOSE)) if elements else ""


def _sent(message: Message, block: str, place: Place) -> Iterator[Any]:
    if message.is_block:
        return
    if not block:
        yield message.said
    elif place == "system":
        yield {"role": "system", "content": block}
        yield message.said
    else:
        content = message.shape.get("content")
        parts = content if isinstance(content, (list, tuple)) else None
        with_block = f"{block}{AFTER}{content or ''}" if parts is None else [{"type": "text", "text": block}, *parts]
        yield {**message.shape, "content": with_block}


def _only(recent: Recent, items: Sequence[RecentItem]) -> Recent:
    chosen = {id(item) for item in items}
    told, ends, coming = (
        tuple(item for item in part if id(item) in chosen) for part in (recent.told, recent.open, recent.coming)
    )
    shown = {item.drawer.id for item in items}
    left_out = sum(item.drawer.id not in shown for item in recent.coming)
    return Recent(recent.since, recent.until, told, ends, coming, recent.more_coming + left_out)


def _ids(drawers: Iterable[Drawer]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(drawer.id for drawer in drawers))
