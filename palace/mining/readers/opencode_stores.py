"""opencode's own stores: a database, formerly a file per session, message and part.

The SQLite database is only read, possibly while opencode writes it. A running opencode keeps new rows in
``opencode.db-wal``, so the database must then be opened with it. That would create files beside a database that nobody
has open, so such a one is opened as immutable, and read again if it changes. If a killed program left a WAL behind, a
copy is read. Older versions wrote below a folder ``storage``.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
import tempfile
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote

from palace.errors import UnreadableSource
from palace.mining.files.fields import object_field, parsed
from palace.mining.files.reading import Reading
from palace.mining.files.source import FoundFolder, FoundSource
from palace.mining.readers.opencode import Message, read_session
from palace.models import Conversation
from palace.models.intake import LARGEST_MESSAGE
from palace.nlp.rules import Rules

OTHER_FORM = "messages of opencode in a form that is not read yet"
LARGEST_ROW = 2 * LARGEST_MESSAGE
"""Most bytes of a row's JSON, in which text takes up to twice its size."""

_NAMES = re.compile(r"opencode(-[\w.-]+)?\.db")
_SIGNATURE = b"SQLite format 3\x00"
_TABLES = {"session", "message", "part"}
_ROWS = (
    "SELECT id, {1}, CASE WHEN length(CAST(data AS BLOB)) <= ? THEN data END AS data FROM {0}"
    " WHERE session_id = ? ORDER BY {1}, id"
)
_OTHERS = "SELECT count(*) FROM session_message WHERE session_id NOT IN (SELECT session_id FROM message)"
_PATIENCE = 5.0
"""Seconds to wait for a lock on the database."""
_TRIES = 3
_UNREADABLE = (sqlite3.Error, OSError, UnicodeDecodeError)
"""Errors when reading a database; a damaged one may have undecodable column names."""


def is_named_so(member: str) -> bool:
    """Check whether a file in a folder has the name of an opencode database."""
    return _NAMES.fullmatch(PurePosixPath(member).name) is not None


def is_database(path: Path) -> bool:
    """Check for opencode's tables; an unreadable file is no database, unless it is locked and named as one."""
    try:
        with path.open("rb") as file:
            if file.read(len(_SIGNATURE)) != _SIGNATURE:
                return False
        with _readable(path) as readable, _opened(readable) as database:
            return _tables(database) >= _TABLES
    except _UNREADABLE as problem:
        code = getattr(problem, "sqlite_errorcode", 0)
        return code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) and is_named_so(path.name)


@dataclass(frozen=True, slots=True)
class OpencodeDatabase(FoundSource):
    """All sessions of one database."""

    path: Path
    """The resolved path."""

    @property
    def key(self) -> str:
        """The source's identity, independent of how its path was given."""
        return str(self.path)

    def read(self, reading: Reading) -> Iterator[Conversation]:
        """Read the sessions in the order in which they began, each as a consistent snapshot.

        Raises:
            UnreadableSource: it is damaged, or was locked for too long.
        """
        try:
            with _readable(self.path) as path:
                for about in _sessions(path, reading):
                    messages, is_partial = _messages(path, about, reading)
                    yield from read_session(about, messages, reading, is_partial=is_partial)
        except _UNREADABLE as problem:
            raise UnreadableSource(self.file, f"cannot be read as opencode's database: {problem}") from problem

    def ids(self) -> frozenset[str]:
        """Return the ids of its sessions; empty if it cannot be read."""
        try:
            with _readable(self.path) as path:
                return frozenset(str(row["id"]) for row in _all(path, "SELECT id FROM session"))
        except _UNREADABLE:
            return frozenset()


def _sessions(path: Path, reading: Reading) -> list[dict[str, Any]]:
    with _opened(path) as database:
        others = database.execute(_OTHERS).fetchone()[0] if "session_message" in _tables(database) else 0
    reading.leave_out(OTHER_FORM, others)
    return _all(path, "SELECT * FROM session ORDER BY time_created, id")


def _messages(path: Path, about: dict[str, Any], reading: Reading) -> tuple[list[Message], bool]:
    """Return the messages of a session, and whether any of them could not be read."""
    key, missed = about.get("id"), reading.troubles
    rows = _all(path, _ROWS.format("message", "time_created"), LARGEST_ROW, key)
    parts: dict[str, list[dict[str, Any]]] = {}
    for row in _all(path, _ROWS.format("part", "message_id"), LARGEST_ROW, key):
        if (part := _value(row, reading, f"session {key}, part {row['id']}")) is not None:
            parts.setdefault(str(row["message_id"]), []).append(part)
    found = []
    for row in rows:
        place = f"session {key}, message {row['id']}"
        if (info := _value(row, reading, place)) is not None:
            info.setdefault("time", {"created": row["time_created"]})
            found.append(Message(info, parts.get(str(row["id"]), []), place))
    return found, reading.troubles > missed


def _value(row: dict[str, Any], reading: Reading, place: str) -> dict[str, Any] | None:
    """Decode a row's JSON; note the problem and return None if it cannot be read."""
    if row["data"] is None:
        reading.miss(reading.problem(f"holds nothing, or more than {LARGEST_ROW:,} bytes", place))
        return None
    value = _object(row["data"], reading, place)
    return None if value is None else {**value, "id": row["id"]}


