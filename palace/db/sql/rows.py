"""Many values in one statement, an array for each column: it stays the same statement however many there are.

One that holds every value by itself is written, and read by the server, anew for each number of rows; that takes longer
than inserting them, and of 65,535 values it holds no more.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.sql.selectable import TableValuedAlias
from sqlalchemy.types import TypeEngine

_PLAIN = (sa.Integer, sa.String, sa.Boolean, sa.DateTime, sa.Date, sa.Float)
"""Types of which an array has one value for each row: an array of arrays has not."""

BATCH = 1000
Row = TypeVar("Row")


def batches(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """Cut rows into as many as one statement takes."""
    for start in range(0, len(rows), BATCH):
        yield rows[start : start + BATCH]


def any_id(ids: Collection[int]) -> sa.ColumnElement[Any]:
    """Return what a column is compared with that is one of some numbers."""
    return sa.any_(sa.cast(list(ids), sa.ARRAY(sa.BigInteger)))


def any_text(texts: Collection[str]) -> sa.ColumnElement[Any]:
    """Return what a column is compared with that is one of some texts."""
    return sa.any_(sa.cast(list(texts), sa.ARRAY(sa.Text)))


def any_bytes(values: Collection[bytes]) -> sa.ColumnElement[Any]:
    """Return what a column is compared with that is one of some identities or digests."""
    return sa.any_(sa.cast(list(values), sa.ARRAY(sa.LargeBinary)))


def with_rows(into: sa.Insert, rows: Sequence[Mapping[str, Any]], mine: Mapping[str, int]) -> sa.Insert:
    """Have an insert take several rows, all with the same columns; ``mine`` is the column that says whose they are."""
    columns = [into.table.c.get(name) for name in rows[0]] if rows else []
    plain = [column for column in columns if column is not None and isinstance(column.type, _PLAIN)]
    if not plain or len(plain) < len(columns) or any(row.keys() != rows[0].keys() for row in rows):
        return into.values([{**row, **mine} for row in rows])
    given = given_rows({each.name: (each.type, [row[each.name] for row in rows]) for each in plain})
    made = into.from_select([*mine, *given.c.keys()], sa.select(*map(sa.literal, mine.values()), *given.c))
    # Without either it is a COPY to a cluster, and that is refused where policies hold.
    is_routed = made._returning or made._post_values_clause is not None
    return made if is_routed else made.returning(*(into.table.c[key] for key in mine))


def given_rows(columns: Mapping[str, tuple[TypeEngine[Any], Sequence[Any]]]) -> TableValuedAlias:
    """Give rows as a table to read from, ``given``: by name each column's type and its values, one for each row."""
    arrays = [sa.literal(list(values), sa.ARRAY(kind)) for kind, values in columns.values()]
    typed = [sa.column(name, kind) for name, (kind, _) in columns.items()]
    return sa.func.unnest(*arrays).table_valued(*typed, name="given").render_derived()
