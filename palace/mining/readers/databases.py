"""Reads SQLite databases of coding assistants without writing to them, even while the assistant does.

A running program stores new rows in a ``-wal`` file, so the database must be opened together with it. For a database
that no program has open this would create files, so it is opened as immutable, and read again if it changes. If a
killed program left a WAL, a copy is read.
"""

from __future__ import annotations

import io
import shutil
import sqlite3
import tempfile
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from palace.mining.files.reading import Reading
from palace.mining.files.source import FoundSource
from palace.models.intake import LARGEST_MESSAGE

LARGEST_ROW = 2 * LARGEST_MESSAGE
"""Most bytes of a row's JSON, in which text takes up to twice its size."""
SPARED = 1 << 20
"""Characters that rows may have beyond four times the size of the file: values of added columns are not stored."""
LONGEST_SECONDS = 60.0
"""Most seconds of a query."""
UNREADABLE = (sqlite3.Error, OSError, UnicodeDecodeError)
"""Errors when reading a database; a damaged one may have undecodable column names."""

_SIGNATURE = b"SQLite format 3\x00"
_ZSTANDARD = b"\x28\xb5\x2f\xfd"
_PATIENCE = 5.0
"""Seconds to wait for a lock on the database."""
_TRIES = 3
_COMPUTED = (
    "SELECT 1 FROM sqlite_master AS t, pragma_table_xinfo(t.name) AS c"
    " WHERE t.type = 'table' AND t.rootpage > 0 AND c.hidden = 2"
)
"""Columns that are not stored; an expression can take any time, which nothing can interrupt."""


@dataclass(frozen=True, slots=True)
class DatabaseSource(FoundSource):
    """All sessions of one database."""

    path: Path
    """The resolved path."""

    @property
    def key(self) -> str:
        """The source's identity, independent of how its path was given."""
        return str(self.path)


def is_database(path: Path, wanted: Collection[str], *, is_named: bool) -> bool:
    """Check whether a file is a database with some tables; if it is locked, return ``is_named``."""
    try:
        with path.open("rb") as file:
            if file.read(len(_SIGNATURE)) != _SIGNATURE:
                return False
        with readable(path) as copy, opened(copy) as database:
            return tables(database) >= set(wanted)
    except UNREADABLE as problem:
        code = getattr(problem, "sqlite_errorcode", 0)
        return code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) and is_named


def all_rows(path: Path, statement: str, *values: object) -> list[dict[str, Any]]:
    """Run a query and return all rows, so that no lock is held while they are processed.

    A database that was opened as immutable and changed meanwhile is read again.

    Raises:
        sqlite3.Error: it cannot be read, takes longer than a minute, or its rows have more text than the file can hold.
    """
    for tried in range(_TRIES):
        before, is_last = _stamps(path), tried == _TRIES - 1
        try:
            with opened(path) as database, ThreadPoolExecutor(1) as thread:
                try:
                    # In a thread, because a signal is not handled while SQLite works.
                    rows = thread.submit(_bounded, database, statement, values, _most(path)).result(LONGEST_SECONDS)
                except TimeoutError as problem:
                    raise sqlite3.DataError("it takes too long") from problem
                finally:
                    database.interrupt()
        except (sqlite3.DatabaseError, UnicodeDecodeError):
            if is_last or before == _stamps(path):
                raise
        else:
            if is_last or before == _stamps(path) or _is_open(path):
                return rows
    return []


def _bounded(database: sqlite3.Connection, statement: str, values: Sequence[object], most: int) -> list[dict[str, Any]]:
    if database.execute(_COMPUTED).fetchone():
        raise sqlite3.DataError("it has computed columns, which are not read")
    rows, size = [], 0
    for row in database.execute(statement, values):
        size += sum(len(value) if isinstance(value, str | bytes) else 1 for value in row)
        if size > most:
            raise sqlite3.DataError("its rows have more text than the file can hold")
        rows.append(dict(row))
    return rows


def _most(path: Path) -> int:
    """Return the most characters that rows of a database may have, unless they are computed."""
    return 4 * (_size(path) + _size(_beside(path, "-wal"))) + SPARED


@contextmanager
def readable(path: Path) -> Iterator[Path]:
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
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a database that ``readable`` returned, and close it with the block."""
    with closing(_connected(path, "mode=ro" if _is_open(path) else "mode=ro&immutable=1")) as database:
        yield database


def _connected(path: Path, how: str) -> sqlite3.Connection:
    database = sqlite3.connect(f"file:{quote(str(path))}?{how}", uri=True, timeout=_PATIENCE, check_same_thread=False)
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 2 * LARGEST_ROW)
    database.row_factory = sqlite3.Row
    database.text_factory = lambda text: text.decode("utf-8", "replace")
    return database


def unpacked(data: object, reading: Reading, place: str) -> object:
    """Return what a row holds compressed with Zstandard, cut off after as many bytes as a row may have.

    Any other value is returned unchanged.

    Raises:
        UnreadableSource: it is damaged, or the extra is not installed.
    """
    if not isinstance(data, bytes) or not data.startswith(_ZSTANDARD):
        return data
    try:
        import zstandard
    except ImportError as problem:
        raise reading.problem("is compressed, which needs `pip install 'memory-palace-pg[zstd]'`") from problem
    try:
        with zstandard.ZstdDecompressor().stream_reader(io.BytesIO(data)) as stream:
            return stream.read(LARGEST_ROW)
    except zstandard.ZstdError as problem:
        raise reading.problem(f"is damaged: {problem}", place) from problem


def tables(database: sqlite3.Connection) -> set[str]:
    """Return the names of the tables."""
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
