"""Finds the sources at a path: a file, a folder, a zip archive or standard input."""

from __future__ import annotations

import re
import shutil
import tempfile
import weakref
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from palace.errors import UnreadableSource
from palace.mining.files.containers import Archive, Container, Folder, is_regular, is_zip, printable
from palace.mining.files.exports import sort_exports
from palace.mining.files.ignored_files import (
    ATTACHMENTS,
    IN_PROGRAM_FOLDERS,
    SKIPPED_MAILBOXES,
    SUBAGENTS,
    beside_sessions,
    document_kind,
    is_of_a_program,
    kind_of,
    may_be_skipped_mailbox,
    without_attachments,
)
from palace.mining.files.source import BrokenSource, FoundSource, Source
from palace.mining.readers import discord, opencode_stores, slack
from palace.mining.readers.agent_databases import AgentDatabase, find_store
from palace.mining.readers.documents import WORD_TEXT
from palace.mining.readers.mail import MailSource, is_single
from palace.mining.readers.mail_boxes import FROM
from palace.mining.readers.opencode_stores import OpencodeDatabase, is_named_so, is_opencode
from palace.mining.readers.registry import FileSource
from palace.models.spool import STANDARD_INPUT, odd_kind, own_input, spool

_ENDINGS = re.compile(
    r"(\.(gz|jsonl?|ndjson|md|markdown|txt|text|zip|eml|emlx|mbox|csv|tsv|pdf|docx|x?html?))+$", re.IGNORECASE
)
_OPENCODE = "opencode"


class _Spool(Folder):
    """Standard input or a pipe, copied to a temporary file so that it can be read twice."""

    def __init__(self, stream: BinaryIO, label: str, name: str) -> None:
        try:
            folder = tempfile.mkdtemp(prefix="palace-")
        except OSError as problem:
            raise UnreadableSource(label, f"there is no room for a temporary file: {problem.strerror}") from problem
        self._removal = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self.path = Path(folder, name)
        with self.path.open("wb") as file:
            spool(stream, file, label)
        super().__init__(Path(folder), ".")


def list_sources(
    path: Path | str,
    *,
    standard_input: BinaryIO | None = None,
    name: str = STANDARD_INPUT,
    passed_over: Counter[str] | None = None,
) -> tuple[FoundSource, ...]:
    """Return the sources at a path; "-" is standard input, read to its end at once, as is a pipe.

    ``name`` is the file name given to standard input.

    A folder is searched recursively, in order of names; archives in it are opened as well. Hidden files and folders,
    images, sound, films, programs, web pages and the like are counted in ``passed_over``, by kind. An unpacked or
    zipped ChatGPT or Claude export yields its JSON files; its other files are counted with the first of them. A Slack
    export is a single source. Unreadable files are returned too; reading them raises an error.

    Raises:
        UnreadableSource: the path does not exist, or contains nothing to mine.
    """
    passed_over = Counter() if passed_over is None else passed_over
    if str(path) == "-":
        found = tuple(_spooled(standard_input or own_input(), name, name, passed_over))
        return tuple(source.under(_stem(name)) for source in found)
    path, label = Path(path), printable(str(path))
    if not label or "\0" in str(path):
        raise UnreadableSource(label or "''", "no such file or folder")
    try:
        found = tuple(_at(path, label, passed_over))
    except FileNotFoundError as problem:
        raise UnreadableSource(label, "no such file or folder") from problem
    except OSError as problem:
        raise UnreadableSource(label, f"cannot be read: {problem.strerror}") from problem
    if not found:
        raise UnreadableSource(label, f"there is nothing to mine in it{_counted(passed_over)}")
    origin = printable(path.resolve().name)
    origin = origin if path.is_dir() else _stem(origin)
    return tuple(source.under(origin) for source in found)


def _at(path: Path, label: str, passed_over: Counter[str]) -> Iterator[FoundSource]:
    if path.is_dir():
        name = printable(path.resolve().name)
        folder = Folder(path, label)
        yield from _in_container(folder, path, label, name, passed_over)
        yield from (BrokenSource(problem.file, name, problem) for problem in folder.unreadable)
    elif is_regular(path):
        yield from _file(Folder(path.parent, printable(str(path.parent))), path, label, path.name, passed_over)
    elif odd := odd_kind(path):
        raise UnreadableSource(label, odd)
    else:
        # A pipe without a writer blocks, as usual, because the user named it; a pipe inside a folder is skipped.
        with path.open("rb") as stream:
            yield from _spooled(stream, label, STANDARD_INPUT, passed_over)


