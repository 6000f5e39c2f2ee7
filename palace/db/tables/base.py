"""The declarative base: constraint names, and the columns that nearly every table has.

``user_id`` leads every primary, unique and foreign key and every index: it isolates users, and is the sharding key if a
palace outgrows one server. Ids are unique within a user and imply no order.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from sqlalchemy import BigInteger, DateTime, ForeignKey, ForeignKeyConstraint, Identity, MetaData, Text, func
from sqlalchemy.orm import DeclarativeBase, mapped_column

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}

UserId = Annotated[
    int,
    mapped_column(BigInteger, ForeignKey("palace_user.id", ondelete="CASCADE"), primary_key=True, sort_order=-2),
]
OwnId = Annotated[int, mapped_column(BigInteger, Identity(), primary_key=True, sort_order=-1)]
Moment = Annotated[datetime, mapped_column(DateTime(timezone=True))]
CreatedAt = Annotated[datetime, mapped_column(DateTime(timezone=True), server_default=func.now())]


class Base(DeclarativeBase):
    """Base of every table."""

    metadata = MetaData(naming_convention=NAMING)
    type_annotation_map = {str: Text, int: BigInteger, datetime: DateTime(timezone=True)}  # noqa: RUF012


def reference(column: str, table: str, ondelete: str | None = "CASCADE") -> ForeignKeyConstraint:
    """Return a foreign key from a column to the id of a row of the same user."""
    return ForeignKeyConstraint(["user_id", column], [f"{table}.user_id", f"{table}.id"], ondelete=ondelete)
