"""SQLite databases of coding assistants with all sessions, one row a message; ``STORES`` lists them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from palace.errors import UnreadableSource
from palace.mining.files.fields import parsed
from palace.mining.files.reading import Reading
from palace.mining.readers import goose, hermes
from palace.mining.readers.databases import LARGEST_ROW, UNREADABLE, DatabaseSource, all_rows, is_database, readable
from palace.models import Conversation


class Store(NamedTuple):
    """The database of one program."""

    title: str
    names: re.Pattern[str]
    tables: frozenset[str]
    """Names of tables, among them one that only this program has."""
    order: str
    """The column by which sessions are sorted."""
    json: tuple[str, ...]
    """Columns of messages that contain JSON."""
    read: Callable[[dict[str, Any], list[dict[str, Any]], Reading], Iterator[Conversation]]
    """Reads the row of a session and the rows of its messages."""
    content: str = "content"
    """The column of messages with the text, which may be too long."""


STORES = (
    Store(
        "Goose",
        re.compile(r"sessions\.db"),
        frozenset({"sessions", "messages", "schema_version"}),
        "created_at",
        ("content_json", "metadata_json"),
        goose.read_rows,
        "content_json",
    ),
    Store(
        "Hermes",
        re.compile(r"state\.db"),
        frozenset({"sessions", "messages", "state_meta"}),
        "started_at",
        (),
        hermes.read_rows,
    ),
)


def find_store(path: Path) -> Store | None:
    """Find the store to which a file belongs, by its name and tables; None if there is none."""
    named = (store for store in STORES if store.names.fullmatch(path.name))
    return next((store for store in named if is_database(path, store.tables, is_named=False)), None)


@dataclass(frozen=True, slots=True)
class AgentDatabase(DatabaseSource):
    """All sessions of one database."""

    store: Store

    def read(self, reading: Reading) -> Iterator[Conversation]:
        """Read the sessions in the order in which they began.

        Raises:
            UnreadableSource: it is damaged, or was locked for too long.
        """
        sessions = f"SELECT * FROM sessions ORDER BY {self.store.order}, id"  # noqa: S608 — a name of ours
        messages = "SELECT * FROM messages WHERE session_id = ? ORDER BY id"
        try:
            with readable(self.path) as path:
                for about in all_rows(path, sessions):
                    rows = all_rows(path, messages, about["id"])
                    yield from self.store.read(about, list(self._parsed(rows, about, reading)), reading)
        except UNREADABLE as problem:
            raise UnreadableSource(
                self.file, f"cannot be read as {self.store.title}'s database: {problem}"
            ) from problem

    def count(self) -> int:
        """Return the number of its sessions; 0 if it cannot be read."""
        try:
            with readable(self.path) as path:
                return int(all_rows(path, "SELECT count(*) AS n FROM sessions")[0]["n"])
        except UNREADABLE:
            return 0

    def _parsed(self, rows: list[dict[str, Any]], about: dict[str, Any], reading: Reading) -> Iterator[dict[str, Any]]:
        for row in rows:
            if len(str(row.get(self.store.content) or "")) > LARGEST_ROW:
                place = f"session {about['id']}, message {row['id']}"
                reading.miss(reading.problem(f"has more than {LARGEST_ROW:,} bytes", place))
            else:
                yield {**row, **{name: parsed(row.get(name)) for name in self.store.json}}
