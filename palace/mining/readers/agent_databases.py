"""SQLite databases of coding assistants with all sessions; ``STORES`` lists them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from palace.errors import UnreadableSource
from palace.mining.files.fields import parsed
from palace.mining.files.reading import Reading
from palace.mining.readers import goose, hermes, pi, zed
from palace.mining.readers.databases import (
    LARGEST_ROW,
    UNREADABLE,
    DatabaseSource,
    all_rows,
    is_database,
    readable,
    unpacked,
)
from palace.mining.readers.families import Ids, families
from palace.models import Conversation

MOST_UNPACKED = 64 << 20
"""Bytes that the compressed rows of one session may unpack to."""
MOST_TIMES = 100
"""How many times the size of the file those of all sessions may unpack to, beyond that."""


class Store(NamedTuple):
    """The database of one program."""

    title: str
    file: str
    """The name of its file."""
    tables: frozenset[str]
    """Names of tables, among them one that only this program has."""
    sessions: str
    """The query for the sessions in the order in which they began, with their ids."""
    read: Callable[[dict[str, Any], list[dict[str, Any]], Reading], Iterator[Conversation]]
    """Reads the row of a session and the rows of its messages."""
    json: tuple[str, ...] = ()
    """Columns of messages that contain JSON."""
    content: str = "content"
    """The column of messages with the text, which may be too long."""
    messages: str = "SELECT * FROM messages WHERE session_id = ? ORDER BY id"
    """The query for the rows of a session."""
    packed: str = ""
    """The column of messages that may be compressed with Zstandard."""
    ids: Callable[[dict[str, Any]], Ids] = lambda about: Ids(about["id"])
    """Returns the ids of a session and of the one that it worked for as a sub-agent."""


STORES = (
    Store(
        "Goose",
        "sessions.db",
        frozenset({"sessions", "messages", "schema_version"}),
        "SELECT * FROM sessions ORDER BY created_at, id",
        goose.read_rows,
        ("content_json", "metadata_json"),
        "content_json",
        ids=goose.ids,
    ),
    Store(
        "Hermes",
        "state.db",
        frozenset({"sessions", "messages", "state_meta"}),
        "SELECT * FROM sessions ORDER BY started_at, id",
        hermes.read_rows,
        ids=hermes.ids,
    ),
    Store(
        "OpenClaw",
        "openclaw-agent.sqlite",
        frozenset({"session_windows", "transcript_events"}),
        "SELECT session_id AS id, session_key FROM session_windows ORDER BY created_at, session_id",
        pi.read_rows,
        content="event_json",
        messages="SELECT * FROM transcript_events WHERE session_id = ? ORDER BY seq",
        packed="event_zstd",
    ),
    Store(
        "Zed",
        "threads.db",
        frozenset({"threads"}),
        "SELECT id FROM threads ORDER BY updated_at, id",
        zed.read_rows,
        messages="SELECT * FROM threads WHERE id = ?",
        packed="data",
    ),
)


def find_store(path: Path) -> Store | None:
    """Find the store to which a file belongs, by its name and tables; None if there is none."""
    named = (store for store in STORES if store.file == path.name)
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
        try:
            with readable(self.path) as path:
                left = MOST_UNPACKED + MOST_TIMES * path.stat().st_size
                for about, others in families(all_rows(path, self.store.sessions), self.store.ids):
                    each_rows = (all_rows(path, self.store.messages, each["id"]) for each in (about, *others))
                    rows = list(chain.from_iterable(each_rows))
                    try:
                        parsed_rows, spent = self._parsed(rows, about, reading, min(left, MOST_UNPACKED))
                    except UnreadableSource as problem:
                        reading.miss(problem)
                        continue
                    left -= spent
                    yield from self.store.read(about, parsed_rows, reading)
        except UNREADABLE as problem:
            raise UnreadableSource(
                self.file, f"cannot be read as {self.store.title}'s database: {problem}"
            ) from problem

    def count(self) -> int:
        """Return the number of its sessions; 0 if it cannot be read."""
        try:
            with readable(self.path) as path:
                return len(all_rows(path, self.store.sessions))
        except UNREADABLE:
            return 0

    def _parsed(
        self, rows: list[dict[str, Any]], about: dict[str, Any], reading: Reading, most: int
    ) -> tuple[list[dict[str, Any]], int]:
        """Return the rows of a session, in which missing columns are None, and how many bytes were unpacked.

        A row whose compressed column is damaged has the error as ``fault``.

        Raises:
            UnreadableSource: they unpack to more than ``most`` bytes.
        """
        found, spent, packed = list[dict[str, Any]](), 0, self.store.packed
        for row in rows:
            place = f"session {row.get('session_id', about['id'])}, message {row.get('id', row.get('seq'))}"
            if len(str(row.get(self.store.content) or "")) > LARGEST_ROW:
                reading.miss(reading.problem(f"has more than {LARGEST_ROW:,} bytes", place))
                continue
            read = defaultdict(lambda: None, row | {name: parsed(row.get(name)) for name in self.store.json})
            try:
                read[packed] = unpacked(read[packed], reading, place)
            except UnreadableSource as problem:
                read["fault"] = problem
            spent += len(read[packed]) if read[packed] is not row.get(packed) else 0
            if spent > most:
                raise reading.problem(f"unpacks to more than {most:,} bytes", f"session {about['id']}")
            found.append(read)
        return found, spent
