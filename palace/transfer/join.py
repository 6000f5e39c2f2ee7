"""Importing another palace's export into a palace that is not empty.

Conversations are recognised by identity, not by place. Missing ones get numbers of this palace; existing ones do not
move, and no number that was drawn here is used for anything in the file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import ClassVar

from palace.db.database import UserSession
from palace.db.drawers import find_pointers
from palace.db.filing.conversations import find_conversation
from palace.db.filing.places import find_rooms
from palace.db.graph.decisions import file_decisions
from palace.db.memories import rename_cited
from palace.db.settings import file_settings
from palace.db.transfer import filing, joining, places
from palace.db.transfer.joining import Joined, join_rooms, join_wing, order_notes, place_notes
from palace.db.transfer.marks import add_key, copy_forgotten_times
from palace.db.users import get_palace_key
from palace.errors import DatabaseRefused
from palace.models import (
    Conversation,
    MovedPlace,
    NewDrawer,
    Pointer,
    RoomPointer,
    Turn,
)
from palace.models.external_keys import Key
from palace.models.graph import MOST_DECISIONS
from palace.models.lines import DrawerLine, ExportedConversation
from palace.transfer.load import MEANWHILE, Import, Missing, find_missing, make_conversation, new_memory
from palace.transfer.names import Names, free_names, hidden_names, other_name, renamed

ANONYMOUS = ":~"
"""Separates reader and hash in the identity of a conversation without an id."""
DAY_OF_NOTES = re.compile(r"(note|memory):\d+/([a-z]+/)?(\d{4}-\d{2}(?:-\d{2})?)(#\d+)?")
"""Identity of the notes of a wing and day, or of its memories of a type and month."""
NOWHERE = 0
"""Number in the identity of notes of which only tombstones are left; no wing has it."""


def _list_moved(
    conversation: ExportedConversation, identities: Sequence[bytes], here: Mapping[bytes, Pointer]
) -> Iterator[MovedPlace]:
    """List the rooms that have other numbers here, and the drawers that do not follow their room.

    ``identities`` are those of the conversation's drawers here, in order.
    """
    for room in conversation.rooms:
        pairs = [
            (Pointer(room.wing, room.number, line.number), here[identity])
            for line, identity in zip(conversation.drawers, identities, strict=True)
            if line.slice == room.slice and identity in here
        ]
        if pairs:
            was = RoomPointer(room.wing, room.number)
            now = Counter(pointer.of_room for _, pointer in pairs).most_common(1)[0][0]
            if now != was:
                yield MovedPlace(str(was), str(now))
            for there, pointer in pairs:
                if pointer != Pointer(now.wing, now.room, there.drawer):
                    yield MovedPlace(str(there), str(pointer))


Recognises = Callable[[UserSession, Conversation, str], tuple[str, dict[int, bytes]]]
"""Recognises a conversation without an id: returns its identity here, and the identities of the turns it shares."""


@dataclass(slots=True)
class Join(Import):
    """An import of another palace's export."""

    is_other: ClassVar[bool] = True

    recognise: Recognises | None = None
    is_sync: bool = False
    """Whether the file is a bundle of another machine. It is joined even into an empty palace and into one of the same
    origin, and its rooms get the next free numbers instead of a range of their own."""
    _names: Names = field(default_factory=dict)
    """Identities here by those in the file, where they differ."""
    _conversations: dict[str, str] = field(default_factory=dict)
    """Identities of conversations here by those in the file, where they differ."""
    _joined: dict[int, Joined] = field(default_factory=dict)
    """Wings here by their number in the file."""

    def _begin(self, session: UserSession) -> dict[int, int]:
        places.lock_palace(session)
        if not self.is_sync and places.find_standing(session, self.contents.header) is not places.Standing.OTHER:
            raise DatabaseRefused(MEANWHILE)
        file_settings(session, self.settings)
        add_key(session, self.contents.header.palace)
        # Runs are inserted when something they filed is.
        return {}

    def _file_conversation(self, conversation: ExportedConversation) -> None:
        # Not super(): dataclass slots replace the class, which breaks it.
        Import._file_conversation(self, conversation)
        there = self._renamed(conversation)
        self.buried += there.tombstones
        identities = [line.identity for line in there.drawers]
        here = self.database.run(partial(find_pointers, identities=identities))
        self.moved_places += _list_moved(conversation, identities, here)

    def _as_known(self, conversation: ExportedConversation) -> ExportedConversation:
        name = conversation.line.identity
        if day := DAY_OF_NOTES.fullmatch(name):
            here = self._note_day(conversation, f"{day[2] or ''}{day[3]}")
        elif ANONYMOUS in name:
            here, names = self.database.run(partial(self._recognise, conversation=conversation), flush=False)
            self._names |= names
        else:
            here = name
        if here != name:
            self._conversations[name] = here
        there = self._renamed(conversation)
        self._names |= self.database.run(partial(self._hidden, there=there), flush=False)
        return self._renamed(conversation)

    def _renamed(self, conversation: ExportedConversation) -> ExportedConversation:
        line = conversation.line
        name = self._conversations.get(line.identity, line.identity)
        return renamed(replace(conversation, line=replace(line, identity=name)), self._names)

    def _recognise(self, session: UserSession, conversation: ExportedConversation) -> tuple[str, Names]:
        """Find the conversation here for one without an id; return its identity, and the new names of its turns.

        A conversation with all of its turns here is recognised by them, so a repeated import finds it again.
        """
        assert self.recognise is not None
        line, palace = conversation.line, self.contents.header.palace
        identities = [drawer.identity for drawer in conversation.drawers]
        others = {identity: other_name(identity, palace) for identity in identities}
        homes = joining.find_homes(session, [*identities, *others.values()])
        for here in dict.fromkeys(home.conversation for home in homes.values()):
            held = {identity for identity, home in homes.items() if home.conversation == here}
            if all(identity in held or other in held for identity, other in others.items()):
                return here, {identity: other for identity, other in others.items() if other in held}
        turns = tuple(Turn(each.role, each.content, each.speaker, each.said_at) for each in conversation.drawers)
        here, shared = self.recognise(session, Conversation(line.reader, turns), line.identity)
        matched = {identities[index]: identity for index, identity in shared.items()}
        return here, free_names(conversation, matched, homes, here=here, palace=palace)

    def _hidden(self, session: UserSession, there: ExportedConversation) -> Names:
        """Map identities in the file to those here that are hashed in another way, for a conversation that is here."""
        conversation_id = find_conversation(session, there.line.identity)
        if conversation_id is None:
            return {}
        own, theirs = Key(get_palace_key(session)), Key(self.contents.header.palace)
        found = hidden_names(there, joining.list_here(session, conversation_id), own=own, theirs=theirs)
        former = {here: name for name, here in self._names.items()}
        return {former.get(identity, identity): name for identity, name in found.items()}

    def _note_day(self, conversation: ExportedConversation, day: str) -> str:
        """Return the identity here for a day of notes, which contains the number of the wing."""
        nowhere = f"{conversation.line.reader}:{NOWHERE}/{day}"
        if not conversation.rooms or not conversation.drawers:
            return nowhere
        missing = self.database.run(lambda session: find_missing(session, conversation))
        if not missing.drawers:
            identities = [line.identity for line in conversation.drawers]
            homes = self.database.run(lambda session: joining.find_homes(session, identities))
            return next((home.conversation for home in homes.values()), nowhere)
        wing = self._wing(conversation.rooms[0].wing)
        run = conversation.line.run
        self._need_runs([run])
        line = conversation.line
        return self.database.run(lambda session: place_notes(session, line, day, wing.wing_id, run_id=self._runs[run]))

    def _wing(self, number: int) -> Joined:
        if number not in self._joined:
            self._joined[number] = self.database.run(
                partial(join_wing, line=self._wings[number], reserves_numbers=not self.is_sync)
            )
        return self._joined[number]

    def _need_runs(self, wanted: Sequence[int | None]) -> None:
        """Insert runs that something is filed by, given their indices in the file."""
        missing = sorted({run for run in wanted if run is not None} - self._runs.keys())
        if missing:
            lines = [replace(self.contents.runs[run - 1], basis=()) for run in missing]
            ids = self.database.run(lambda session: places.file_runs(session, lines))
            self._runs |= zip(missing, ids, strict=True)

    def _prepare(self, conversation: ExportedConversation) -> None:
        """Create the wings and runs that missing drawers need, each in a transaction of its own."""
        missing = self.database.run(partial(find_missing, conversation=conversation))
        if missing.drawers or missing.tombstones:
            self._need_runs([conversation.line.run, *(line.run for line in missing.drawers)])
        found = self.database.run(partial(find_conversation, identity=conversation.line.identity))
        there = () if found is None else self.database.run(partial(find_rooms, conversation_id=found))
        wanted = {line.slice for line in missing.drawers}.difference(there)
        lacking = {room.wing for room in conversation.rooms if room.slice in wanted}
        for number in sorted(lacking):
            self._wing(number)

    def _file(
        self,
        session: UserSession,
        conversation: ExportedConversation,
        drawers: Sequence[tuple[DrawerLine, NewDrawer]],
    ) -> tuple[int, int]:
        drawers = [
            (line, replace(drawer, memory=drawer.memory and joining.proposed(drawer.memory)))
            for line, drawer in drawers
        ]
        filed = Import._file(self, session, conversation, drawers)
        found = find_conversation(session, conversation.line.identity)
        if found is not None and filed[0] and DAY_OF_NOTES.fullmatch(conversation.line.identity):
            order_notes(session, found)
        return filed

    def _link(self) -> None:
        """Record which drawers replace or answer which, and what memories cite; in a sync, what was changed later."""
        for conversation in self.contents.conversations_again():
            there = self._renamed(conversation)
            if self.is_sync:
                self.database.run(partial(_join_changes, there=there), flush=False)
            cited = [line.identity for line in there.drawers if line.memory]
            self.database.run(partial(rename_cited, names=self._names, among=cited), flush=False)
            if lines := [line for line in there.drawers if line.replaced_at or line.answers]:
                self._need_runs([line.replaced_run for line in lines])
                self.database.run(partial(filing.link_again, lines=lines, runs=self._runs), flush=False)

    def _finish(self) -> None:
        """Import the decisions on entities, with the identities that their conversations have here."""
        names = self._conversations
        decisions = [
            each
            if each.conversations is None
            else replace(each, conversations=tuple(names.get(name, name) for name in each.conversations))
            for each in self.contents.decisions
        ]
        left_out = self.database.run(lambda session: file_decisions(session, decisions))
        if left_out:
            kept = f"a palace keeps {MOST_DECISIONS:,} at most"
            self.warnings = (f"{left_out:,} decisions of the file are left out: {kept}",)

    def _place(self, session: UserSession, conversation: ExportedConversation) -> Missing:
        missing = find_missing(session, conversation)
        if not missing.drawers and not missing.tombstones:
            return missing
        line = conversation.line
        title = line.title if missing.drawers else None
        conversation_id = make_conversation(session, line, title, self._runs[line.run])
        wanted = {drawer.slice for drawer in missing.drawers}
        join_rooms(
            session, conversation_id, [room for room in conversation.rooms if room.slice in wanted], self._joined
        )
        return missing


def _join_changes(session: UserSession, there: ExportedConversation) -> None:
    """Take over later states of memories and times of tombstones, and the order of turns; notes are ordered by time."""
    parts = {line.identity: part for line in there.drawers if (part := new_memory(line))}
    joining.join_memories(session, parts)
    copy_forgotten_times(session, there.tombstones, later=True)
    found = find_conversation(session, there.line.identity)
    if found is not None and not DAY_OF_NOTES.fullmatch(there.line.identity):
        positions = {line.identity: line.position for line in there.drawers}
        positions |= {line.identity: line.position for line in there.tombstones}
        joining.join_positions(session, found, positions)
