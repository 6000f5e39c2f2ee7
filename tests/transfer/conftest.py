"""A palace with something in every table that an export holds, and the files made of it."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from palace import Palace, Settings
from palace.db.tables import Base
from palace.testing import HashingEmbedder
from tests.held import execute

ODD = "Zeile\u2028zwei\u2029drei\x85vier\r\n\x1b[31m\x01 \U0001f6e5\ufe0f e\u0301 \ufeff \u202eleft \U000e0041"
OPEN = Callable[..., Palace]

# What no command does yet, or not this way: told in rows.
PLANTED = (
    # Two runs that began at the same instant, one of them undone, one relying on the other.
    "INSERT INTO mining_run (user_id, source, started_at, finished_at, drawer_count, undone_at)"
    " SELECT id, source, '2026-01-01 10:00:00.000001+00', '2026-01-01 10:00:01+00', 3, undone"
    " FROM palace_user, (VALUES ('twin', now()), ('twin', NULL)) AS run (source, undone) WHERE id = :user_id",
    "INSERT INTO run_basis (user_id, run_id, basis_id)"
    " SELECT user_id, max(id), min(id) FROM mining_run WHERE user_id = :user_id GROUP BY user_id",
    # What was not mined: told twice in one instant, about no run.
    "INSERT INTO activity (user_id, kind, happened_at, details)"
    " SELECT id, 'turn_taken', '2026-01-01 10:00:02+00', '{\"b\": 1.5, \"a\": [\"\u2028\", null]}'"
    " FROM palace_user, generate_series(1, 2) WHERE id = :user_id",
    # What was decided of entities, of which one was taken back.
    "INSERT INTO entity_decision (user_id, verb, decided, decided_at, undone_at)"
    " SELECT id, made.verb, CAST(made.decided AS jsonb), '2026-01-01 10:00:03+00', made.undone"
    " FROM palace_user, (VALUES"
    ' (\'merge\', \'{"name": "D-Man", "type": "person", "other": "Derek", "other_type": "person"}\', NULL),'
    ' (\'split\', \'{"name": "Anna", "type": "person", "other": "Anna (2)", "other_type": "person",'
    ' "conversations": ["openai:boat", "openai:gone"]}\', timestamptz \'2026-01-02 10:00:00+00\'))'
    " AS made (verb, decided, undone) WHERE id = :user_id",
    # What was set, by the user and for an agent.
    "INSERT INTO setting (user_id, agent, name, value, changed_at)"
    " SELECT id, made.agent, made.name, CAST(made.value AS jsonb), '2026-01-01 10:00:04+00'"
    " FROM palace_user, (VALUES ('', 'gate', '[\"greeting\"]'), ('coder \u2028', 'similarity_threshold', '0.25'))"
    " AS made (agent, name, value) WHERE id = :user_id",
    # A wing that another was merged into, and that had another name before.
    "INSERT INTO wing_alias (user_id, slug, name, wing_id, number)"
    " SELECT user_id, alias.slug, alias.name, id, alias.number"
    " FROM wing, (VALUES ('merged', 'Merged', 41), ('former-name', 'Former name', NULL)) AS alias (slug, name, number)"
    " WHERE user_id = :user_id AND wing.slug = 'boats'",
    "UPDATE palace_user SET wing_seq = 41 WHERE id = :user_id",
    # A room that was moved twice, and numbers that are gone for good.
    "INSERT INTO room_alias (user_id, wing_number, room_number, room_id)"
    " SELECT user_id, former.wing, former.room, id FROM room, (VALUES (41, 7), (7, 12)) AS former (wing, room)"
    " WHERE user_id = :user_id AND id = (SELECT min(id) FROM room WHERE user_id = :user_id)",
    "UPDATE wing SET room_seq = room_seq + 5 WHERE user_id = :user_id",
    "UPDATE room SET drawer_seq = drawer_seq + 9 WHERE user_id = :user_id",
    # A miner was killed here: a conversation without a room, and a room without a drawer.
    "INSERT INTO conversation (user_id, identity, reader, title, run_id)"
    " SELECT user_id, 'openai:Äbandoned', 'openai', 'Abandoned', min(id) FROM mining_run"
    " WHERE user_id = :user_id GROUP BY user_id",
    "INSERT INTO room (user_id, wing_id, number, conversation_id, slice, name)"
    " SELECT user_id, min(wing_id), 5, max(conversation_id), '2026-01-02', 'Empty' FROM room"
    " WHERE user_id = :user_id GROUP BY user_id",
    # A reply, a time of another zone, and the lines that a conversation is found by.
    "UPDATE drawer AS d SET answers = a.id, said_offset = -150 FROM drawer AS a"
    " WHERE d.user_id = :user_id AND a.user_id = :user_id AND d.content = 'Torbole.'"
    " AND a.content = 'Where in September?'",
    "INSERT INTO conversation_edge (user_id, conversation_id, line_hash)"
    " SELECT user_id, id, hash FROM conversation, (VALUES (12), (-7)) AS line (hash)"
    " WHERE user_id = :user_id AND identity = 'openai:boat'",
    # What a language model replied about two of a conversation's turns, in the order of its words.
    "INSERT INTO extraction_reply (user_id, conversation_id, digest, model, prompt, drawers, reply, called_at)"
    " SELECT c.user_id, c.id, decode(repeat('ab', 32), 'hex'), 'openai/gpt-4o-mini', 1, (SELECT array_agg(d.id ORDER BY"
    " d.position) FROM drawer AS d WHERE d.user_id = c.user_id AND d.conversation_id = c.id AND d.position < 2"
    ' AND d.replaced_at IS NULL), \'{"entities": [], "topics": ["battery"], "assertions": []}\','
    " '2026-01-01 10:00:04+00' FROM conversation AS c WHERE c.user_id = :user_id AND c.identity = 'openai:boat'",
    # Tombstones: in force, and put out of force by a run.
    "INSERT INTO tombstone (user_id, identity, conversation_id, position, forgotten_at, restored_by)"
    " SELECT user_id, decode(md5(id || 'grave'), 'hex'), conversation_id, position, '2026-02-03 04:05:06.000007+00',"
    " CASE WHEN position = 0 THEN run_id END FROM drawer WHERE user_id = :user_id",
)


def write_talk(path: Path, *contents: str, name: str | None = None) -> Path:
    """Write a conversation; the first message's id is its own."""
    messages = [
        {"role": ("user", "assistant", "tool")[place % 3], "content": content, "timestamp": f"2026-03-0{place % 9 + 1}"}
        for place, content in enumerate(contents)
    ]
    path.write_text(json.dumps({"id": name or path.stem, "title": f"On {path.stem}", "messages": messages}))
    return path


