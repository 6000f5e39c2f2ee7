"""opencode's older storage: a file for each session, message and part, below a folder ``storage``."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any

from palace.errors import UnreadableSource
from palace.mining.readers.assistants.opencode.database import OpencodeDatabase
from palace.mining.readers.assistants.opencode.sessions import Message, read_session
from palace.mining.readers.fields import as_object
from palace.mining.readers.files.containers import Container
from palace.mining.readers.reading import Reading
from palace.records import Conversation

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
    known = frozenset(roots)
    return {name for name in names if _is_of(name, known)}


def _is_of(name: str, roots: Collection[str]) -> bool:
    root = ""
    for part in name.split("/"):
        if part in _KINDS and root in roots:
            return True
        root += f"{part}/"
    return False


@dataclass(frozen=True, slots=True)
class OpencodeStorage:
    """All sessions below one folder, as a whole."""

    file: str
    name: str
    container: Container
    root: str
    """Where in the container it begins: empty, or a folder with its slash."""
    databases: tuple[OpencodeDatabase, ...] = field(default=())
    """Those beside it: a session that one has taken over goes on there."""
    origin: str = ""

    @property
    def key(self) -> str:
        """What tells it from every other source, however it is named."""
        return self.container.key(self.root)

    def under(self, origin: str) -> OpencodeStorage:
        """Give the same, found in what the person named so."""
        return replace(self, origin=origin)

    def read(self, reading: Reading) -> Iterator[Conversation]:
        """Read the sessions, in the order of their names, which is that in which they began."""
        names = [name for name in self.container.names() if name.startswith(self.root)]
        taken = frozenset[str]().union(*(database.ids() for database in self.databases))
        messages = _by_folder(names, f"{self.root}message/")
        parts = _by_folder(names, f"{self.root}part/")
        for name in sorted(
            (name for name in names if _SESSION.fullmatch(name)), key=lambda each: PurePosixPath(each).name
        ):
            key = PurePosixPath(name).stem
            if key in taken:
                reading.leave_out(IN_DATABASE)
                continue
            missed = reading.troubles
            about = self._value(name, reading)
            if about is None:
                continue
            found = list(self._messages(messages.get(key, []), parts, reading))
            yield from read_session({**about, "id": key}, found, reading, is_partial=reading.troubles > missed)

    def _messages(self, names: list[str], parts: dict[str, list[str]], reading: Reading) -> Iterator[Message]:
        found = []
        for name in names:
            key = PurePosixPath(name).stem
            info = self._value(name, reading)
            if info is not None:
                read = (self._value(each, reading) for each in parts.get(key, []))
                found.append(
                    Message({**info, "id": key}, [part for part in read if part is not None], f"message {key}")
                )
        # Ids of one session rise with time; the time is asked first, as opencode does.
        yield from sorted(found, key=lambda each: (_created(each.info), str(each.info["id"])))

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
    """Sort files below a folder by the folder that each lies in."""
    found: dict[str, list[str]] = {}
    for name in names:
        if name.startswith(root) and name.endswith(".json"):
            found.setdefault(PurePosixPath(name).parent.name, []).append(name)
    return found


def _created(info: dict[str, Any]) -> float:
    created = as_object(info.get("time")).get("created")
    return float(created) if isinstance(created, int | float) else 0.0