def _spooled(stream: BinaryIO, label: str, name: str, passed_over: Counter[str]) -> Iterator[FoundSource]:
    kept = _Spool(stream, label, name)
    yield from _file(kept, kept.path, label, name, passed_over)


def _file(container: Folder, path: Path, label: str, member: str, passed_over: Counter[str]) -> Iterator[FoundSource]:
    """Yield a file on disk as a source, or the sources in it if it is a zip archive."""
    name = _stem(printable(member))
    if is_opencode(path):
        yield OpencodeDatabase(label, name, path.resolve())
    elif store := find_store(path):
        yield AgentDatabase(label, name, path.resolve(), store)
    elif not is_zip(path):
        yield FileSource(label, name, container, member)
    else:
        archive = Archive(path, label)
        names = archive.names()
        document = document_kind(names)
        if member.lower().endswith(".docx") and (WORD_TEXT in names or not document):
            yield FileSource(label, name, container, member)
            return
        if document:
            raise UnreadableSource(label, f"is {document}; save its text as .txt or .md and mine that")
        found = list(_in_container(archive, None, label, name, passed_over))
        if not found:
            raise UnreadableSource(label, f"there is nothing to mine in this archive{_counted(passed_over)}")
        yield from found


def _in_container(
    container: Container, path: Path | None, label: str, name: str, passed_over: Counter[str]
) -> Iterator[FoundSource]:
    is_archive = path is None
    listed = container.names()
    names = [member for member in listed if not is_of_a_program(member)]
    passed_over.update(container.passed_over)
    passed_over[IN_PROGRAM_FOLDERS] += len(listed) - len(names)
    for find in (_slack, _opencode, _databases, _discord, _mails):
        # Slack's files may lie anywhere; files of assistants are recognised by their folder.
        names = _without_agents_files(container, names, passed_over) if find is _opencode else names
        sources, taken = find(container, path, label, name, names)
        yield from sources
        names = [member for member in names if member not in taken]
    others = [member for member in names if not _is_skipped_mailbox(container, member)]
    passed_over[SKIPPED_MAILBOXES] += len(names) - len(others)
    rest = without_attachments(others, is_archive=is_archive)
    passed_over[ATTACHMENTS] += len(others) - len(rest)
    exports = sort_exports(rest, is_archive=is_archive)
    for member in rest:
        if member in exports.left_out:
            continue
        if kind := kind_of(member):
            passed_over[kind] += 1
            continue
        member_label, member_name = _below(label, member), _stem(printable(PurePosixPath(member).name))
        if not member.lower().endswith(".zip"):
            yield exports.placed(FileSource(member_label, member_name, container, member))
        elif path is None:
            reason = "an archive inside an archive is not read; unpack the outer one first"
            yield BrokenSource(member_label, member_name, UnreadableSource(member_label, reason))
        else:
            yield from _nested(path / member, member_label, member_name, passed_over)


def _nested(path: Path, label: str, name: str, passed_over: Counter[str]) -> Iterator[FoundSource]:
    """Yield the sources of an archive in a folder; a broken one must not stop the others."""
    try:
        yield from _file(Folder(path.parent, printable(str(path.parent))), path, label, path.name, passed_over)
    except UnreadableSource as problem:
        yield BrokenSource(label, name, problem)
    except OSError as problem:
        yield BrokenSource(label, name, UnreadableSource(label, f"cannot be read: {problem.strerror}"))


_Taken = tuple[list[FoundSource], set[str]]
"""Sources that are read as a whole, and the files that they consist of."""


def _slack(container: Container, path: Path | None, label: str, name: str, names: Sequence[str]) -> _Taken:
    roots = slack.find_exports(names)
    found: list[FoundSource] = []
    for root in roots:
        part = PurePosixPath(root).name if root else name
        found.append(slack.SlackSource(str(PurePosixPath(label, root)), printable(part), container, root))
    return found, slack.files_of(names, roots, is_archive=path is None)