def export_of(palace: Palace, wing: str | None = None) -> bytes:
    """Export into memory."""
    stream = BytesIO()
    palace.transfer.export(stream, wing=wing)
    return stream.getvalue()


def lines_of(export: bytes) -> list[dict[str, Any]]:
    """Read an export as JSON, line by line."""
    return [json.loads(line) for line in export.decode().split("\n")[:-1]]


def without_events(export: bytes) -> list[dict[str, Any]]:
    """Read the lines of an export that are of no event, without the first and the last."""
    return [line for line in lines_of(export) if line.get("line") not in (None, "activity")]


def sealed(export: bytes) -> bytes:
    """Give a changed export the last line that its writer would have given it."""
    body = export.rsplit(b"\n", 2)[0] + b"\n"
    end = {"end": "palace-export", "lines": body.count(b"\n"), "sha256": hashlib.sha256(body).hexdigest()}
    return body + json.dumps(end).encode() + b"\n"


def rows_of(palace: Palace) -> dict[str, list[tuple[Any, ...]]]:
    """Everything there is of a user, in every table."""
    with palace._opened.session() as session:
        return {
            table.name: sorted((tuple(row) for row in session.connection.execute(sa.select(table))), key=repr)
            for table in Base.metadata.sorted_tables
            if table.name != "embedding_generation"
        }


@pytest.fixture
def open_palace(settings: Settings) -> Iterator[OPEN]:
    """Opens the palace of a new user, or of a named one."""
    with ExitStack() as stack:

        def open_for(user: str | None = None) -> Palace:
            opened = Palace.open(settings, user=user or f"user-{uuid.uuid4()}", embedder=HashingEmbedder())
            return stack.enter_context(opened)

        yield open_for


@pytest.fixture
def full(open_palace: OPEN, tmp_path: Path) -> Palace:
    """A palace with something in every table that an export holds."""
    palace = open_palace()
    boat = write_talk(tmp_path / "boat.json", "Which battery?", "A 12 V one.", '{"stock": 3}', ODD)
    palace.mine(boat, wing="Boats")
    write_talk(boat, "Which battery?", "A 24 V one, rather.", '{"stock": 3}', ODD)
    palace.mine(boat, wing="Boats")
    palace.mine(write_talk(tmp_path / "trip.json", "Where in September?", "Torbole."), wing="Trips")
    palace.note("The spare key is with Derek.", wing="Boats")
    execute(palace, *PLANTED)
    return palace


@pytest.fixture
def exported(full: Palace, tmp_path: Path) -> Path:
    """The full palace as a file."""
    path = tmp_path / "palace.jsonl"
    full.transfer.export(path)
    return path
