"""What goes between Palace and Postgres, counted from libpq's trace of its own protocol messages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import Any

import psycopg
from psycopg.pq import Trace

_MESSAGE = re.compile(rb"^([FB])\t(\d+)\t(\w+)(?:\t([^\n]*))?", re.MULTILINE)
_FRAMES = (b"BEGIN", b"COMMIT", b"ROLLBACK", b"SET")
"""Commands that work on no rows: where a transaction begins and ends, and as whom."""
_ASKS_FOR_ANSWERS = (b"Query", b"Sync")
"""Behind a ``Sync``, the driver asks for the answers of several statements by a ``Flush`` as well, without waiting."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Messages of one call, of all its connections together."""

    statements: int
    """Commands that were completed, those of transactions aside."""
    frames: int
    """``BEGIN``, ``COMMIT``, ``ROLLBACK`` and ``SET``."""
    round_trips: int
    """How often the client asked for answers; on several connections these may overlap."""
    rows: int
    bytes_sent: int
    bytes_received: int


class Traffic:
    """The connections that are made while this is entered, and what goes over them during a call."""

    def __enter__(self) -> Traffic:
        """Watch the connections that psycopg makes from now on."""
        self._connect, self._connections = psycopg.connect, list[Any]()

        def connect(*arguments: Any, **options: Any) -> Any:
            self._connections.append(made := self._connect(*arguments, **options))
            return made

        psycopg.connect = connect
        return self

    def __exit__(self, *_: object) -> None:
        """Let connections be made as before."""
        psycopg.connect = self._connect

    def of(self, call: Callable[[], object]) -> Counts:
        """Count the messages of a call; those that open a connection are left out."""
        with ExitStack() as files:
            # Each connection writes a file of its own: long lines of two would run into each other.
            traced = {each: files.enter_context(TemporaryFile()) for each in self._connections if not each.closed}
            for connection, trace in traced.items():
                connection.pgconn.trace(trace.fileno())
                connection.pgconn.set_trace_flags(Trace.SUPPRESS_TIMESTAMPS)
            try:
                call()
            finally:
                for connection in traced:
                    connection.pgconn.untrace()
            messages = []
            for trace in traced.values():
                trace.seek(0)
                messages += _MESSAGE.findall(trace.read())
            return _count(messages)


def _count(messages: list[tuple[bytes, bytes, bytes, bytes]]) -> Counts:
    completed = [text.strip(b'" ') for _, _, name, text in messages if name == b"CommandComplete"]
    frames = sum(command.startswith(_FRAMES) for command in completed)
    names = Counter(name for _, _, name, _ in messages)
    sizes: Counter[bytes] = Counter()
    for side, size, _, _ in messages:
        # A message's type is one byte more than the length it names.
        sizes[side] += int(size) + 1
    return Counts(
        statements=len(completed) - frames,
        frames=frames,
        round_trips=sum(names[name] for name in _ASKS_FOR_ANSWERS),
        rows=names[b"DataRow"],
        bytes_sent=sizes[b"F"],
        bytes_received=sizes[b"B"],
    )
