"""opencode's older storage: a file for each session, message and part, below a folder ``storage``."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from palace.errors import UnreadableSource
from palace.mining.files.fields import as_object
from palace.mining.files.reading import Reading
from palace.mining.files.source import FoundWhole
from palace.mining.readers.opencode import Message, read_session
from palace.mining.readers.opencode_database import OpencodeDatabase
from palace.models import Conversation

IN_DATABASE = "sessions that opencode took over into its database"

_SESSION = re.compile(r"((?:.*/)?)session/[^/]+/(ses_[^/]+)\.json")
_KINDS = frozenset(
    {"session", "message", "part", "project", "todo", "permission", "session_diff", "session_share", "migration"}
)


def storage_roots(names: Iterable[str]) -> list[str]:
    """Find the folders that hold sessions so, each with its slash, "" for the outermost."""
    return sorted({found[1] for name in names if (found := _SESSION.fullmatch(name))})


def files_of(names: Iterable[str], roots: Collection[str]) -> set[str]:
    """Find what belongs to them."""
    return {
        name
        for name in names
        for root in roots
        if name.startswith(root) and name.removeprefix(root).partition("/")[0] in _KINDS
    }


@dataclass(frozen=True, slots=True)
class OpencodeStorage(FoundWhole):
    """All sessions below one folder, as a whole."""

    databases: tuple[OpencodeDatabase, ...] = field(default=())
    """Those beside it: a session that one has taken over goes on there."""

    def read(self, reading: Reading) -> Iterator[Conversation]:
        """Read the sessions, in the order of their names, which is that in which they began."""
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
        # Ids of one session rise with time; the time is asked first, as opencode does.
        return sorted(found, key=lambda each: (_created(each.info), str(each.info["id"])))

    def _value(self, name: str, reading: Reading) -> dict[str, Any] | None:
        try:
            with self.container.open(name) as stream:
                value = json.loads(stream.read())
        except (UnreadableSource, OSError, ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            reading.miss(reading.problem("holds no JSON object", name.removeprefix(self.root)))
            return None
        return {"id": PurePosixPath(name).stem, **value}


def _by_folder(names: Iterable[str], root: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in names:
        if name.startswith(root) and name.endswith(".json"):
            found.setdefault(PurePosixPath(name).parent.name, []).append(name)
    return found


def _created(info: dict[str, Any]) -> float:
    created = as_object(info.get("time")).get("created")
    return float(created) if isinstance(created, int | float) else 0.0
