"""The base of every table: constraint names, and the columns that nearly every table has.

``user_id`` leads every primary, unique and foreign key and every index: it isolates users, and is the sharding key if a
palace outgrows one server. Ids are unique within a user and imply no order.

Tables are declared as classes, but are tables of SQLAlchemy Core: no row becomes an object, and importing and
configuring the ORM's mapper would take a tenth of the time that a command takes.
"""

from __future__ import annotations

from datetime import datetime
from types import SimpleNamespace
from typing import Any, ClassVar, TypeVar, cast

import sqlalchemy as sa
from sqlalchemy.types import TypeEngine

Value = TypeVar("Value")
Declared = TypeVar("Declared", bound="Base")

MOMENT = sa.DateTime(timezone=True)
NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


class Base:
    """Base of every table: its columns are attributes, and statements take the class for the table."""

    metadata: ClassVar = sa.MetaData(naming_convention=NAMING)
    __tablename__: ClassVar[str]
    __table_args__: ClassVar[tuple[Any, ...]] = ()
    __table__: ClassVar[sa.Table]

    def __init_subclass__(cls) -> None:
        """Make the table of a class, with the columns in their order there."""
        columns = {name: each for name, each in vars(cls).items() if isinstance(each, sa.Column)}
        for name, each in columns.items():
            each.name = each.key = name
        cls.__table__ = sa.Table(cls.__tablename__, Base.metadata, *columns.values(), *cls.__table_args__)

    @classmethod
    def __clause_element__(cls) -> sa.Table:
        """Return the table, as SQLAlchemy asks for it wherever it expects one."""
        return cls.__table__


def aliased(table: type[Declared]) -> type[Declared]:
    """Return a table under a name of its own, to be joined with itself; its columns are attributes as well."""
    other = table.__table__.alias()
    return cast("type[Declared]", SimpleNamespace(**other.c, __table__=other, __clause_element__=lambda: other))


def column(kind: type[TypeEngine[Value]] | TypeEngine[Value], *more: Any, **options: Any) -> sa.ColumnClause[Value]:
    """Return a column that is not null, named as the attribute that it is assigned to.

    It is declared as ``ColumnClause``, because type checkers refuse a ``Column`` there.
    """
    return sa.Column(kind, *more, **{"nullable": False, **options})


def optional(kind: type[TypeEngine[Value]] | TypeEngine[Value], *more: Any) -> sa.ColumnClause[Value]:
    """Return a column that may be null."""
    return column(kind, *more, nullable=True)


def owner_id() -> sa.ColumnClause[int]:
    """Return the column with the id of the user whose row it is."""
    return column(sa.BigInteger, sa.ForeignKey("palace_user.id", ondelete="CASCADE"), primary_key=True)


def own_id() -> sa.ColumnClause[int]:
    """Return the column with the id of the row itself."""
    return column(sa.BigInteger, sa.Identity(), primary_key=True)


def time_of_insert() -> sa.ColumnClause[datetime]:
    """Return a column with the moment at which a row was inserted."""
    return column(MOMENT, server_default=sa.func.now())


def reference(key: str, table: str, ondelete: str | None = "CASCADE") -> sa.ForeignKeyConstraint:
    """Return a foreign key from a column to the id of a row of the same user."""
    return sa.ForeignKeyConstraint(["user_id", key], [f"{table}.user_id", f"{table}.id"], ondelete=ondelete)
