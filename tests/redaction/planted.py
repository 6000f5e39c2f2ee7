"""Messages with secrets, and where in a database a value stands."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from palace import Palace, Settings
from palace.nlp.edges import line_hash
from palace.testing import HashingEmbedder

SECRET = "Otter-Bramble-19"
TOLD = f"my laptop password is {SECRET}, do not tell anybody about the boat"
KEPT = "my laptop password is [secret: password], do not tell anybody about the boat"
TALK = [
    {"role": "user", "content": TOLD},
    {"role": "assistant", "content": "I will keep that to myself, whatever anybody asks me about the boat."},
    {"role": "user", "content": "Which propeller fits the efoil that we built in May with my sister Anna?"},
    {"role": "assistant", "content": "A two-blade folding propeller of eight inches fits the mast best."},
]


def write(folder: Path, talk: Sequence[object] = TALK, **named: object) -> Path:
    """Write a conversation to a file."""
    path = folder / "talk.json"
    path.write_text(json.dumps({**named, "messages": talk} if named else talk), encoding="utf-8")
    return path


def opened(settings: Settings, palace: Palace, **rules: Any) -> Palace:
    """Open a user's palace once more, with rules of their own."""
    other = settings.model_copy(update=rules)
    return Palace.open(other, user=palace._opened.user, embedder=HashingEmbedder())


def places_of(palace: Palace, *values: str) -> list[str]:
    """List the tables of the schema that hold one of some values in any of the user's rows."""
    with palace._opened.session() as session:
        named = "SELECT tablename FROM pg_tables WHERE schemaname = 'palace' ORDER BY 1"
        tables = session.connection.execute(sa.text(named)).scalars().all()
        held = "SELECT bool_or(lower(row_to_json(t)::text) LIKE ANY(:wanted)) FROM {} AS t"
        wanted = {"wanted": [f"%{value.lower()}%" for value in values]}
        return [
            table for table in tables if session.connection.execute(sa.text(held.format(table)), wanted).scalar_one()
        ]


def hash_of_line(text: str) -> bytes:
    """Give the hash by which a line is known, as Postgres writes it, where nothing was taken out of it."""
    return line_hash(text).to_bytes(8, "big", signed=True)


def hashes_of(palace: Palace) -> set[bytes]:
    """List every hash that stands in the user's rows, as Postgres writes it."""
    with palace._opened.session() as session:
        queries = (
            "SELECT identity FROM drawer",
            "SELECT said FROM drawer WHERE said IS NOT NULL",
            "SELECT identity FROM tombstone",
            "SELECT convert_to(identity, 'UTF8') FROM conversation",
            "SELECT int8send(line_hash) FROM conversation_edge",
        )
        return {bytes(row[0]) for query in queries for row in session.connection.execute(sa.text(query))}
