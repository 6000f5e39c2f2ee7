"""How each drawer was read, what replaced it, what it answers; the lines a conversation without an id is found by."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

SCRIPTS = Path(__file__).parent.parent / "sql" / revision
EDGE_LINES, LEAST_EDGE = 3, 8
BATCH = 1000


def upgrade() -> None:
    """Change the tables, then note the edges of what has no id."""
    op.get_bind().exec_driver_sql((SCRIPTS / "tables.sql").read_text(encoding="utf-8"))
    waiting: list[dict[str, int]] = []
    for row in _edges():
        waiting.append(row)
        if len(waiting) >= BATCH:
            _write(waiting)
            waiting = []
    _write(waiting)


def _edges() -> Iterator[dict[str, int]]:
    """Give the edges of every conversation without an id; what each run filed of it counts by itself."""
    # A few drawers at a time: a palace may be larger than memory.
    query = sa.text(
        "SELECT user_id, conversation_id, run_id, content FROM drawer WHERE EXISTS (SELECT FROM conversation AS c"
        " WHERE c.user_id = drawer.user_id AND c.id = drawer.conversation_id AND c.identity LIKE '%:~%')"
        " ORDER BY user_id, conversation_id, run_id, position, number"
    )
    rows = op.get_bind().execute(query, execution_options={"yield_per": 100})
    for (user_id, conversation_id, _), turns in groupby(rows, key=lambda row: row[:3]):
        for edge in _edges_of(row.content for row in turns):
            yield {"user_id": user_id, "conversation_id": conversation_id, "line_hash": edge}


def _edges_of(contents: Iterable[str]) -> set[int]:
    """Hash the first and the last lines that are long enough to tell; all are, where none is."""
    first: dict[bool, list[str]] = {True: [], False: []}
    last: dict[bool, list[str]] = {True: [], False: []}
    for content in contents:
        for raw in content.splitlines():
            line = raw.strip()
            if line:
                is_telling = len(line) >= LEAST_EDGE
                if len(first[is_telling]) < EDGE_LINES:
                    first[is_telling].append(line)
                last[is_telling] = [*last[is_telling], line][-EDGE_LINES:]
    is_telling = bool(first[True])
    return {_hash(line) for line in (*first[is_telling], *last[is_telling])}


def _hash(line: str) -> int:
    return int.from_bytes(hashlib.blake2b(line.encode(), digest_size=8).digest(), "big", signed=True)


def _write(rows: list[dict[str, int]]) -> None:
    if rows:
        columns = "(user_id, conversation_id, line_hash)"
        values = "(:user_id, :conversation_id, :line_hash)"
        insert = f"INSERT INTO conversation_edge {columns} VALUES {values} ON CONFLICT DO NOTHING"  # noqa: S608
        op.get_bind().execute(sa.text(insert), rows)


def downgrade() -> None:
    """Drop what the upgrade made; what was replaced, and what answers what, is lost."""
    op.get_bind().exec_driver_sql(
        """
        DROP TABLE conversation_edge;
        ALTER TABLE drawer DROP COLUMN said_offset, DROP COLUMN reading, DROP COLUMN replaced_at,
            DROP COLUMN replaced_by, DROP COLUMN replaced_run_id, DROP COLUMN answers;
        """
    )
