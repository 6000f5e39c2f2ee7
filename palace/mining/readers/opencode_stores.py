"""opencode's own stores: a database, formerly a file per session, message and part.

Older versions wrote below a folder ``storage``. Kilo Code, a fork of opencode since version 7, has the same database.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from palace.errors import UnreadableSource
from palace.mining.files.fields import parsed
from palace.mining.files.reading import Reading
from palace.mining.files.source import FoundFolder
from palace.mining.readers.databases import (
    LARGEST_ROW,
    UNREADABLE,
    DatabaseSource,
    all_rows,
    is_database,
    opened,
    readable,
    tables,
)
from palace.mining.readers.opencode import KILO, NAME, Message, read_family
from palace.models import Conversation
from palace.nlp.rules import Rules

OTHER_FORM = "messages of opencode in a form that is not read yet"

_NAMES = re.compile(r"(opencode|kilo)(-[\w.-]+)?\.db")
_TABLES = {"session", "message", "part"}
_ROWS = (
    "SELECT id, {1}, CASE WHEN length(CAST(data AS BLOB)) <= ? THEN data END AS data FROM {0}"
    " WHERE session_id = ? ORDER BY {1}, id"
)
_OTHERS = "SELECT count(*) AS n FROM session_message WHERE session_id NOT IN (SELECT session_id FROM message)"


def is_named_so(member: str) -> bool:
    """Check whether a file in a folder has the name of a database of opencode or Kilo Code."""
    return _NAMES.fullmatch(PurePosixPath(member).name) is not None


def is_opencode(path: Path) -> bool:
    """Check whether a file is a database with opencode's tables; a locked one counts if its name fits."""
    return is_database(path, _TABLES, is_named=is_named_so(path.name))


@dataclass(frozen=True, slots=True)
class OpencodeDatabase(DatabaseSource):
    """All sessions of one database."""

    def read(self, reading: Reading) -> Iterator[Conversation]:
        """Read the sessions in the order in which they began, each as a consistent snapshot.

        Raises:
            UnreadableSource: it is damaged, or was locked for too long.
        """
        try:
            name = KILO if self.path.name.startswith(KILO) else NAME
            with readable(self.path) as path:
                sessions = _sessions(path, reading)
                yield from read_family(sessions, lambda about: _messages(path, about, reading), reading, name)
        except UNREADABLE as problem:
            raise UnreadableSource(self.file, f"cannot be read as opencode's database: {problem}") from problem

    def ids(self) -> frozenset[str]:
        """Return the ids of its sessions; empty if it cannot be read."""
        try:
            with readable(self.path) as path:
                return frozenset(str(row["id"]) for row in all_rows(path, "SELECT id FROM session"))
        except UNREADABLE:
            return frozenset()


def _sessions(path: Path, reading: Reading) -> list[dict[str, Any]]:
    with opened(path) as database:
        has_others = "session_message" in tables(database)
    reading.leave_out(OTHER_FORM, all_rows(path, _OTHERS)[0]["n"] if has_others else 0)
    return all_rows(path, "SELECT * FROM session ORDER BY time_created, id")


def _messages(path: Path, about: dict[str, Any], reading: Reading) -> list[Message]:
    key = about.get("id")
    rows = all_rows(path, _ROWS.format("message", "time_created"), LARGEST_ROW, key)
    parts: dict[str, list[dict[str, Any]]] = {}
    for row in all_rows(path, _ROWS.format("part", "message_id"), LARGEST_ROW, key):
        if (part := _value(row, reading, f"session {key}, part {row['id']}")) is not None:
            parts.setdefault(str(row["message_id"]), []).append(part)
    found = []
    for row in rows:
        place = f"session {key}, message {row['id']}"
        if (info := _value(row, reading, place)) is not None:
            info.setdefault("time", {"created": row["time_created"]})
            found.append(Message(info, parts.get(str(row["id"]), []), place))
    return found


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
        files = {PurePosixPath(name).stem: name for name in names if _SESSION.fullmatch(name)}
        reading.leave_out(IN_DATABASE, len(taken & files.keys()))
        sessions = (self._value(files[key], reading) for key in sorted(files.keys() - taken))
        yield from read_family(
            filter(None, sessions),
            lambda about: self._messages(messages.get(about["id"], []), parts, reading),
            reading,
            NAME,
        )

    def _messages(self, names: list[str], parts: dict[str, list[str]], reading: Reading) -> list[Message]:
        found = []
        for name in names:
            key = PurePosixPath(name).stem
            info = self._value(name, reading)
            if info is not None:
                read = (self._value(each, reading) for each in parts.get(key, []))
                of_it = [part for part in read if part is not None]
                found.append(Message(info, of_it, f"message {key}"))
        return found

    def _value(self, name: str, reading: Reading) -> dict[str, Any] | None:
        try:
            with self.container.open(name) as stream:
                written = stream.read()
        except (UnreadableSource, OSError):
            written = b""
        value = _object(written, reading, name.removeprefix(self.root))
        return None if value is None else {**value, "id": PurePosixPath(name).stem}


def _by_folder(names: Iterable[str], root: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in names:
        if name.startswith(root) and name.endswith(".json"):
            found.setdefault(PurePosixPath(name).parent.name, []).append(name)
    return found
