"""What the workers wrote down, held against what they promise. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Entry(NamedTuple):
    """A worker began with a conversation, or was done with it, when it had so many turns."""

    at: float
    pid: int
    what: str
    conversation: int
    turns: int


@dataclass(frozen=True, slots=True)
class Found:
    """What the log tells."""

    jobs_done: int
    """Conversations at a number of turns that were done."""
    missing: int
    """Of those there had to be."""
    done_again: int
    """What was done once more, because the worker that had done it was killed before it could say so."""
    out_of_order: int
    """What was done of a conversation after more of it had been."""
    at_once: int
    """Times that two workers which both lived were at one conversation together."""


def read_log(lines: Iterable[str]) -> list[Entry]:
    """Read the log, in order of time."""
    parts = (line.split() for line in lines)
    return sorted(Entry(float(at), int(pid), what, int(number), int(turns)) for at, pid, what, number, turns in parts)


def judge(entries: Sequence[Entry], *, conversations: int, turns: int) -> Found:
    """Say what was not as it has to be."""
    ends = [(entry.conversation, entry.turns) for entry in entries if entry.what == "end"]
    wanted = {(number, turn) for number in range(conversations) for turn in range(1, turns + 1)}
    return Found(
        jobs_done=len(set(ends)),
        missing=len(wanted - set(ends)),
        done_again=sum(count - 1 for count in Counter(ends).values()),
        out_of_order=_out_of_order(ends),
        at_once=_at_once(entries),
    )


def _out_of_order(ends: Sequence[tuple[int, int]]) -> int:
    most: dict[int, int] = {}
    found = 0
    for conversation, turns in ends:
        found += turns < most.get(conversation, 0)
        most[conversation] = max(turns, most.get(conversation, 0))
    return found


def _at_once(entries: Sequence[Entry]) -> int:
    """Count beginnings with a conversation that another process was at, and ended later: it lived."""
    ended: dict[tuple[int, int], list[float]] = {}
    for entry in entries:
        if entry.what == "end":
            ended.setdefault((entry.pid, entry.conversation), []).append(entry.at)
    found, begun = 0, dict[int, Entry]()
    for entry in entries:
        former = begun.get(entry.conversation)
        if entry.what == "begin":
            if former is not None and former.pid != entry.pid:
                later = [at for at in ended.get((former.pid, former.conversation), []) if at >= former.at]
                found += bool(later) and min(later) > entry.at
            begun[entry.conversation] = entry
    return found
