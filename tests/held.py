"""What a palace holds, as tests look at it."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from palace import Palace
from palace.doctor import _check_rows
from palace.records import Drawer, Verdict


def drawers(palace: Palace) -> list[Drawer]:
    """List all drawers, wing by wing and room by room."""
    rooms = [room for wing in palace.tree.wings() for room in palace.tree.rooms(wing)]
    return [drawer for room in rooms for drawer in palace.tree.drawers(room)]


def contents(palace: Palace) -> dict[str, str]:
    """Map what the palace holds to its pointers."""
    return {drawer.content: str(drawer.pointer) for drawer in drawers(palace)}


def rows(palace: Palace, query: str, **parameters: Any) -> list[tuple[Any, ...]]:
    """Ask the database as the palace's user."""
    with palace._opened.session() as session:
        return [tuple(row) for row in session.connection.execute(sa.text(query), parameters)]


def findings(palace: Palace) -> set[str]:
    """Name the doctor's checks of rows that find something."""
    return {check.name for check in _check_rows(palace._opened) if check.verdict is not Verdict.OK}
