"""Files notes: identified by id, else by text, wing and time; those of a wing and day share a room.

Memories are notes: those of a wing, a type and a month share a room.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta, tzinfo
from functools import partial

from palace.cancellation import unstopped
from palace.config.zones import in_zone
from palace.db.activity import count_landed, end_mined
from palace.db.changes.runs import finish_run, hold_run, start_run
from palace.db.counts import fold_counts
from palace.db.database import UserDatabase, UserSession
from palace.db.drawers import get_drawer_by_identity
from palace.db.filing import conversations, places, versions
from palace.db.filing.drawers import file_drawers
from palace.db.jobs import enqueue_index
from palace.db.locks import Guarded, wait_alone
from palace.db.memories import contradict, find_same, get_parts, ids_of
from palace.db.memory_making import is_unfounded
from palace.errors import BadRequest, DatabaseRefused, DatabaseUnavailable, EmbeddingError, PalaceError, Replaced
from palace.mining.extraction.asking import Asking
from palace.mining.filing.conversation import ATTEMPTS, drawer_of
from palace.mining.filing.identity import identity_by_count
from palace.mining.filing.place import place_wing
from palace.mining.filing.plan import PlannedTurn
from palace.mining.index import Runner
from palace.mining.redaction import Redactor
from palace.mining.steps.step import Work
from palace.mining.tally import noted, read_by_model
from palace.models import (
    Conversation,
    Drawer,
    MemoryPart,
    MemoryState,
    NewRoom,
    NoteVersion,
    Replacement,
    Role,
    Turn,
)
from palace.models.intake import repair
from palace.nlp.words import slugify

WING = "Notes"
READER = "note"
MEMORY_READER = "memory"
READERS = (READER, MEMORY_READER)
_HALF = 8


class Forgotten(BadRequest):
    """The same note, or what it stands on, was filed before, and forgotten."""


@dataclass(frozen=True, slots=True)
class Note:
    """A note as the caller gives it."""

    text: str
    said_at: datetime
    """Aware; without an id, it identifies the note together with text and wing."""
    wing: str | None = None
    id: str | None = None
    """The caller's own id: another text under it replaces the former."""
    zone: tzinfo = UTC
    """The user's time zone, in which days begin."""
    role: Role = Role.USER
    replaces: bytes | None = None
    """Identity of the note that this one is a newer version of, in the same room."""
    memory: MemoryPart | None = None
    """What makes it a memory."""
    supersedes: tuple[bytes, ...] = ()
    """Identities of other memories whose place it takes."""
    superseded_by: bytes | None = None
    """The memory that takes its place at once."""
    is_same_known: bool = False
    """Whether a memory of its type and wing with its text stands for it, and takes its evidence."""

    @property
    def reader(self) -> str:
        """The name by which its conversation is known."""
        return READER if self.memory is None else MEMORY_READER

    @property
    def stored(self) -> str:
        """The text as it is stored."""
        return repair(self.text)[0]


@dataclass(frozen=True, slots=True)
class _Place:
    conversation_id: int
    family: bytes
    """Common prefix of the identities of all versions of the note."""
    filed: bytes | None = None
    """Its identity, if Palace 0.2 filed it."""


def file_note(work: Work, note: Note, redactor: Redactor, *, background: bool = False) -> Drawer:
    """File a note, index it, and return its drawer, or the existing drawer if the same note is filed already.

    With ``background`` a worker indexes it; until then only keywords find it.

    Raises:
        BadRequest: the note was filed before and forgotten.
        DatabaseRefused: its room keeps being forgotten meanwhile.
    """
    database = work.database
    run_id = database.run(lambda session: start_run(session, note.reader))
    if work.asking:
        work.asking.run_id = run_id
    try:
        conversation_id, identity = _place_and_file(database, note, redactor, run_id)
        if not background:
            Runner(work).run([conversation_id])
    except PalaceError as problem:
        _break_off(work, run_id, note.reader, problem)
        raise

    def finish(session: UserSession) -> Drawer:
        if background:
            enqueue_index(session, conversation_id)
        _end(session, run_id, note.reader, work.asking)
        return get_drawer_by_identity(session, identity)

    return database.run(finish)


