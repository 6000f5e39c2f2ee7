"""Wings, rooms and closets: where drawers stand."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint, Computed, ForeignKeyConstraint, Index, Integer, UniqueConstraint
from sqlalchemy.dialects.postgresql import TSVECTOR
from sqlalchemy.orm import Mapped, mapped_column

from palace.db.tables.base import Base, CreatedAt, OwnId, UserId

NAME_WORDS = "to_tsvector('english'::regconfig, name) || to_tsvector('palace_plain'::regconfig, name)"
"""What a name says, stemmed and as written; kept by the server, so that a rename is followed by itself."""


def _searched(table: str) -> Index:
    return Index(f"ix_{table}_user_id_name_tsv", "user_id", "name_tsv", postgresql_using="gin")


class Wing(Base):
    """A subject."""

    __tablename__ = "wing"
    __table_args__ = (
        UniqueConstraint("user_id", "slug"),
        UniqueConstraint("user_id", "number"),
        CheckConstraint("kind IN ('person', 'project', 'topic', 'agent')", name="kind"),
        _searched("wing"),
    )

    user_id: Mapped[UserId]
    id: Mapped[OwnId]
    number: Mapped[int] = mapped_column(Integer)
    slug: Mapped[str]
    name: Mapped[str]
    kind: Mapped[str]
    room_seq: Mapped[int] = mapped_column(Integer, server_default="0")
    """The last room number given out in this wing."""
    created_at: Mapped[CreatedAt]
    name_tsv: Mapped[str | None] = mapped_column(TSVECTOR, Computed(NAME_WORDS, persisted=True))


class WingAlias(Base):
    """Another name a wing goes by: one it had before, or that of a wing merged into it."""

    __tablename__ = "wing_alias"
    __table_args__ = (
        UniqueConstraint("user_id", "number"),
        ForeignKeyConstraint(["user_id", "wing_id"], ["wing.user_id", "wing.id"], ondelete="CASCADE"),
    )

    user_id: Mapped[UserId]
    slug: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    wing_id: Mapped[int]
    number: Mapped[int | None] = mapped_column(Integer)
    """The number of the merged wing, so that it still leads here."""


class Room(Base):
    """A slice of one conversation, standing in one wing."""

    __tablename__ = "room"
    __table_args__ = (
        UniqueConstraint("user_id", "wing_id", "number"),
        UniqueConstraint("user_id", "conversation_id", "slice"),
        _searched("room"),
        ForeignKeyConstraint(["user_id", "wing_id"], ["wing.user_id", "wing.id"], ondelete="CASCADE"),
        ForeignKeyConstraint(
            ["user_id", "conversation_id"], ["conversation.user_id", "conversation.id"], ondelete="CASCADE"
        ),
    )

    user_id: Mapped[UserId]
    id: Mapped[OwnId]
    wing_id: Mapped[int]
    number: Mapped[int] = mapped_column(Integer)
    conversation_id: Mapped[int]
    slice: Mapped[str]
    """Empty for a whole conversation, an ISO date for a day of one."""
    name: Mapped[str]
    started_at: Mapped[datetime | None]
    drawer_seq: Mapped[int] = mapped_column(Integer, server_default="0")
    """The last drawer number given out in this room."""
    created_at: Mapped[CreatedAt]
    name_tsv: Mapped[str | None] = mapped_column(TSVECTOR, Computed(NAME_WORDS, persisted=True))


class RoomAlias(Base):
    """Where a room stood before it was moved, so that the pointers of that time still lead to it."""

    __tablename__ = "room_alias"
    __table_args__ = (
        ForeignKeyConstraint(["user_id", "room_id"], ["room.user_id", "room.id"], ondelete="CASCADE"),
        Index("ix_room_alias_user_id_room_id", "user_id", "room_id"),
    )

    user_id: Mapped[UserId]
    wing_number: Mapped[int] = mapped_column(Integer, primary_key=True)
    room_number: Mapped[int] = mapped_column(Integer, primary_key=True)
    room_id: Mapped[int]


class Closet(Base):
    """One topic inside a room; rebuilt as the conversation grows."""

    __tablename__ = "closet"
    __table_args__ = (
        UniqueConstraint("user_id", "room_id", "slug"),
        UniqueConstraint("user_id", "room_id", "id"),
        _searched("closet"),
        ForeignKeyConstraint(["user_id", "room_id"], ["room.user_id", "room.id"], ondelete="CASCADE"),
    )

    user_id: Mapped[UserId]
    id: Mapped[OwnId]
    room_id: Mapped[int]
    slug: Mapped[str]
    name: Mapped[str]
    name_tsv: Mapped[str | None] = mapped_column(TSVECTOR, Computed(NAME_WORDS, persisted=True))
