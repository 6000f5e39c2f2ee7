"""What a path offers to mine: a file, a folder, a zip archive or standard input."""

from __future__ import annotations

import re
import shutil
import tempfile
import weakref
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Protocol

from palace.errors import UnreadableSource
from palace.intake.spool import STANDARD_INPUT, odd_kind, own_input, spool
from palace.mining.readers.assistants.folders import beside_sessions
from palace.mining.readers.assistants.opencode.database import OpencodeDatabase, is_database, is_named_so
from palace.mining.readers.assistants.opencode.storage import OpencodeStorage, files_of, storage_roots
from palace.mining.readers.discovery.attachments import document_kind, without_attachments
from palace.mining.readers.discovery.wholes import find_wholes
from palace.mining.readers.files.containers import Archive, Container, Folder, is_regular, is_zip, printable
from palace.mining.readers.files.export_folders import Sorted, sort_exports
from palace.mining.readers.files.passed_over import ATTACHMENTS, IN_PROGRAM_FOLDERS, is_of_a_program, kind_of
from palace.mining.readers.files.source import BrokenSource, Source
from palace.mining.readers.registry import FileSource
from palace.mining.readers.slack.export import SlackSource, day_folder, is_index

_ENDINGS = re.compile(r"(\.(gz|jsonl?|ndjson|md|markdown|txt|text|zip|eml|emlx|mbox|csv|tsv))+$", re.IGNORECASE)

_OPENCODE = "opencode"


class FoundSource(Source, Protocol):
    """A source that was found at a path."""

    def under(self, origin: str) -> FoundSource:
        """Give the same, found in what the person named so."""


class _Spool(Folder):
    """Standard input or a pipe, kept in a temporary file so that it can be read twice."""

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
    """Find what there is to mine at a path; "-" is standard input, read to its end at once, as is a pipe.

    ``name`` is the file's name that standard input goes by.

    A folder is searched with everything below it, in the order of names. Hidden files and folders, pictures, sound,
    films, programs, web pages and the like are counted in ``passed_over``, by kind. An unpacked or zipped ChatGPT or
    Claude export offers its conversations and what else it holds as JSON; what it holds beside is counted with the
    first of them. A Slack export is one source, and an archive found in a folder offers what is in it. A file that
    turns out to be unreadable is offered too: the reading says what is wrong with it.

    Raises:
        UnreadableSource: there is nothing at the path, or nothing in it that could be mined.
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
        raise UnreadableSource(label, f"there is nothing to mine in it{_told(passed_over)}")
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
        container = Folder(path.parent, printable(str(path.parent)))
        yield from _file(container, path, label, path.name, passed_over)
    elif odd := odd_kind(path):
        raise UnreadableSource(label, odd)
    else:
        # A pipe without a writer is waited for, as everywhere: the person named it. One in a folder is not read.
        with path.open("rb") as stream:
            yield from _spooled(stream, label, STANDARD_INPUT, passed_over)


def _spooled(stream: BinaryIO, label: str, name: str, passed_over: Counter[str]) -> Iterator[FoundSource]:
    kept = _Spool(stream, label, name)
    yield from _file(kept, kept.path, label, name, passed_over)


def _file(container: Folder, path: Path, label: str, member: str, passed_over: Counter[str]) -> Iterator[FoundSource]:
    """Offer one file on disk, or what is in it where it is a zip archive."""
    name = _stem(printable(member))
    if is_database(path):
        yield OpencodeDatabase(label, name, path.resolve())
        return
    if not is_zip(path):
        yield FileSource(label, name, container, member)
        return
    archive = Archive(path, label)
    document = document_kind(archive.names())
    if document:
        raise UnreadableSource(label, f"is {document}; save its text as .txt or .md and mine that")
    found = list(_in_container(archive, None, label, name, passed_over))
    if not found:
        raise UnreadableSource(label, f"there is nothing to mine in this archive{_told(passed_over)}")
    yield from found


def _in_container(
    container: Container, path: Path | None, label: str, name: str, passed_over: Counter[str]
) -> Iterator[FoundSource]:
    listed = container.names()
    names = [member for member in listed if not is_of_a_program(member)]
    passed_over.update(container.passed_over)
    passed_over[IN_PROGRAM_FOLDERS] += len(listed) - len(names)
    roots = _slack_roots(names)
    for root in roots:
        part = PurePosixPath(root).name if root else name
        yield SlackSource(str(PurePosixPath(label, root)), printable(part), container, root)
    taken = _slack_files(names, roots, is_archive=path is None)
    names = [member for member in names if member not in taken]
    names = _without_agents_files(container, names, passed_over)
    found, taken = _opencode(container, path, label, name, names)
    yield from found
    names = [member for member in names if member not in taken]
    wholes = find_wholes(container, label, name, names, path is None)
    yield from wholes.sources
    passed_over.update(wholes.passed_over)
    others = [member for member in names if member not in wholes.taken]
    rest = without_attachments(others, is_archive=path is None)
    passed_over[ATTACHMENTS] += len(others) - len(rest)
    exports = sort_exports(rest, is_archive=path is None)
    for member in rest:
        if member in exports.left_out:
            continue
        if kind := kind_of(member):
            passed_over[kind] += 1
            continue
        member_label = printable(str(PurePosixPath(label, member)))
        yield from _member(container, path / member if path else None, member_label, member, exports, passed_over)


def _without_agents_files(container: Container, names: list[str], passed_over: Counter[str]) -> list[str]:
    """Leave out, and count, what coding assistants keep beside their sessions."""
    root, listed = container.key(""), frozenset(names)
    kept = []
    for member in names:
        kind = beside_sessions(root, member, listed)
        if kind is None:
            kept.append(member)
        else:
            passed_over[kind] += 1
    return kept


def _opencode(
    container: Container, path: Path | None, label: str, name: str, names: list[str]
) -> tuple[list[FoundSource], set[str]]:
    """Find opencode's databases and its older storage; and the files that belong to them."""
    on_disk = [member for member in names if path is not None and is_named_so(member)]
    databases = {
        member: OpencodeDatabase(printable(str(PurePosixPath(label, member))), _OPENCODE, (path / member).resolve())
        for member in on_disk
        if path is not None and is_database(path / member)
    }
    roots = storage_roots(names)
    found: list[FoundSource] = list(databases.values())
    for root in roots:
        shown = printable(str(PurePosixPath(label, root)))
        found.append(OpencodeStorage(shown, _OPENCODE if root else name, container, root, tuple(databases.values())))
    beside = {f"{member}{ending}" for member in databases for ending in ("", "-wal", "-shm")}
    return found, files_of(names, roots) | beside


