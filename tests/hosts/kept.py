"""Connections of a worker's database that stay open from one palace to the next."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa

from palace.db.database import Database

_make_engine = Database._make_engine
"""What gives each database an engine of its own."""


@contextmanager
def kept_connections(url: str) -> Iterator[None]:
    """Give every palace on the shared database at ``url`` the same engine, which closing a palace leaves open.

    A new connection costs Postgres a tenth of a second of processor time, and a new engine compiles every statement
    again: together a fifth of what tests of commands take. Tests of connections have one for each palace.
    """
    kept: list[sa.Engine] = []

    def make_engine(database: Database, address: str, *, starts: bool = True) -> sa.Engine:
        if database.server or database.runtime_url() != url or address != url:
            return _make_engine(database, address, starts=starts)
        if not kept:
            kept.append(_make_engine(database, address, starts=starts))
            dispose = kept[0].dispose
            # A fork lets go of its parent's connections as ever; who closes a palace does not.
            setattr(kept[0], "dispose", lambda close=True: None if close else dispose(close=False))  # noqa: B010
        return kept[0]

    Database._make_engine = make_engine  # type: ignore[assignment, method-assign]
    try:
        yield
    finally:
        Database._make_engine = _make_engine  # type: ignore[method-assign]
        for engine in kept:
            sa.Engine.dispose(engine)


@contextmanager
def connections_of_their_own() -> Iterator[None]:
    """Give each palace an engine of its own meanwhile."""
    kept = Database._make_engine
    Database._make_engine = _make_engine  # type: ignore[method-assign]
    try:
        yield
    finally:
        Database._make_engine = kept  # type: ignore[method-assign]
