"""Which hits are put beside a message, and the block that says them: within a number of items and of tokens. Pure.

The same hits give the same bytes: no clock and no score is written, and nothing of the moment it is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import Literal, TypeVar

from palace.llm.tokens import TokenCounter
from palace.recall.pack import line_writer, memory_context
from palace.recall.recent.block import recent_context
from palace.records import Drawer, Hit, Recent, RecentItem, Recollection
from palace.text.secrets.accounts import with_accounts
from palace.turns.injection.memories import memories, recent_memories

Format = Literal["memory_context", "memories", "none"]
FORMATS: tuple[Format, ...] = ("memory_context", "memories", "none")
"""With ``none`` nothing is put into requests: there are the hits alone."""
UNBOUNDED = 10_000_000
"""Tokens that no block has: here the model's own tokens are counted instead."""
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Written:
    """A block with what it says."""

    block: str = ""
    hits: tuple[Hit, ...] = ()
    drawer_ids: tuple[int, ...] = ()
    """Every drawer that it quotes, each once."""


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes blocks."""

    format: Format
    tokens: TokenCounter
    budget: int
    """Tokens that a block has at most."""
    zone: tzinfo
    accounts: str = "mask"
    """What is shown of account numbers: "show", "mask" or "remove"."""

    def of_hits(self, recollection: Recollection, hits: Sequence[Hit], most: int) -> Written:
        """Write the first hits that fit, ``most`` of them at most; what is too long gives its place to the next."""
        if self.format == "none":
            return Written(hits=tuple(hits[:most]))

        write_hit = line_writer(self.zone)

        def write(chosen: Sequence[Hit]) -> str:
            if self.format == "memories":
                return memories(chosen, self.zone)
            found = Recollection(recollection.query, tuple(chosen), order=recollection.order)
            return memory_context(found, token_budget=UNBOUNDED, zone=self.zone, write=write_hit)

        kept, block = self._fit(hits[:most], write)
        shown = (drawer for hit in kept for drawer in self._shown(hit))
        return Written(with_accounts(block, self.accounts), tuple(kept), _ids(shown))

    def of_recent(self, recent: Recent, most: int, first: Sequence[RecentItem] = ()) -> Written:
        """Write ``first``, then what is coming up, what stands open, what tells most, as far as they fit."""
        if self.format == "none":
            return Written()
        told = sorted(recent.told, key=lambda item: -item.score)
        ahead = {id(item) for item in first}
        shown = {item.drawer.id for item in first}
        items = [*first, *(item for item in (*recent.coming, *recent.open, *told) if item.drawer.id not in shown)][
            :most
        ]

        def write(chosen: Sequence[RecentItem]) -> str:
            if self.format == "memories":
                return recent_memories(chosen, self.zone)
            leading = [item for item in chosen if id(item) in ahead]
            return recent_context(_of(recent, chosen), token_budget=UNBOUNDED, zone=self.zone, first=leading)

        kept, block = self._fit(items, write)
        return Written(with_accounts(block, self.accounts), (), _ids(item.drawer for item in kept))

    def _shown(self, hit: Hit) -> Sequence[Drawer]:
        return (hit.drawer,) if self.format == "memories" else (*hit.asked_before(), hit.drawer, *hit.after)

    def _fit(self, items: Sequence[Item], write: Callable[[Sequence[Item]], str]) -> tuple[list[Item], str]:
        """Keep the items that fit, the first ones first; the whole is written and counted, as it will be sent."""
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


def _of(recent: Recent, items: Sequence[RecentItem]) -> Recent:
    chosen = {id(item) for item in items}
    told, ends, coming = (
        tuple(item for item in part if id(item) in chosen) for part in (recent.told, recent.open, recent.coming)
    )
    return Recent(recent.since, recent.until, told, ends, coming)


def _ids(drawers: Iterable[Drawer]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(drawer.id for drawer in drawers))