def _opencode(container: Container, path: Path | None, label: str, name: str, names: Sequence[str]) -> _Taken:
    """Find opencode's databases and its older file storage."""
    databases = {
        member: OpencodeDatabase(_below(label, member), _OPENCODE, (path / member).resolve())
        for member in names
        if path is not None and is_named_so(member) and is_opencode(path / member)
    }
    found: list[FoundSource] = list(databases.values())
    roots = opencode_stores.storage_roots(names)
    for root in roots:
        called = _OPENCODE if root else name
        beside = tuple(databases.values())
        found.append(opencode_stores.OpencodeStorage(_below(label, root), called, container, root, beside))
    with_logs = {f"{member}{ending}" for member in databases for ending in ("", "-wal", "-shm")}
    return found, opencode_stores.files_of(names, roots) | with_logs


def _databases(_container: Container, path: Path | None, label: str, name: str, names: Sequence[str]) -> _Taken:
    """Find databases of sessions of other assistants."""
    found: list[FoundSource] = []
    taken: set[str] = set()
    for member in names if path is not None else ():
        if path is not None and (store := find_store(path / member)):
            found.append(AgentDatabase(_below(label, member), name, (path / member).resolve(), store))
            taken |= {f"{member}{ending}" for ending in ("", "-wal", "-shm")}
    return found, taken


def _discord(container: Container, path: Path | None, label: str, name: str, names: Sequence[str]) -> _Taken:
    found: list[FoundSource] = []
    taken: set[str] = set()
    for root, channels in discord.package_roots(names).items():
        members = discord.files_of(names, root, is_archive=path is None)
        above = PurePosixPath(root).parent.name if root else ""
        file, called = str(PurePosixPath(label, root)), printable(above or name)
        parts = tuple(channels), tuple(sorted(members))
        found.append(discord.DiscordPackage(file, called, container, root, *parts))
        taken |= members
    return found, taken


def _mails(container: Container, _path: Path | None, label: str, name: str, names: Sequence[str]) -> _Taken:
    """Find files of one mail each; they are read together because threads span several files."""
    mails = tuple(member for member in names if is_single(member))
    return [MailSource(label, name, container, "", mails)] if mails else [], set(mails)


def _is_skipped_mailbox(container: Container, member: str) -> bool:
    if not may_be_skipped_mailbox(member):
        return False
    try:
        with container.open(member) as stream:
            return stream.read(len(FROM)) == FROM
    except UnreadableSource:
        return False


def _without_agents_files(container: Container, names: list[str], passed_over: Counter[str]) -> list[str]:
    """Remove files that coding assistants keep beside their sessions, and count those that are not read with them."""
    root, listed = container.key(""), frozenset(names)
    kinds = {member: beside_sessions(root, member, listed) for member in names}
    passed_over.update(kind for kind in kinds.values() if kind not in (None, SUBAGENTS))
    return [member for member in names if kinds[member] is None]


def _below(label: str, member: str) -> str:
    return printable(str(PurePosixPath(label, member)))


def _stem(name: str) -> str:
    """Return a file name without its endings: "chat" for "chat.json.gz"."""
    return _ENDINGS.sub("", name) or name


def _counted(passed_over: Counter[str]) -> str:
    counted = ", ".join(f"{count:,} {kind}" for kind, count in passed_over.most_common() if count)
    return f"; passed over: {counted}" if counted else ""


LONGEST_NAMED = 1000
"""Most characters of the paths that a run records."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """The sources of one call of mine."""

    named: str
    """The paths as the user gave them, in one line."""
    sources: tuple[Source, ...]
    failures: tuple[UnreadableSource, ...]
    """Paths that do not exist or cannot be mined."""
    passed_over: Mapping[str, int] = field(default_factory=dict)
    """Number of ignored files in folders and archives, by kind."""


def gather(paths: Sequence[str | Path], *, name: str | None = None) -> Gathered:
    """Return the sources at some paths, without duplicates; ``name`` is the file name given to "-".

    Raises:
        UnreadableSource: there is only one path, and nothing to mine at it.
    """
    found: dict[str, Source] = {}
    failures = []
    passed_over: Counter[str] = Counter()
    distinct = list(dict.fromkeys(str(path) for path in paths))
    for path in distinct:
        try:
            for source in list_sources(path, name=name or STANDARD_INPUT, passed_over=passed_over):
                found.setdefault(source.key, source)
        except UnreadableSource as problem:
            if len(distinct) == 1:
                raise
            failures.append(problem)
    named = ", ".join(name or path if path == "-" else printable(path) for path in distinct)
    shown = named if len(named) <= LONGEST_NAMED else f"{named[: LONGEST_NAMED - 1]}…"
    return Gathered(shown, tuple(found.values()), tuple(failures), +passed_over)
