"""Importing: the file is checked completely first; then one conversation after the other is filed.

This is for a palace's own export; ``join`` is for another palace's. After an interruption, the same import goes on:
existing drawers are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, tzinfo
from functools import partial
from typing import Any, ClassVar

from palace.config.zones import in_zone
from palace.db.activity import file_events
from palace.db.counts import fold_counts, refresh_statistics
from palace.db.database import UserDatabase, UserSession
from palace.db.filing.conversations import (
    ensure_conversation,
    find_conversation,
    get_end_contents,
    lock_conversation,
    restore_title,
    write_edges,
)
from palace.db.filing.places import find_rooms
from palace.db.graph.decisions import file_decisions
from palace.db.replies import file_replies
from palace.db.settings import file_settings
from palace.db.transfer import filing, places
from palace.db.users import get_palace_key
from palace.errors import DatabaseRefused, DataRefused, UnreadableSource
from palace.models import MemoryPart, MovedPlace, NewDrawer, OnProgress, Phase, Progress
from palace.models.external_keys import Key
from palace.models.lines import ConversationLine, DrawerLine, ExportedConversation, SettingLine, TombstoneLine, WingLine
from palace.nlp.edges import edges_of, lines_of
from palace.nlp.sentences import index_message
from palace.transfer.parsing import Contents

MEANWHILE = "something was filed meanwhile by somebody else; run the same command again"


@dataclass(frozen=True, slots=True)
class Missing:
    """The lines of a conversation that a palace lacks."""

    drawers: tuple[DrawerLine, ...]
    tombstones: tuple[TombstoneLine, ...]
    forgotten: int


@dataclass(slots=True)
class Import:
    """An import of a palace's own export; the subclass ``Join`` imports another palace's."""

    database: UserDatabase
    contents: Contents
    progress: OnProgress | None = None
    zone: tzinfo = UTC
    """The user's time zone, by which the days that a text speaks of are cut."""
    settings: Sequence[SettingLine] = ()
    """The settings to import from the file."""
    new: int = 0
    unchanged: int = 0
    forgotten: int = 0
    warnings: tuple[str, ...] = ()
    """What could not be imported, one line each."""
    moved_places: list[MovedPlace] = field(default_factory=list)
    """Rooms and drawers of another palace's file that have other pointers here."""
    buried: list[TombstoneLine] = field(default_factory=list)
    """The tombstones in another palace's file, with the identities that their drawers have here."""
    _runs: dict[int, int] = field(default_factory=dict)
    """Ids of the file's runs, by their indices in it from 1."""
    _wings: dict[int, WingLine] = field(default_factory=dict)

    is_other: ClassVar[bool] = False
    """Whether the file is of another palace."""

    def file(self) -> None:
        """File what the palace lacks; vectors and the other index steps are left pending.

        Raises:
            DatabaseRefused: a place was forgotten meanwhile, or something was filed meanwhile in an empty palace.
            UnreadableSource: the file was changed since it was checked.
        """
        self._wings = {wing.number: wing for wing in self.contents.wings}
        with self._held("its runs and wings"):
            self._runs = self.database.run(self._begin)
        self.contents.left_out = self.database.run(self._unfounded)
        self.forgotten = len(self.contents.left_out)
        for conversation in self.contents.conversations_again():
            with self._held(f"conversation {conversation.line.identity}"):
                self._file_conversation(conversation)
            if self.progress:
                done = self.new + self.unchanged + self.forgotten
                self.progress(Progress(Phase.FILE, done, self.contents.drawers, "drawers", self.contents.file))
        self._link()
        self._finish()
        self.database.run(fold_counts)
        self.database.run(refresh_statistics)

    def _unfounded(self, session: UserSession) -> set[bytes]:
        """List the memories of the file that stand on what is forgotten here, or on such memories."""
        citing = self.contents.citing
        known = filing.find_known(session, [each for evidence in citing.values() for each in evidence])
        gone, lost = known.forgotten - known.filed, set[bytes]()
        while more := {each for each in citing.keys() - lost if not (gone | lost).isdisjoint(citing[each])}:
            lost |= more
        return lost

    @contextmanager
    def _held(self, place: str) -> Iterator[None]:
        """Translate refused data into an error that names the part of the file; the check should have found it."""
        try:
            yield
        except DataRefused as problem:
            reason = f"the database cannot hold it: {problem.reason}"
            raise UnreadableSource(self.contents.file, reason, place=place) from problem

    def _begin(self, session: UserSession) -> dict[int, int]:
        contents = self.contents
        places.lock_palace(session)
        standing = places.find_standing(session, contents.header)
        if standing is places.Standing.OTHER:
            raise DatabaseRefused(MEANWHILE)
        places.take_over(session, contents.header)
        # In a palace that is not empty, a wing is created with its first room: it may have been forgotten.
        for wing in contents.wings:
            places.renew_wing(session, wing, makes=standing is places.Standing.EMPTY)
        file_decisions(session, contents.decisions)
        file_settings(session, self.settings)
        runs = dict(enumerate(places.file_runs(session, contents.runs), start=1))
        file_events(session, contents.events, runs=runs)
        return runs

    def _file_conversation(self, conversation: ExportedConversation) -> None:
        """File one conversation: its places in a short transaction, its drawers and tombstones in another."""
        conversation = self._as_known(conversation)
        self._prepare(conversation)
        missing = self.database.run(lambda session: self._place(session, conversation), flush=False)
        drawers = [(line, new_drawer(line, self.zone)) for line in missing.drawers]
        new, forgotten = 0, missing.forgotten
        if missing.drawers or missing.tombstones:
            new, forgotten = self.database.run(lambda session: self._file(session, conversation, drawers), flush=False)
        if conversation.replies:
            # Apart from its drawers, so that an import that was interrupted in between resumes.
            self.database.run(lambda session: file_replies(session, conversation.line.identity, conversation.replies))
        self.new += new
        self.forgotten += forgotten
        self.unchanged += len(conversation.drawers) - new - forgotten

    def _as_known(self, conversation: ExportedConversation) -> ExportedConversation:
        """Return a conversation with the identities that it has here."""
        return self.database.run(lambda session: _as_known(session, conversation), flush=False)

    def _prepare(self, conversation: ExportedConversation) -> None:
        """Create what a conversation needs before it is filed."""

    def _finish(self) -> None:
        """Finish the import once everything is filed."""

    def _link(self) -> None:
        """Record which drawers replace or answer which, across conversations."""
        for conversation in self.contents.conversations_again():
            if any(line.replaced_at is not None or line.answers is not None for line in conversation.drawers):
                link = partial(filing.link_again, lines=conversation.drawers, runs=self._runs)
                self.database.run(link, flush=False)

    def _place(self, session: UserSession, conversation: ExportedConversation) -> Missing:
        missing = find_missing(session, conversation)
        line, drawers = conversation.line, conversation.drawers
        conversation_id = find_conversation(session, line.identity)
        wanted = {drawer.slice for drawer in missing.drawers}
        if conversation_id is None:
            if drawers and not missing.drawers and not missing.tombstones:
                return missing
            # A conversation that is forgotten here does not get its title back without drawers.
            title = line.title if missing.drawers or not drawers else None
            conversation_id = make_conversation(session, line, title, self._runs[line.run])
            wanted |= {room.slice for room in conversation.rooms} - {drawer.slice for drawer in drawers}
        places.renew_rooms(session, conversation_id, conversation.rooms, self._wings, wanted=wanted)
        return missing

    def _file(
        self,
        session: UserSession,
        conversation: ExportedConversation,
        drawers: Sequence[tuple[DrawerLine, NewDrawer]],
    ) -> tuple[int, int]:
        """File what is still missing; return how many drawers were new, and how many are forgotten."""
        conversation_id = find_conversation(session, conversation.line.identity)
        if conversation_id is None or not lock_conversation(session, conversation_id):
            raise DatabaseRefused("what is imported is forgotten meanwhile; run the same command again")
        rooms = find_rooms(session, conversation_id)
        # Checked again under the lock: a miner may have filed the same turns meanwhile.
        missing = find_missing(session, conversation)
        wanted = {line.identity for line in missing.drawers}
        drawers = [(line, drawer) for line, drawer in drawers if line.identity in wanted]
        if any(line.slice not in rooms for line, _ in drawers):
            raise DatabaseRefused("what is imported is forgotten meanwhile; run the same command again")
        new = 0
        if drawers:
            new = filing.file_again(
                session, conversation_id, drawers, rooms=rooms, runs=self._runs, is_other=self.is_other
            )
            restore_title(session, conversation_id, conversation.line.title)
        _write_edges(session, conversation_id, conversation.line)
        filing.bury_again(session, conversation_id, missing.tombstones, runs=self._runs)
        return new, missing.forgotten


