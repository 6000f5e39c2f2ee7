"""Many values in one statement, an array for each column: it stays the same statement however many there are.

One that holds every value by itself is written, and read by the server, anew for each number of rows; that takes longer
than inserting them, and of 65,535 values it holds no more.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import sqlalchemy as sa
from sqlalchemy.sql.selectable import TableValuedAlias
from sqlalchemy.types import TypeEngine

_PLAIN = (sa.Integer, sa.String, sa.Boolean, sa.DateTime, sa.Date, sa.Float)
"""Types of which an array has one value for each row: an array of arrays has not."""

BATCH = 1000
Row = TypeVar("Row")
Record = TypeVar("Record")


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


def columns_of(table: Any, record: Callable[..., Any]) -> list[Any]:
    """List the columns of a table, or an alias of one, that a record has fields of the same name for."""
    return [getattr(table, name) for name in _readers(record) if hasattr(table, name)]


def record_of(record: Callable[..., Record], row: sa.Row[*tuple[Any, ...]], **others: Any) -> Record:
    """Make a record of a row, whose columns its fields are named after; ``others`` are fields that no column has."""
    values = {
        name: read(row._mapping[name])
        for name, read in _readers(record).items()
        if name not in others and name in row._mapping
    }
    return record(**values, **others)


def row_of(table: Any, record: Any, **others: Any) -> dict[str, Any]:
    """Give the row of a table that a record is written as, its fields named after columns; ``others`` come beside."""
    names = [name for name in _readers(record.__class__) if name in table.__table__.c]
    values = {name: getattr(record, name) for name in names}
    return {name: each.value if isinstance(each, Enum) else each for name, each in values.items()} | others


def grouped(pairs: Iterable[Any]) -> dict[Any, list[Any]]:
    """Map the first of pairs to the second ones, in order."""
    found: dict[Any, list[Any]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


@cache
def _readers(record: Any) -> dict[str, Callable[[Any], Any]]:
    """Map the fields of a record to what makes a value of a column one of theirs."""
    names = getattr(record, "_fields", None) or tuple(field.name for field in fields(record))
    hints = get_type_hints(record)
    return {name: _reader(hints[name]) for name in names}


def _reader(hint: Any) -> Callable[[Any], Any]:
    if get_origin(hint) is tuple:
        return lambda value: tuple(value or ())
    kinds = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    kind = next((each for each in kinds if isinstance(each, type) and issubclass(each, Enum)), None)
    if kind is None:
        return lambda value: value
    return lambda value: None if value is None else kind(value)
