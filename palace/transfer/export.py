"""Exporting: reading a palace as of one moment and writing it line by line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Generic, TypeVar

from palace.cancellation import go_on
from palace.db.activity import iter_events
from palace.db.counts import get_counts
from palace.db.database import UserDatabase, UserSession
from palace.db.graph.decisions import iter_decisions
from palace.db.replies import iter_replies
from palace.db.settings import iter_settings
from palace.db.transfer import rows
from palace.errors import NotFound
from palace.models import OnProgress, Phase, Progress, Wing
from palace.models.lines import DrawerLine, Line, ReplyLine, TombstoneLine
from palace.transfer.writing import ExportWriter

Part = TypeVar("Part", DrawerLine, TombstoneLine, ReplyLine)


@dataclass(frozen=True, slots=True)
class Export:
    """One export of one user's palace, or of a wing of it."""

    database: UserDatabase
    wing: Wing | None = None
    progress: OnProgress | None = None
    settings: bool = False
    """Whether it takes along what the user has set."""

    def write_to(self, stream: BinaryIO) -> ExportWriter:
        """Write everything as of one moment, while miners go on; the writer says how much it was.

        Raises:
            NotFound: the wing has gone.
            BadRequest: the stream cannot be written.
        """
        with self.database.transaction(snapshot=True) as session:
            total = get_counts(session)["drawer"] if self.wing is None else self.wing.drawer_count
            writer = ExportWriter(stream, rows.get_header(session))
            for line in self.lines(session):
                go_on()
                writer.write(line)
                if self.progress and isinstance(line, DrawerLine):
                    done = writer.counts[DrawerLine]
                    self.progress(Progress(Phase.WRITE, done, max(done, total), "drawers"))
        writer.finish()
        return writer

    def lines(self, session: UserSession) -> Iterator[Line]:
        """Give what is to be written, all of one snapshot."""
        wing_id = self.wing.id if self.wing else None
        runs = rows.number_runs(session, wing_id)
        yield from rows.iter_runs(session, runs)
        if self.wing is None:
            # Of a wing's export they would tell what was mined into others.
            yield from iter_events(session, runs)
        wings = rows.list_wings(session, wing_id)
        if self.wing and not wings:
            raise NotFound("this wing was forgotten or merged meanwhile; `palace ls` lists what there is")
        yield from wings
        if self.wing is None:
            # Of a wing's export they would tell who is named in others, and settings are not a wing's.
            yield from iter_decisions(session)
            if self.settings:
                yield from iter_settings(session)
        for page in rows.iter_conversation_pages(session, wing_id):
            ids = [row.id for row in page]
            rooms = rows.list_rooms(session, ids, wing_id)
            drawers = _Following(rows.iter_drawers(session, ids, wing_id, runs))
            tombstones = _Following(rows.iter_tombstones(session, ids, wing_id, runs))
            replies = _Following(iter_replies(session, ids, wing_id))
            for row in page:
                yield rows.conversation_line(row, runs)
                yield from rooms.get(row.id, ())
                yield from drawers.of(row.id)
                yield from tombstones.of(row.id)
                yield from replies.of(row.id)


class _Following(Generic[Part]):
    """Lines of several conversations, taken one conversation at a time in the order they come."""

    def __init__(self, lines: Iterator[tuple[int, Part]]) -> None:
        self._lines: Iterator[tuple[int, Part]] = lines
        self._next: tuple[int, Part] | None = next(lines, None)

    def of(self, conversation_id: int) -> Iterator[Part]:
        while self._next and self._next[0] == conversation_id:
            yield self._next[1]
            self._next = next(self._lines, None)
