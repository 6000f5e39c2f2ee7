"""Conversations of one file read one by one, so that a bad one fails alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from palace.errors import UnreadableSource
from palace.mining.readers.json_faults import TOO_DEEP
from palace.mining.readers.json_records import CutOffLine, Record
from palace.mining.readers.reading import UNREAD_LINES, Reading
from palace.records import Conversation

EMPTY_CONVERSATIONS = "conversations without messages"


def read_each(
    records: Iterator[Record],
    reading: Reading,
    read: Callable[[Record], Iterator[Conversation]],
    empty: str = EMPTY_CONVERSATIONS,
) -> Iterator[Conversation]:
    """Read each record as conversations of its own; one that cannot be read is noted, and the others go on.

    A record in which nothing is said is counted as ``empty``. JSON that is broken within an array raises all the
    same: nobody can tell where the next conversation begins.
    """
    try:
        for record in records:
            yield from read_alone(record, reading, read, empty)
    except CutOffLine as problem:
        reading.miss(problem, UNREAD_LINES)


def read_alone(
    record: Record,
    reading: Reading,
    read: Callable[[Record], Iterator[Conversation]],
    empty: str = EMPTY_CONVERSATIONS,
) -> Iterator[Conversation]:
    """Read one record; where it cannot be read, note that and give nothing."""
    if record.fault is not None:
        reading.miss(record.fault, UNREAD_LINES)
        return
    failed = reading.troubles
    try:
        found = tuple(read(record))
    except UnreadableSource as problem:
        reading.failures.append(problem)
        return
    except RecursionError:
        reading.failures.append(reading.problem(TOO_DEEP, record.place("conversation")))
        return
    if not found and reading.troubles == failed:
        reading.leave_out(empty)
    yield from found