class NoteRun:
    """A run that files notes of one reader one after the other, each findable at once; ``finish`` indexes the rest."""

    def __init__(self, work: Work, redactor: Redactor, reader: str) -> None:
        self.work, self.redactor, self.reader = work, redactor, reader
        self.run_id = work.database.run(lambda session: start_run(session, reader))
        if work.asking:
            work.asking.run_id = self.run_id
        self._conversations: set[int] = set()

    def file(self, note: Note) -> int:
        """File a note with its vectors, and return its drawer's id, or the known one's. Raises as ``file_note``."""
        conversation_id, identity = _place_and_file(self.work.database, note, self.redactor, self.run_id)
        self._conversations.add(conversation_id)
        with suppress(EmbeddingError):  # it stays pending for the steps at the end, which record why
            self.work.embedding.embed_pending(conversations=[conversation_id])
        return self.work.database.run(lambda session: ids_of(session, [identity])[0])

    def finish(self) -> frozenset[int]:
        """Run the other index steps, and end the run; return the drawers that are new."""
        Runner(self.work).run(sorted(self._conversations))

        return self.work.database.run(lambda session: _end(session, self.run_id, self.reader, self.work.asking))


def _end(session: UserSession, run_id: int, reader: str, asking: Asking | None) -> frozenset[int]:
    """End a run of notes; return the drawers that are new."""
    new = versions.list_filed_by(session, run_id)
    finish_run(session, run_id, drawers=len(new))
    _tell(session, run_id, reader, asking)
    fold_counts(session, only_many=True)
    return new


def _tell(
    session: UserSession, run_id: int, reader: str, asking: Asking | None, ended: PalaceError | None = None
) -> None:
    """Record in the run's event whether the notes were new, and where they were filed."""
    details = noted(reader, count_landed(session, run_id), ended)
    end_mined(session, run_id, details | read_by_model(asking))


def _break_off(work: Work, run_id: int, reader: str, problem: PalaceError) -> None:
    if not isinstance(problem, DatabaseUnavailable):
        with suppress(PalaceError), unstopped():
            work.database.run(lambda session: _tell(session, run_id, reader, work.asking, problem))


def _place_and_file(database: UserDatabase, note: Note, redactor: Redactor, run_id: int) -> tuple[int, bytes]:
    for _ in range(ATTEMPTS):
        place = database.run(lambda session: _prepare(session, note, redactor, run_id), flush=False)
        file = partial(_file, note=note, redactor=redactor, place=place, run_id=run_id)
        identity = database.run(file)
        if identity is not None:
            return place.conversation_id, identity
    raise DatabaseRefused("the room of the note is being forgotten again and again")


def _prepare(session: UserSession, note: Note, redactor: Redactor, run_id: int) -> _Place:
    """Find the conversation of a known note, else the one of its wing and day, with its room."""
    wing = place_wing(Conversation(note.reader, ()), asked=redactor.name(note.wing or WING), source_name=WING)
    family = _family(note, wing.slug)
    known = versions.list_versions(session, family)
    forms = (note.replaces,) if note.replaces else _forms(note, redactor, family)
    same = known if note.id else [each for each in known if each.identity in forms]
    # Its room may have been moved to another wing; a note with an id gets a new room if its old one was forgotten.
    if same and (not note.id or places.find_rooms(session, same[0].conversation_id)):
        return _Place(same[0].conversation_id, family)
    wing_id = places.ensure_wing(session, slug=wing.slug, name=wing.name, kind=wing.kind)
    number = places.get_wing(session, wing_id).number
    plain = _former_identity(note)
    for former in redactor.key.forms(plain) if plain else ():
        filed = versions.find_in_wing(session, former, said_at=note.said_at, wing_id=wing_id, number=number)
        if filed is not None:
            return _Place(filed, family, former)
    identity, room = _room_of(note, number)
    conversation_id = _conversation_of(session, identity, note.reader, wing_id, run_id)
    places.ensure_rooms(session, conversation_id, wing_id, [room])
    return _Place(conversation_id, family)


def _room_of(note: Note, wing_number: int) -> tuple[str, NewRoom]:
    """Return the identity of the conversation that a note is filed in, and the room for it."""
    day = in_zone(note.said_at, note.zone).date()
    if note.memory is None:
        identity, name = f"{READER}:{wing_number}/{day.isoformat()}", f"{day.isoformat()} notes"
    else:
        day, kind = day.replace(day=1), note.memory.type
        identity = f"{MEMORY_READER}:{wing_number}/{kind.value}/{day:%Y-%m}"
        name = f"{day:%Y-%m} {kind.noun}s"
    return identity, NewRoom(slice="", name=name, started_at=datetime.combine(day, time.min, tzinfo=note.zone))


def _conversation_of(session: UserSession, begin: str, reader: str, wing_id: int, run_id: int) -> int:
    """Find or create the conversation of a wing's day or month; skip any whose room was moved to another wing."""
    turn = 1
    while True:
        identity = begin if turn == 1 else f"{begin}#{turn}"
        conversation_id = conversations.ensure_conversation(
            session, identity=identity, reader=reader, title=None, run_id=run_id
        )
        if places.find_home_wing(session, conversation_id) in (None, wing_id):
            return conversation_id
        turn += 1