def make_conversation(session: UserSession, line: ConversationLine, title: str | None, run_id: int) -> int:
    """Find a conversation of a file, or create it as filed by a run at its time; return its id."""
    return ensure_conversation(
        session, identity=line.identity, reader=line.reader, title=title, run_id=run_id, filed_at=line.filed_at
    )


def _as_known(session: UserSession, conversation: ExportedConversation) -> ExportedConversation:
    """Return a conversation with its identity here: its opening may have been hashed since."""
    line = conversation.line
    hidden = Key(get_palace_key(session)).hide_name(line.identity)
    if hidden == line.identity or find_conversation(session, hidden) is None:
        return conversation
    # Some of its edges may contain secrets that were removed here.
    return replace(conversation, line=replace(line, identity=hidden, edges=()))


def _write_edges(session: UserSession, conversation_id: int, line: ConversationLine) -> None:
    """Store the edges of a conversation without an id; left out ones are computed from what is filed here."""
    edges = set(line.edges)
    if not edges and line.identity.startswith(f"{line.reader}:~"):
        edges = edges_of(lines_of(get_end_contents(session, conversation_id)))
    if edges:
        write_edges(session, conversation_id, edges)


def find_missing(session: UserSession, conversation: ExportedConversation) -> Missing:
    drawers, tombstones = conversation.drawers, conversation.tombstones
    identities = [line.identity for line in drawers] + [line.identity for line in tombstones]
    known = filing.find_known(session, identities)
    missing = tuple(line for line in drawers if known.misses(line.identity))
    standing = known.filed | {line.identity for line in missing}
    forgotten = known.forgotten - known.filed
    # A filed drawer, or one that is filed now, is not forgotten.
    buried = tuple(line for line in tombstones if line.restored_by is not None or line.identity not in standing)
    return Missing(
        drawers=missing,
        tombstones=tuple(line for line in buried if line.identity not in known.buried),
        forgotten=sum(line.identity in forgotten for line in drawers),
    )


def new_drawer(line: DrawerLine, zone: tzinfo) -> NewDrawer:
    made: dict[str, Any] = {
        "redacted": tuple((line.redacted or {}).items()),
        "index": index_message(line.content, line.role, in_zone(line.said_at, zone) if line.said_at else None),
        "memory": new_memory(line),
    }
    same: dict[str, Any] = {each.name: getattr(line, each.name) for each in fields(NewDrawer) if each.name not in made}
    return NewDrawer(**same, **made)


def new_memory(line: DrawerLine) -> MemoryPart | None:
    """Return what makes a drawer of a file a memory; None if it is none."""
    if line.memory is None:
        return None
    return MemoryPart(**{each.name: getattr(line.memory, each.name) for each in fields(line.memory)})
