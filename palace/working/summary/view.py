"""A history as it stands behind a checkpoint: the summary, and what it does not stand for. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from palace.working.counting import MessageCounter
from palace.working.exchanges import Group, Parted, part
from palace.working.kept import Kept
from palace.working.mending import History, mend
from palace.working.shape import Entry
from palace.working.summary.block import block_of, is_summary, tidied
from palace.working.summary.checkpoint import Checkpoint


@dataclass(frozen=True, slots=True)
class View:
    """What may be sent of a history."""

    mended: History
    parted: Parted
    block: dict[str, Any] | None
    """The message of the summary; None as long as there is none."""
    pinned: int
    """Tokens of the system messages, and of the beginning of the reply."""
    beside: int
    """Those, and the tokens of the summary."""

    @property
    def tokens(self) -> int:
        """What all of it takes."""
        return self.beside + sum(group.cost for exchange in self.parted.exchanges for group in exchange)

    def kept(self, groups: Sequence[Group], length: int) -> Kept:
        """Put what was chosen beside the system messages, and the summary in front of the first that was chosen."""
        said = [entry for group in groups for entry in group.entries]
        entries = sorted((*self.parted.pinned, *said), key=lambda entry: entry.place)
        messages = [entry.message for entry in entries]
        if self.block is not None:
            first = min((entry.place for entry in said), default=len(entries))
            messages.insert(sum(entry.place < first for entry in self.parted.pinned), self.block)
        left_out = length - len(entries)
        return Kept(messages, left_out, self.beside + sum(group.cost for group in groups))


def view_of(entries: Sequence[Entry], checkpoint: Checkpoint, counter: MessageCounter) -> View:
    """Leave out what a checkpoint stands for, and take the rest apart."""
    live = [
        entry
        for entry in entries
        if not is_summary(entry)
        and (entry.is_pinned or entry.place >= checkpoint.covered or entry.place in checkpoint.stays)
    ]
    mended = mend(live)
    parted = part(mended, counter.count)
    block = block_of(checkpoint.summary) if checkpoint.summary else None
    pinned = counter.count_all(parted.pinned)
    summed = _cost(checkpoint.summary, counter) if block else 0
    return View(mended, parted, block, pinned, pinned + summed)


def frame_of(counter: MessageCounter) -> int:
    """Give the tokens of a summary's message that are not those of the summary."""
    return _cost("", counter)


def shortened(summary: str, limit: int, counter: MessageCounter) -> str:
    """Cut a summary whose message takes more than it may behind the last word that fits."""
    if _cost(summary, counter) <= limit:
        return summary
    low, high = 0, len(summary)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if _cost(summary[:middle], counter) <= limit else (low, middle - 1)
    cut = summary[:low]
    return tidied(cut[: cut.rfind(" ")] if " " in cut else cut)


def _cost(summary: str, counter: MessageCounter) -> int:
    block = block_of(summary)
    return counter.count(Entry(-1, block, block))
