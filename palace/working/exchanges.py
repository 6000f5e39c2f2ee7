"""A history in exchanges: a message of a user's and what followed it, in groups that cannot be taken apart. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from palace.working.mending import History
from palace.working.shape import Entry


@dataclass(frozen=True, slots=True)
class Group:
    """Messages that are kept or left out together."""

    entries: tuple[Entry, ...]
    cost: int

    @property
    def size(self) -> int:
        """How many messages it has; a block of recall's is none."""
        return sum(not entry.is_block for entry in self.entries)

    @property
    def is_user(self) -> bool:
        """Whether it is a user's message, with blocks of recall's at most."""
        return all(entry.is_user for entry in self.entries if not entry.is_block)


Exchange = tuple[Group, ...]
"""Its first group is the user's message."""


@dataclass(frozen=True, slots=True)
class Parted:
    """A history taken apart."""

    pinned: tuple[Entry, ...]
    """System messages, which stay."""
    exchanges: tuple[Exchange, ...]


def part(history: History, cost: Callable[[Entry], int]) -> Parted:
    """Take a history apart; ``cost`` says what each message of it takes of the room there is."""
    pinned = tuple(entry for entry in history.entries if entry.is_pinned)
    others = [entry for entry in history.entries if not entry.is_pinned]
    if not any(entry.is_user for entry in others):
        return Parted(pinned, ())
    exchanges: list[list[Group]] = []
    for entries in _stretches(others, _ties(others, history.bonds)):
        group = Group(tuple(entries), sum(cost(entry) for entry in entries))
        if group.is_user:
            exchanges.append([])
        exchanges[-1].append(group)
    return Parted(pinned, tuple(tuple(groups) for groups in exchanges))


def _ties(entries: Sequence[Entry], bonds: Sequence[tuple[int, int]]) -> set[int]:
    """Find the places of messages that are not parted from what stands in front of them."""
    ends = dict(bonds)
    tied: set[int] = set()
    until = -1
    for number, entry in enumerate(entries):
        if entry.place <= until or (number and _is_beside(entries, number)):
            tied.add(entry.place)
        until = max(until, ends.get(entry.place, -1))
    return tied


def _is_beside(entries: Sequence[Entry], number: int) -> bool:
    """Whether a message belongs to the one in front of it because one of them is a block of recall's.

    A block belongs to a user's message beside it: the one in front of it, else the one behind it.
    """
    before, here = entries[number - 1], entries[number]
    if here.is_block:
        return before.is_block or before.is_user or not _leads(entries, number)
    return before.is_block and here.is_user and _leads(entries, number - 1)


def _leads(entries: Sequence[Entry], number: int) -> bool:
    """Whether a block stands in front of the user's message that it belongs to."""
    behind = next((entry for entry in entries[number:] if not entry.is_block), None)
    before = next((entry for entry in reversed(entries[:number]) if not entry.is_block), None)
    return behind is not None and behind.is_user and not (before is not None and before.is_user)


def _stretches(entries: Sequence[Entry], tied: set[int]) -> list[list[Entry]]:
    stretches: list[list[Entry]] = []
    for entry in entries:
        if entry.place in tied and stretches:
            stretches[-1].append(entry)
        else:
            stretches.append([entry])
    return stretches