def _file(session: UserSession, note: Note, redactor: Redactor, place: _Place, run_id: int) -> bytes | None:
    """File a note or restore its version; return its identity, or None if its room no longer exists."""
    filed = place.filed or _find_same(session, note, redactor)
    hold_run(session, run_id)
    if filed is not None:
        return filed
    evidence = note.memory.evidence if note.memory else ()
    if not conversations.lock_with(session, place.conversation_id, evidence):
        return None
    known = {version.identity: version for version in versions.list_versions(session, place.family)}
    forms = _forms(note, redactor, place.family)
    identity = next((form for form in forms if form in known), forms[redactor.hides(note.text)])
    this = known.get(identity)
    if this is not None and (this.is_forgotten or (note.supersedes and _is_rejected(session, identity))):
        how = "forgotten" if this.is_forgotten else "rejected"
        raise Forgotten(f"this note was filed and {how}: note it with another --id or another moment")
    if note.replaces and not (this and not this.is_replaced):
        _check_current(known.get(note.replaces))
    if this is None:
        if is_unfounded(session, evidence):
            raise Forgotten("what this memory stands on was forgotten meanwhile")
        rooms = places.find_rooms(session, place.conversation_id)
        if not rooms:
            return None
        offset = note.said_at.utcoffset()
        minutes = None if offset is None else round(offset / timedelta(minutes=1))
        turn = Turn(note.role, note.text, said_at=note.said_at, said_offset=minutes)
        position = versions.make_room_at(session, place.conversation_id, note.said_at)
        planned = PlannedTurn(0, identity, position, is_revision=False)
        drawer = replace(drawer_of(turn, planned, redactor, note.zone, slice_name=""), memory=note.memory)
        file_drawers(session, conversation_id=place.conversation_id, run_id=run_id, rooms=rooms, drawers=[drawer])
        if note.memory and note.memory.contradicts:
            contradict(session, note.memory.contradicts, identity)
    former = known.keys() if note.id else {note.replaces}
    others = [version for version in known.values() if version is not this and version.identity in former]
    _let_stand(session, identity, others, run_id)
    replacements = [Replacement(each, identity, run_id) for each in note.supersedes]
    if note.superseded_by is not None:
        replacements.append(Replacement(identity, note.superseded_by, run_id))
    versions.replace(session, replacements)
    return identity


def _find_same(session: UserSession, note: Note, redactor: Redactor) -> bytes | None:
    """Return the memory with a memory's text that was filed meanwhile; until the transaction ends none is filed."""
    if note.memory is None or not note.is_same_known:
        return None
    wait_alone(session, Guarded.MEMORIES)
    return find_same(session, redactor.stored(note.text).text, note.memory, slugify(note.wing or WING))


def _is_rejected(session: UserSession, identity: bytes) -> bool:
    parts = get_parts(session, ids_of(session, [identity])).values()
    return any(each.state is MemoryState.REJECTED for each in parts)


def _check_current(version: NoteVersion | None) -> None:
    """Check under the lock of its conversation that a note may still be replaced.

    Raises:
        Replaced: it has a newer version, or was forgotten.
    """
    if version is None or version.is_forgotten or version.is_replaced:
        raise Replaced("the note has a newer version, or was forgotten: replace the current one")


def family_of(id: str) -> bytes:
    """Return the common prefix of the identities of all notes that were filed under an id."""
    return _half("note", id)


def _family(note: Note, wing_slug: str) -> bytes:
    if note.replaces:
        return note.replaces[:_HALF]
    moment = note.said_at.astimezone(UTC).isoformat()
    kind = ("note",) if note.memory is None else (MEMORY_READER, note.memory.type.value)
    return family_of(note.id) if note.id else _half(*kind, wing_slug, moment)


def _forms(note: Note, redactor: Redactor, family: bytes) -> tuple[bytes, bytes]:
    """Return the identity of a note's text, plain and hidden (for redacted notes)."""
    plain = family + _half(note.stored)
    return plain, redactor.key.hide_note(plain)


def _let_stand(session: UserSession, identity: bytes, others: Sequence[NoteVersion], run_id: int) -> None:
    """Make one version of a note current, replacing the others."""
    versions.restore(session, [identity])
    standing = [version for version in others if not version.is_forgotten and not version.is_replaced]
    versions.replace(session, [Replacement(version.identity, identity, run_id) for version in standing])


def _former_identity(note: Note) -> bytes | None:
    """Return the identity that Palace 0.2 gave a note, based on its text alone; None for one with an id."""
    if note.id or note.memory:
        return None
    words = hashlib.blake2b(note.text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return identity_by_count(f"{READER}:{words}", Turn(Role.USER, note.text), 1)


def _half(*parts: str) -> bytes:
    return hashlib.blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=_HALF).digest()
