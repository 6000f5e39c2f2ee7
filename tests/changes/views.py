"""What stands in a palace, and what is said anywhere in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import sqlalchemy as sa

from palace import Palace
from palace.db.tables import Base

Write = Callable[..., Path]

BATTERY = (
    "My efoil battery is a lithium pack with 24 volts.",
    "A lithium pack wants a balancing charger.",
    "The propeller shaft rattles at full throttle.",
    "Check the bearing behind the propeller.",
)
HOTEL = ("I stayed at the Seagull hotel in Lisbon.", "The Seagull has a fine breakfast.")


def everything_said(palace: Palace) -> str:
    """All text of every table of the user's, indexes included, as one string; generations are everybody's."""
    found: list[str] = []
    with palace._opened.session() as session:
        for table in Base.metadata.sorted_tables:
            if table.name == "embedding_generation":
                continue
            rows = sa.text(f"SELECT row_to_json(t)::text FROM {table.name} AS t ORDER BY 1")
            found += session.connection.execute(rows).scalars().all()
    return "\n".join(found).lower()


def counted(palace: Palace, table: str) -> int:
    """Count the user's rows of a table."""
    with palace._opened.session() as session:
        return int(session.connection.execute(sa.text(f"SELECT count(*) FROM {table}")).scalar_one())
