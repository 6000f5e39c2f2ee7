"""Many values in one statement, as an array for each column, so that its text does not depend on their number.

A statement with a parameter for each value is built, and parsed by the server, anew for each number of rows; that takes
longer than inserting them, and 65,535 values are its limit.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from enum import Enum
from functools import cache, lru_cache
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import sqlalchemy as sa
from sqlalchemy.sql.selectable import TableValuedAlias
from sqlalchemy.types import TypeEngine

_PLAIN = (sa.Integer, sa.String, sa.Boolean, sa.DateTime, sa.Date, sa.Float)
"""Types whose values fit into an array, one for each row; arrays do not."""

BATCH = 1000
Row = TypeVar("Row")
Record = TypeVar("Record")


def batches(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """Split rows into batches for one statement each."""
    for start in range(0, len(rows), BATCH):
        yield rows[start : start + BATCH]


def any_id(ids: Collection[int]) -> sa.ColumnElement[Any]:
    """Return the right-hand side of ``column == any_id(ids)``, true for any of some ids."""
    return sa.any_(sa.cast(list(ids), sa.ARRAY(sa.BigInteger)))


def any_text(texts: Collection[str]) -> sa.ColumnElement[Any]:
    """Return the right-hand side of ``column == any_text(texts)``, true for any of some texts."""
    return sa.any_(sa.cast(list(texts), sa.ARRAY(sa.Text)))


def any_bytes(values: Collection[bytes]) -> sa.ColumnElement[Any]:
    """Return the right-hand side of ``column == any_bytes(values)``, true for any of some identities or digests."""
    return sa.any_(sa.cast(list(values), sa.ARRAY(sa.LargeBinary)))


def with_rows(into: sa.Insert, rows: Sequence[Mapping[str, Any]], mine: Mapping[str, int]) -> sa.Insert:
    """Add several rows, all with the same columns, to an insert; ``mine`` is the column with the user's id."""
    columns = [into.table.c.get(name) for name in rows[0]] if rows else []
    plain = [column for column in columns if column is not None and isinstance(column.type, _PLAIN)]
    if not plain or len(plain) < len(columns) or any(row.keys() != rows[0].keys() for row in rows):
        return into.values([{**row, **mine} for row in rows])
    given = given_rows({each.name: (each.type, [row[each.name] for row in rows]) for each in plain})
    made = into.from_select([*mine, *given.c.keys()], sa.select(*map(sa.literal, mine.values()), *given.c))
    # Without RETURNING or ON CONFLICT, a Citus cluster runs it as a COPY, which row-level security refuses.
    is_routed = made._returning or made._post_values_clause is not None
    return made if is_routed else made.returning(*(into.table.c[key] for key in mine))


def given_rows(columns: Mapping[str, tuple[TypeEngine[Any], Sequence[Any]]]) -> TableValuedAlias:
    """Return rows as a table ``given`` to select from; ``columns`` maps names to types and values, one for each row."""
    arrays = [sa.literal(list(values), sa.ARRAY(kind)) for kind, values in columns.values()]
    typed = [sa.column(name, kind) for name, (kind, _) in columns.items()]
    return sa.func.unnest(*arrays).table_valued(*typed, name="given").render_derived()


def ids_text(ids: Iterable[float]) -> str:
    """Return an array of ids, or other numbers, as Postgres reads it: the driver writes a list number by number."""
    return f"{{{','.join(map(str, ids))}}}"


def vector_text(vector: Sequence[float]) -> str:
    """Return a vector as Postgres reads it; a recall sends one several times."""
    return _vector_text(tuple(vector))


@lru_cache(maxsize=16)
def _vector_text(vector: tuple[float, ...]) -> str:
    return str(list(vector))


def columns_of(table: Any, record: Callable[..., Any]) -> list[Any]:
    """List the columns of a table or alias whose names are fields of a record."""
    return [getattr(table, name) for name in _readers(record) if hasattr(table, name)]


def record_of(record: Callable[..., Record], row: sa.Row[*tuple[Any, ...]], **others: Any) -> Record:
    """Build a record from a row by the names of its fields; ``others`` are fields without a column."""
    values = {name: read(row[place]) if read else row[place] for name, place, read in _columns(record, row._fields)}
    return record(**values | others)


def row_of(table: Any, record: Any, **others: Any) -> dict[str, Any]:
    """Return a record as a row of a table, by the names of its fields; ``others`` are added."""
    names = [name for name in _readers(record.__class__) if name in table.__table__.c]
    values = {name: getattr(record, name) for name in names}
    return {name: each.value if isinstance(each, Enum) else each for name, each in values.items()} | others


def grouped(pairs: Iterable[Any]) -> dict[Any, list[Any]]:
    """Map the first elements of pairs to lists of the second ones, in order."""
    found: dict[Any, list[Any]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


@lru_cache(maxsize=256)
def _columns(record: Any, names: tuple[str, ...]) -> list[tuple[str, int, Callable[[Any], Any] | None]]:
    """List the fields of a record that are among some columns, with their places and functions that convert them."""
    return [(name, names.index(name), read) for name, read in _readers(record).items() if name in names]


@cache
def _readers(record: Any) -> dict[str, Callable[[Any], Any] | None]:
    """Map the fields of a record to functions that convert values of columns."""
    names = getattr(record, "_fields", None) or tuple(field.name for field in fields(record))
    hints = get_type_hints(record)
    return {name: _reader(hints[name]) for name in names}


def _reader(hint: Any) -> Callable[[Any], Any] | None:
    if get_origin(hint) is tuple:
        return lambda value: tuple(value or ())
    kinds = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    kind = next((each for each in kinds if isinstance(each, type) and issubclass(each, Enum)), None)
    if kind is None:
        return None
    return lambda value: None if value is None else kind(value)
