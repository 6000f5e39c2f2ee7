"""Mining as a method of the façade: turn the arguments into options, then run it."""

from __future__ import annotations

import codecs
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path, PurePath

from palace.db.database import UserSession
from palace.db.drawers import find_pointers, list_drawers_by_identity
from palace.db.filing.versions import find_note_identity, list_versions
from palace.db.memories import get_parts
from palace.errors import BadRequest, NotFound
from palace.mining.discovery import Gathered, gather
from palace.mining.files.reading import DateOrder, Readers
from palace.mining.filing.conversation import Filed
from palace.mining.note import READERS, Note, family_of, file_note
from palace.mining.pipeline import Mine, MineOptions, compile_patterns
from palace.mining.readers.in_memory import FILE, InMemoryConversation, messages_of
from palace.mining.redaction import find_rules
from palace.models import Conversation, Drawer, MemoryOrigin, MineSummary, OnProgress, Pointer, Role, intake
from palace.nlp.pointers import is_pointer
from palace.nlp.secrets import Rules
from palace.opened import OpenPalace
from palace.operations.tree import get_drawer, wing_to_file_in
from palace.telemetry import memory

Pointers = tuple[Pointer, ...]

WITHOUT_TITLE = "Conversations"
"""The wing of what a program files without naming a wing or a title."""

LONGEST_FILE_NAME = 200
"""Bytes of a name for standard input, at most: those of a file name."""


def options_of(
    *,
    wing: str | None,
    exclude: Sequence[str] = (),
    restores: bool = False,
    dates: str | None = None,
    encoding: str | None = None,
    progress: OnProgress | None = None,
) -> MineOptions:
    """Validate the options of mining.

    Raises:
        BadRequest: a pattern is no regular expression, an order of dates or an encoding is not known.
    """
    return MineOptions(
        intake.optional_text("wing", wing),
        compile_patterns(exclude),
        progress,
        restores=restores,
        dates=None if dates is None else intake.choice("dates", dates, DateOrder),
        encoding=_encoding(encoding),
    )


def mine(
    opened: OpenPalace,
    paths: Sequence[str | Path],
    options: MineOptions,
    *,
    name: str | None,
    dry_run: bool,
    readers: Readers | None,
) -> MineSummary:
    """Mine files and folders; ``name`` is the file name to use for standard input, ``readers`` are the caller's own.

    Raises:
        UnreadableSource: the only path does not exist.
        BadRequest: there is no path, or the name is invalid.
    """
    if not paths:
        raise BadRequest("name what to mine: a file, a folder, an archive, or - for standard input")
    for path in paths:
        if not isinstance(path, (str, Path)):
            raise BadRequest(f"a source must be a path, not {path!r}")
    if not isinstance(readers, Readers | None):
        raise BadRequest(f"readers must be a palace.Readers, not {type(readers).__name__}")
    gathered = gather(paths, name=_file_name(name, paths))
    return mine_gathered(opened, gathered, replace(options, readers=readers or Readers()), dry_run=dry_run)


def mine_gathered(
    opened: OpenPalace, gathered: Gathered, options: MineOptions, *, dry_run: bool = False
) -> MineSummary:
    """Mine sources that were gathered, with the redaction rules of the settings."""
    opened.database.shared.check_schema()
    options = replace(options, zone=opened.settings.zone, rules=_rules(opened))
    if dry_run:
        return Mine(opened.database, options, gathered).rehearse()
    return _mined(opened, gathered, options, "mine")


def file(
    opened: OpenPalace,
    messages: Sequence[object],
    options: MineOptions,
    *,
    id: str | None,
    title: str | None,
    partial: bool,
) -> MineSummary:
    """File a conversation from memory; the summary has the pointers of each of its messages.

    Raises:
        BadRequest: the messages, the id or the title are invalid, or it is partial without an id.
    """
    title, id = intake.optional_text("title", title), intake.name("id", id)
    if partial and id is None:
        raise BadRequest("a part of a conversation needs the conversation's id")
    source = InMemoryConversation(messages_of(messages), id, title, origin=title or WITHOUT_TITLE, is_partial=partial)
    opened.database.shared.check_schema()
    standing: list[tuple[int, bytes]] = []

    def note(conversation: Conversation, filed: Filed) -> None:
        standing.extend(zip(conversation.messages, filed.identities, strict=True))

    options = replace(options, zone=opened.settings.zone, rules=_rules(opened), on_filed=note)
    gathered = Gathered(FILE, (source,), ())
    summary = _mined(opened, gathered, options, "file")
    return replace(summary, pointers=_pointers(opened, standing, len(source.messages)))


