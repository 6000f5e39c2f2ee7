"""A database of opencode, made by the schema in its source (``packages/opencode/src/session/session.sql.ts``)."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

BEGAN = 1_767_323_040_000
_SCHEMA = """
CREATE TABLE project (id text PRIMARY KEY, worktree text NOT NULL, time_created integer, time_updated integer);
CREATE TABLE session (
    id text PRIMARY KEY, project_id text NOT NULL, parent_id text, slug text NOT NULL, directory text NOT NULL,
    title text NOT NULL, version text NOT NULL, revert text,
    time_created integer NOT NULL, time_updated integer NOT NULL
);
CREATE TABLE message (
    id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL,
    data text NOT NULL
);
CREATE TABLE part (
    id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, time_created integer NOT NULL,
    time_updated integer NOT NULL, data text NOT NULL
);
"""


def make(path: Path) -> sqlite3.Connection:
    """Make an empty one, as a running program has it open."""
    database = sqlite3.connect(path)
    database.execute("PRAGMA journal_mode = WAL")
    database.executescript(_SCHEMA)
    return database


def begin(database: sqlite3.Connection, key: str, title: str = "Battery", *, parent: str | None = None) -> None:
    """Begin a session."""
    row = (key, "p1", parent, "slug", "/home/derek/efoil", title, "1.18", None, BEGAN, BEGAN)
    database.execute("INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
    database.commit()


def say(database: sqlite3.Connection, session: str, number: int, role: str, *parts: dict[str, Any] | str) -> None:
    """Have something said in a session: texts, or parts as they are."""
    key, at = f"msg_{session}_{number:02d}", BEGAN + number * 1000
    info = json.dumps({"role": role, "time": {"created": at}})
    database.execute("INSERT INTO message VALUES (?, ?, ?, ?, ?)", (key, session, at, at, info))
    for place, part in enumerate(parts):
        data = json.dumps({"type": "text", "text": part} if isinstance(part, str) else part)
        row = (f"prt_{session}_{number:02d}_{place}", key, session, at, at, data)
        database.execute("INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)", row)
    database.commit()
