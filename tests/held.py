"""What a palace holds, as tests look at it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa

from palace import Drawer, Palace, Settings, Verdict
from palace.doctor import _check_rows


def variables_of(settings: Settings, **more: str) -> dict[str, str]:
    """Give the variables that lead a program to the tests' database."""
    assert settings.database_url is not None
    return {"PALACE_HOME": str(settings.home), "PALACE_DATABASE_URL": settings.database_url.get_secret_value(), **more}


def lead_to(settings: Settings, monkeypatch: pytest.MonkeyPatch, **more: str) -> None:
    """Lead this process there."""
    for name, value in variables_of(settings, **more).items():
        monkeypatch.setenv(name, value)


def drawers(palace: Palace) -> list[Drawer]:
    """List all drawers, wing by wing and room by room."""
    rooms = [room for wing in palace.tree.wings() for room in palace.tree.rooms(wing)]
    return [drawer for room in rooms for drawer in palace.tree.drawers(room)]


def contents(palace: Palace) -> dict[str, str]:
    """Map what the palace holds to its pointers."""
    return {drawer.content: str(drawer.pointer) for drawer in drawers(palace)}


def texts_of(palace: Palace) -> list[str]:
    """List what the palace holds, wing by wing and room by room."""
    return [drawer.content for drawer in drawers(palace)]


def rows(palace: Palace, query: str, **parameters: Any) -> list[tuple[Any, ...]]:
    """Ask the database as the palace's user, whom the query may name."""
    with palace._opened.session() as session:
        found = session.connection.execute(sa.text(query), {"user_id": session.user_id} | parameters)
        return [tuple(row) for row in found]


def execute(palace: Palace, *statements: str, **parameters: Any) -> None:
    """Change rows as the palace's user, whom the statements may name."""
    with palace._opened.session() as session:
        for statement in statements:
            session.connection.execute(sa.text(statement), {"user_id": session.user_id} | parameters)


@contextmanager
def database_away(palace: Palace) -> Iterator[None]:
    """Have the server answer nobody of this process."""
    shared = palace._opened.database.shared
    shared.close()
    yield
    shared.open()


@contextmanager
def locked(palace: Palace, table: str) -> Iterator[None]:
    """Make whoever looks at a table wait."""
    with psycopg.connect(owner_of(palace)) as owner:
        owner.execute(f"LOCK TABLE palace.{table} IN ACCESS EXCLUSIVE MODE".encode())
        yield


def owner_of(palace: Palace) -> str:
    """Give the address at which its database's owner connects."""
    url = sa.make_url(palace._opened.database.shared.owner_url())
    return url.set(drivername="postgresql").render_as_string(hide_password=False)


def findings(palace: Palace) -> set[str]:
    """Name the doctor's checks of rows that find something."""
    return {check.name for check in _check_rows(palace._opened) if check.verdict is not Verdict.OK}
