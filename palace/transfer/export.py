"""Exporting: reading a palace as of one moment and writing it line by line, ending with a checksum."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from palace.cancellation import go_on
from palace.config.folders import refused, written_whole
from palace.db.activity import iter_events
from palace.db.counts import get_counts
from palace.db.database import UserDatabase, UserSession
from palace.db.graph.decisions import iter_decisions
from palace.db.replies import iter_replies
from palace.db.settings import iter_settings
from palace.db.transfer import rows
from palace.errors import NotFound
from palace.models import OnProgress, Phase, Progress, Wing
from palace.models.lines import ConversationPart, DrawerLine, EndLine, HeaderLine, Line
from palace.transfer.lines import write_end, write_header, write_line


class ExportWriter:
    """Writes the lines of an export to a stream, beginning with the header."""

    def __init__(self, stream: BinaryIO, header: HeaderLine) -> None:
        self._stream = stream
        self._sha = hashlib.sha256()
        self._lines = 0
        self.counts: Counter[type[Line]] = Counter()
        """The number of lines of each kind."""
        self.bytes = 0
        self._write(write_header(header))

    def write(self, line: Line) -> None:
        """Write one line."""
        self._write(write_line(line))
        self.counts[type(line)] += 1

    def finish(self) -> None:
        """Write the last line; a file without it counts as truncated."""
        self._write(write_end(EndLine(self._lines, self._sha.hexdigest())))
        with refused("the export"):
            self._stream.flush()

    def _write(self, raw: bytes) -> None:
        with refused("the export"):
            self._stream.write(raw)
        self._sha.update(raw)
        self._lines += 1
        self.bytes += len(raw)


@contextmanager
def replacing(path: Path, *, force: bool) -> Iterator[BinaryIO]:
    """Open a temporary file for writing, readable for its owner alone, which replaces ``path`` on success.

    Raises:
        BadRequest: the file exists and ``force`` is not set, or no file can be written there.
    """
    # Closing flushes, and fails again where writing failed.
    with written_whole(path, force=force) as partial, partial.open("wb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


LineFilter = Callable[[Sequence[Line]], Iterable[Line]]


@dataclass(frozen=True, slots=True)
class Export:
    """An export of a user's palace, or of one wing."""

    database: UserDatabase
    wing: Wing | None = None
    progress: OnProgress | None = None
    settings: bool = False
    """Whether it includes the user's settings."""
    among: Sequence[int] | None = None
    """The ids of the conversations to export, without events; None for all."""
    decisions: bool = True
    """Whether it includes the decisions about entities."""
    filter: LineFilter | None = None
    """Takes the lines of a conversation, or a single other line, and returns those to write."""

    def write_to(self, stream: BinaryIO) -> ExportWriter:
        """Write everything as of one moment, while miners go on; the returned writer has the counts.

        Raises:
            NotFound: the wing does not exist any more.
            BadRequest: the stream cannot be written.
        """
        with self.database.transaction(snapshot=True) as session:
            total = get_counts(session)["drawer"] if self.wing is None else self.wing.drawer_count
            writer = ExportWriter(stream, rows.get_header(session))
            for line in self.lines(session) if self.filter is None else _filtered(self.filter, self.lines(session)):
                go_on()
                writer.write(line)
                if self.progress and isinstance(line, DrawerLine):
                    done = writer.counts[DrawerLine]
                    self.progress(Progress(Phase.WRITE, done, max(done, total), "drawers"))
        writer.finish()
        return writer

    def lines(self, session: UserSession) -> Iterator[Line]:
        """Yield the lines to write, all from one snapshot."""
        wing_id = self.wing.id if self.wing else None
        runs = rows.number_runs(session, wing_id, self.among)
        yield from rows.iter_runs(session, runs)
        if self.wing is None and self.among is None:
            # In a wing's export they would reveal what was mined into others.
            yield from iter_events(session, runs)
        wings = rows.list_wings(session, wing_id)
        if self.wing and not wings:
            raise NotFound("this wing was forgotten or merged meanwhile; `palace ls` lists what there is")
        yield from wings
        if self.wing is None:
            # In a wing's export they would reveal names in others; and settings are not a wing's.
            yield from iter_decisions(session) if self.decisions else ()
            if self.settings:
                yield from iter_settings(session)
        for page in rows.iter_conversation_pages(session, wing_id, self.among):
            ids = [row.id for row in page]
            rooms = rows.list_rooms(session, ids, wing_id)
            parts = [
                _Following(rows.iter_drawers(session, ids, wing_id, runs)),
                _Following(rows.iter_tombstones(session, ids, wing_id, runs)),
                _Following(iter_replies(session, ids, wing_id)),
            ]
            for row in page:
                yield rows.conversation_line(row, runs)
                yield from rooms.get(row.id, ())
                for part in parts:
                    yield from part.of(row.id)


def _filtered(line_filter: LineFilter, lines: Iterator[Line]) -> Iterator[Line]:
    """Filter lines: those of a conversation together, all others one by one."""
    together: list[Line] = []
    for line in lines:
        if together and not isinstance(line, ConversationPart):
            yield from line_filter(together)
            together = []
        together.append(line)
    if together:
        yield from line_filter(together)


class _Following:
    """Consumes lines sorted by conversation, one conversation at a time."""

    def __init__(self, lines: Iterator[tuple[int, Any]]) -> None:
        self._lines = lines
        self._next = next(lines, None)

    def of(self, conversation_id: int) -> Iterator[Line]:
        while self._next and self._next[0] == conversation_id:
            yield self._next[1]
            self._next = next(self._lines, None)