def _member(
    container: Container, path: Path | None, label: str, member: str, exports: Sorted, passed_over: Counter[str]
) -> Iterator[FoundSource]:
    name = _stem(printable(PurePosixPath(member).name))
    if not member.lower().endswith(".zip"):
        yield exports.placed(FileSource(label, name, container, member))
    elif path is None:
        reason = "an archive inside an archive is not read; unpack the outer one first"
        yield BrokenSource(label, name, UnreadableSource(label, reason))
    else:
        yield from _nested(path, label, name, passed_over)


def _nested(path: Path, label: str, name: str, passed_over: Counter[str]) -> Iterator[FoundSource]:
    """Offer what is in an archive found in a folder; one that is broken must not stop the others."""
    try:
        yield from _file(Folder(path.parent, printable(str(path.parent))), path, label, path.name, passed_over)
    except UnreadableSource as problem:
        yield BrokenSource(label, name, problem)
    except OSError as problem:
        yield BrokenSource(label, name, UnreadableSource(label, f"cannot be read: {problem.strerror}"))


def _slack_roots(names: Iterable[str]) -> list[str]:
    """Find the folders that are Slack exports: an index of channels, and messages by day below it."""
    with_index = {name[: name.rfind("/") + 1] for name in names if is_index(name)}
    with_days = {name[: name.rfind("/", 0, name.rfind("/")) + 1] for name in names if day_folder(name)}
    return sorted(with_index & with_days)


def _slack_files(names: list[str], roots: list[str], *, is_archive: bool) -> set[str]:
    """Find what belongs to Slack exports; on disk other files may lie between theirs."""
    days = {folder for name in names if (folder := day_folder(name))}
    known, found = set(roots), set()
    for name in names:
        root = next((root for root in _folders_of(name) if root in known), None)
        if root is None:
            continue
        is_index_file = name.endswith(".json") and "/" not in name[len(root) :]
        if is_archive or name[: name.rfind("/")] in days or is_index_file:
            found.add(name)
    return found


def _folders_of(name: str) -> Iterator[str]:
    """Give the folders a file lies in, each with its slash, innermost first, and "" for the outermost."""
    while name:
        name = name[: name.rfind("/", 0, len(name) - 1) + 1]
        yield name


def _stem(name: str) -> str:
    """Take the endings off a file's name: "chat.json.gz" is called "chat"."""
    return _ENDINGS.sub("", name) or name


def _told(passed_over: Counter[str]) -> str:
    counted = ", ".join(f"{count:,} {kind}" for kind, count in passed_over.most_common() if count)
    return f"; passed over: {counted}" if counted else ""
