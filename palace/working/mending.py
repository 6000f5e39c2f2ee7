"""What no provider takes is left out of a history: results without their call, calls without a result. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from palace.working.shape import Called, Entry, without_calls


@dataclass(frozen=True, slots=True)
class History:
    """A history that begins with a user's message and whose calls and results belong together."""

    entries: tuple[Entry, ...]
    """In the order in which they were given."""
    bonds: tuple[tuple[int, int], ...]
    """Of each message with results the places of it and of its last result."""
    warnings: tuple[str, ...]
    """What was left out because no provider takes it, in a line each."""


def mend(entries: Sequence[Entry]) -> History:
    """Leave out what no provider takes.

    A result belongs to the latest call with its id in front of it; one that belongs to none is left out. A call that
    was not answered is taken out of its message, and the message with it where that says nothing else; at the end of
    the history it stays, because its result is still to come. In front of the first message of a user's only system
    messages stay.
    """
    first = next((entry.place for entry in entries if entry.is_user), len(entries))
    said = [entry for entry in entries if entry.place >= first or entry.instructs]
    answered, orphans = _pair(said)
    waiting_from = _end_of_answered(said)
    kept: list[Entry] = []
    unanswered = 0
    for entry in said:
        if entry.place in orphans:
            continue
        missing = frozenset(entry.calls) - answered.get(entry.place, {}).keys()
        mended: Entry | None = entry
        if missing and entry.place < waiting_from:
            unanswered += len(missing)
            mended = without_calls(entry, missing)
        if mended is not None:
            kept.append(mended)
    bonds = tuple((place, max(results.values())) for place, results in sorted(answered.items()) if results)
    return History(tuple(kept), bonds, tuple(_told(len(orphans), unanswered)))


def _pair(entries: Sequence[Entry]) -> tuple[dict[int, dict[Called, int]], set[int]]:
    """Find the last result of each call, by the place of the message that calls, and results that belong to none."""
    latest: dict[Called, int] = {}
    answered: dict[int, dict[Called, int]] = {}
    orphans: set[int] = set()
    for entry in entries:
        for called in entry.calls:
            latest[called] = entry.place
        if (answers := entry.answers) is None:
            continue
        if (calling := latest.get(answers)) is None:
            orphans.add(entry.place)
        else:
            answered.setdefault(calling, {})[answers] = entry.place
    return answered, orphans


def _end_of_answered(entries: Sequence[Entry]) -> int:
    """Give the place from which on calls wait for results: nobody said anything after it but tools."""
    said = (entry.place for entry in reversed(entries) if entry.answers is None and not entry.instructs)
    return next(said, 0)


def _told(orphans: int, unanswered: int) -> list[str]:
    told = []
    if orphans:
        told.append(f"{orphans:,} tool results without their call were left out: no provider takes them")
    if unanswered:
        told.append(f"{unanswered:,} tool calls that were never answered were left out: no provider takes them")
    return told