def note_of(
    opened: OpenPalace,
    text: str,
    *,
    wing: str | None,
    said_at: datetime | None,
    id: str | None,
    replaces: str | None = None,
) -> Note:
    """Validate the arguments of a note; raises the errors of ``Palace.note``."""
    zone, words = opened.settings.zone, intake.message("note", text)
    wing, id = intake.optional_text("wing", wing), intake.name("id", id)
    moment = intake.stored_moment("said_at", said_at, zone) or datetime.now(zone)
    if replaces is None:
        return Note(words, moment, wing_to_file_in(opened, wing), id, zone)
    if wing is not None or id is not None:
        raise BadRequest("a note that replaces another stays in its wing and under its id: name neither")

    def read(session: UserSession) -> Note:
        drawer = get_drawer(session, replaces)
        part = get_parts(session, [drawer.id]).get(drawer.id)
        # What no person said does not become the person's words by a change.
        role = drawer.role if part and part.origin is not MemoryOrigin.PERSON else Role.USER
        return Note(words, moment, zone=zone, role=role, replaces=_identity_of(session, drawer), memory=part)

    return opened.run(read)


def list_note_versions(opened: OpenPalace, what: str) -> tuple[Drawer, ...]:
    """List the versions of a note; raises the errors of ``Palace.note_versions``."""
    named = intake.text("what", what)

    def read(session: UserSession) -> tuple[Drawer, ...]:
        asked = get_drawer(session, named) if is_pointer(named) else None
        family = family_of(named)
        if asked is not None:
            identity = find_note_identity(session, asked.id, READERS)
            if identity is None:
                return (asked,)
            family = identity[: len(family)]
        filed = [each.identity for each in list_versions(session, family) if not each.is_forgotten]
        versions = {drawer.pointer: drawer for drawer in list_drawers_by_identity(session, filed)}
        current = [drawer for drawer in versions.values() if drawer.replaced_at is None]
        start = asked or next(iter(current or versions.values()), None)
        if start is None:
            raise NotFound(f"there is no note with the id {named!r}")
        last = _newest(start, versions)
        return (*(each for each in versions.values() if each != last and _newest(each, versions) == last), last)

    return opened.run(read)


def _newest(drawer: Drawer, versions: Mapping[Pointer, Drawer]) -> Drawer:
    while drawer.replaced_by is not None and drawer.replaced_by in versions:
        drawer = versions[drawer.replaced_by]
    return drawer


def _identity_of(session: UserSession, drawer: Drawer) -> bytes:
    identity = find_note_identity(session, drawer.id, READERS)
    if identity is None:
        raise BadRequest(f"{drawer.pointer} is a message of a conversation: only a note can be replaced by another")
    return identity


def note(opened: OpenPalace, given_note: Note, *, keeps_secrets: bool, background: bool) -> Drawer:
    """File a note; in the ``background`` it is searchable by its words at once, and a worker does the rest."""
    opened.database.shared.check_schema()
    options = MineOptions(rules=_rules(opened), keeps_secrets=keeps_secrets)
    with memory("upsert_memory", "note"):
        work = opened.work_without_model() if background else opened.work()
        return file_note(work, given_note, options.redactor(opened.database), background=background)


def _mined(opened: OpenPalace, gathered: Gathered, options: MineOptions, verb: str) -> MineSummary:
    with memory("upsert_memory", verb) as observed:
        summary = Mine(opened.database, options, gathered).mine(opened.work(options.progress))
        observed.count(summary.drawers_new)
    opened.index_if_large(options.progress)
    return summary


def _rules(opened: OpenPalace) -> Rules:
    return opened.run(lambda session: find_rules(session, opened.settings))


def _pointers(opened: OpenPalace, standing: Sequence[tuple[int, bytes]], messages: int) -> tuple[Pointers, ...]:
    """Return the pointers of each message, in order; ``standing`` pairs message numbers, from 1, with identities."""
    pointers = opened.run(lambda session: find_pointers(session, [identity for _, identity in standing]))
    of_message: dict[int, Pointers] = {}
    for number, identity in standing:
        if identity in pointers:
            of_message[number] = (*of_message.get(number, ()), pointers[identity])
    return tuple(of_message.get(number, ()) for number in range(1, messages + 1))


def _file_name(name: str | None, paths: Sequence[str | Path]) -> str | None:
    if name is None:
        return None
    if "-" not in map(str, paths):
        raise BadRequest("--name says what standard input is called: give - as a source")
    last = PurePath(intake.text("name", name)).name
    if not last or len(last.encode("utf-8", "replace")) > LONGEST_FILE_NAME or not last.isprintable():
        raise BadRequest(f"{name[:80]!r} is no name of a file: give one like meeting.txt")
    return last


def _encoding(name: str | None) -> str | None:
    if name is None:
        return None
    try:
        found = codecs.lookup(intake.text("encoding", name))
        "".encode(found.name)  # raises for a codec that is no text encoding
    except (LookupError, ValueError) as problem:
        raise BadRequest(f"there is no encoding of text {name!r}: utf-8, cp1252 and utf-16 are some") from problem
    return found.name
