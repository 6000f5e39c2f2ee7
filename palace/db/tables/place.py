"""Where drawers stand: wings, rooms, closets, and the projects that wings are of."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint, Computed, ForeignKeyConstraint, Index, Integer, Text, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import ARRAY, TSVECTOR
from sqlalchemy.orm import Mapped, mapped_column

from palace.db.tables.base import Base, CreatedAt, OwnId, UserId, reference

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
        reference("wing_id", "wing"),
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
        reference("wing_id", "wing"),
        reference("conversation_id", "conversation"),
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
        reference("room_id", "room"),
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
        reference("room_id", "room"),
    )

    user_id: Mapped[UserId]
    id: Mapped[OwnId]
    room_id: Mapped[int]
    slug: Mapped[str]
    name: Mapped[str]
    name_tsv: Mapped[str | None] = mapped_column(TSVECTOR, Computed(NAME_WORDS, persisted=True))


class Project(Base):
    """That what is said in a folder belongs to a wing."""

    __tablename__ = "project"
    __table_args__ = (
        CheckConstraint("length(key) BETWEEN 1 AND 1000", name="key"),
        CheckConstraint("sources <@ ARRAY['tools', 'mail', 'chats']", name="sources"),
        reference("wing_id", "wing"),
        Index("ix_project_user_id_wing_id", "user_id", "wing_id"),
    )

    user_id: Mapped[UserId]
    key: Mapped[str] = mapped_column(primary_key=True)
    """Where it lies: the path from the home folder on, or from the root."""
    wing_id: Mapped[int]
    sources: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=text("'{}'"))
    """What may be recalled there of ``tools``, ``mail`` and ``chats``."""
    created_at: Mapped[CreatedAt]


class ProjectWing(Base):
    """That another wing may be recalled in a project."""

    __tablename__ = "project_wing"
    __table_args__ = (
        ForeignKeyConstraint(["user_id", "key"], ["project.user_id", "project.key"], ondelete="CASCADE"),
        reference("wing_id", "wing"),
        Index("ix_project_wing_user_id_wing_id", "user_id", "wing_id"),
    )

    user_id: Mapped[UserId]
    key: Mapped[str] = mapped_column(primary_key=True)
    wing_id: Mapped[int] = mapped_column(primary_key=True)
    created_at: Mapped[CreatedAt]
