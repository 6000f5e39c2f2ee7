"""Copying a user's palace to new users, on the server: what the product filed once, many times over.

Leans on the tables as declared: whatever has a ``user_id`` is copied, in the order of its foreign keys.

To each vector is added what a user's own orthogonal map makes of it: its numbers shifted round and given other signs,
at the length of ``with_noise``'s noise. To the vectors of other users that is noise; among themselves, a user's vectors
stay as near to each other as the template's are. Noise drawn for each vector would leave no two of them near.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from bench.scale.grow import owner_url
from bench.scale.vectors import ORIGIN_COSINES, noise_length
from palace.embedding.protocol import Vectors
from palace.store.database import Database, owner_connection
from palace.tables import Base

if TYPE_CHECKING:
    from sqlalchemy import Column, Connection, Table

USERS = "palace_user"
OF_ONE_USER = {"id", "name", "palace_key"}
"""Columns of ``palace_user`` that a copy has for itself."""

# A block of ids as long as the template's is taken from the sequence; the result is how far the copy's are from those.
_SHIFT = """
SELECT setval(sequence, nextval(sequence) + max(id) - min(id)) - max(id)
FROM {table}, pg_get_serial_sequence('{table}', 'id') AS sequence
WHERE user_id = %s GROUP BY sequence
"""


@contextmanager
def owned(database: Database) -> Iterator[Database]:
    """Open the same database as its owner, who sees every user's rows."""
    owner = Database(database.settings.model_copy(update={"database_url": owner_url(database)}))
    owner.open()
    try:
        yield owner
    finally:
        owner.close()


@dataclass(frozen=True, slots=True)
class Noise:
    """How one user's vectors differ from the template's."""

    shift: int
    signs: Vectors
    """``(dimension,)``, all of one size: the length of the noise."""

    @classmethod
    def draw(cls, dimension: int, *, seed: int) -> Self:
        """Draw a user's noise, the same for the same seed."""
        chance = np.random.default_rng(seed)
        length = np.float32(noise_length(chance.uniform(*ORIGIN_COSINES)))
        return cls(int(chance.integers(1, dimension)), chance.choice(np.array([-length, length]), dimension))

    def added_to(self, vector: str) -> str:
        """Write the expression of a vector with this noise, of unit length."""
        # In single precision: a product of two small numbers may be none in half.
        single = f"{vector}::vector"
        behind = f"subvector({single}, {self.shift + 1}, {len(self.signs) - self.shift})"
        shifted = f"({behind} || subvector({single}, 1, {self.shift}))"
        return f"l2_normalize({single} + '{self.signs.tolist()}'::vector * {shifted})::halfvec"


def copy_user(owner: Database, template: int, name: str, noise: Noise) -> int:
    """Copy all of a user's rows to a new user and return their id: own ids, vectors with noise, all else the same."""
    with owner.without_user() as connection:
        connection.exec_driver_sql("SET LOCAL ROLE NONE")
        user_id = _copy_row(connection, template, name)
        tables = [table for table in Base.metadata.sorted_tables if "user_id" in table.columns]
        shifts = {table.name: _shift(connection, table, template) for table in tables if "id" in table.columns}
        for table in tables:
            _execute(connection, _insertion(table, shifts, noise), (user_id, template))
    return user_id


def tidy(database: Database) -> None:
    """Vacuum and analyse every table, as autovacuum would have done in a palace that took its time to grow."""
    with owner_connection(database) as connection:
        connection.exec_driver_sql(f"SET search_path = {database.schema.search_path}")
        for table in Base.metadata.sorted_tables:
            connection.exec_driver_sql(f"VACUUM (ANALYZE) {table.name}")


def _copy_row(connection: Connection, template: int, name: str) -> int:
    others = ", ".join(column.name for column in Base.metadata.tables[USERS].columns if column.name not in OF_ONE_USER)
    statement = f"INSERT INTO {USERS} (name, {others}) SELECT %s, {others} FROM {USERS} WHERE id = %s RETURNING id"
    return int(_execute(connection, statement, (name, template)).scalar_one())


def _shift(connection: Connection, table: Table, template: int) -> int:
    return int(_execute(connection, _SHIFT.format(table=table.name), (template,)).scalar_one_or_none() or 0)


def _insertion(table: Table, shifts: dict[str, int], noise: Noise) -> str:
    """Write the statement that copies a table's rows; its parameters are the new user and the template."""
    columns = [column for column in table.columns if column.computed is None]
    names = ", ".join(column.name for column in columns)
    values = ", ".join(_copied(column, shifts, noise) for column in columns)
    return f"INSERT INTO {table.name} ({names}) SELECT {values} FROM {table.name} AS t WHERE t.user_id = %s"


def _copied(column: Column[Any], shifts: dict[str, int], noise: Noise) -> str:
    if column.name == "user_id":
        return "%s"
    if column.name == "embedding":
        return noise.added_to("t.embedding")
    shift = shifts.get(_numbered_by(column) or "", 0)
    return f"t.{column.name} + {shift}" if shift else f"t.{column.name}"


def _numbered_by(column: Column[Any]) -> str | None:
    """Name the table whose ids a column holds, its own or, by way of foreign keys, another one's."""
    if column.identity is not None:
        return str(column.table.name)
    return next((found for key in column.foreign_keys if (found := _numbered_by(key.column))), None)


def _execute(connection: Connection, statement: str, parameters: tuple[object, ...]) -> Any:
    return connection.exec_driver_sql(statement, parameters)