def _object(written: str | bytes, reading: Reading, place: str) -> dict[str, Any] | None:
    value = parsed(written)
    if not isinstance(value, dict):
        reading.miss(reading.problem("holds no JSON object", place))
    return value if isinstance(value, dict) else None


def _all(path: Path, statement: str, *values: object) -> list[dict[str, Any]]:
    """Run a query and return all rows, so that no lock is held while they are processed.

    A database that was opened as immutable and changed meanwhile is read again.
    """
    for tried in range(_TRIES):
        before, is_last = _stamps(path), tried == _TRIES - 1
        try:
            with _opened(path) as database:
                rows = [dict(row) for row in database.execute(statement, values)]
        except (sqlite3.DatabaseError, UnicodeDecodeError):
            if is_last or before == _stamps(path):
                raise
        else:
            if is_last or before == _stamps(path) or _is_open(path):
                return rows
    return []


@contextmanager
def _readable(path: Path) -> Iterator[Path]:
    """Yield the path of the database, or of a copy that includes the WAL left by a killed program."""
    if _is_open(path) or not _size(_beside(path, "-wal")):
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="palace-") as folder:
        copy = Path(folder, "copy.db")
        shutil.copyfile(path, copy)
        shutil.copyfile(_beside(path, "-wal"), _beside(copy, "-wal"))
        with closing(_connected(copy, "mode=rw")) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        yield copy


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(_connected(path, "mode=ro" if _is_open(path) else "mode=ro&immutable=1")) as database:
        yield database


def _connected(path: Path, how: str) -> sqlite3.Connection:
    database = sqlite3.connect(f"file:{quote(str(path))}?{how}", uri=True, timeout=_PATIENCE)
    # A limit on what SQLite builds at all: a column may be computed.
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 2 * LARGEST_ROW)
    database.row_factory = sqlite3.Row
    database.text_factory = lambda text: text.decode("utf-8", "replace")
    return database


def _tables(database: sqlite3.Connection) -> set[str]:
    return {row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def _is_open(path: Path) -> bool:
    return _beside(path, "-wal").exists() and _beside(path, "-shm").exists()


def _stamps(path: Path) -> tuple[object, ...]:
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_size, found.st_mtime_ns, found.st_ino, _size(_beside(path, "-wal"))


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


IN_DATABASE = "sessions that opencode took over into its database"

_SESSION = re.compile(r"((?:.*/)?)session/[^/]+/(ses_[^/]+)\.json")
_RULES = Rules("readers", "files.toml")


def storage_roots(names: Iterable[str]) -> list[str]:
    """Return the folders that contain session files, each with a trailing slash, "" for the outermost."""
    return sorted({found[1] for name in names if (found := _SESSION.fullmatch(name))})


def files_of(names: Iterable[str], roots: Collection[str]) -> set[str]:
    """Return the files that belong to the storage folders ``roots``."""
    folders = tuple(f"{root}{kind}/" for root in roots for kind in _RULES.words("opencode_storage"))
    return {name for name in names if name.startswith(folders)}


@dataclass(frozen=True, slots=True)
class OpencodeStorage(FoundFolder):
    """All sessions below one storage folder, read together."""

    databases: tuple[OpencodeDatabase, ...] = field(default=())
    """Databases beside it; sessions migrated to one of them are read there."""

    def read(self, reading: Reading) -> Iterator[Conversation]:
        """Read the sessions in order of their ids, which is that of their creation."""
        names = [name for name in self.container.names() if name.startswith(self.root)]
        taken = frozenset[str]().union(*(database.ids() for database in self.databases))
        messages = _by_folder(names, f"{self.root}message/")
        parts = _by_folder(names, f"{self.root}part/")
        sessions = [name for name in names if _SESSION.fullmatch(name)]
        for name in sorted(sessions, key=lambda each: PurePosixPath(each).name):
            key = PurePosixPath(name).stem
            if key in taken:
                reading.leave_out(IN_DATABASE)
                continue
            missed = reading.troubles
            about = self._value(name, reading)
            if about is None:
                continue
            found = self._messages(messages.get(key, []), parts, reading)
            yield from read_session({**about, "id": key}, found, reading, is_partial=reading.troubles > missed)

    def _messages(self, names: list[str], parts: dict[str, list[str]], reading: Reading) -> list[Message]:
        found = []
        for name in names:
            key = PurePosixPath(name).stem
            info = self._value(name, reading)
            if info is not None:
                read = (self._value(each, reading) for each in parts.get(key, []))
                of_it = [part for part in read if part is not None]
                found.append(Message({**info, "id": key}, of_it, f"message {key}"))
        # Ids of a session ascend with time; like opencode, sort by time first.
        return sorted(found, key=lambda each: (_created(each.info), str(each.info["id"])))

    def _value(self, name: str, reading: Reading) -> dict[str, Any] | None:
        try:
            with self.container.open(name) as stream:
                written = stream.read()
        except (UnreadableSource, OSError):
            written = b""
        value = _object(written, reading, name.removeprefix(self.root))
        return None if value is None else {"id": PurePosixPath(name).stem, **value}


def _by_folder(names: Iterable[str], root: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in names:
        if name.startswith(root) and name.endswith(".json"):
            found.setdefault(PurePosixPath(name).parent.name, []).append(name)
    return found


def _created(info: dict[str, Any]) -> float:
    created = object_field(info, "time").get("created")
    return float(created) if isinstance(created, int | float) else 0.0
