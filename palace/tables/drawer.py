"""Drawers, the verbatim source of truth, and their passages, the spans that are indexed."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import (
    CheckConstraint,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    UniqueConstraint,
    false,
    func,
)
from sqlalchemy.dialects.postgresql import TSVECTOR
from sqlalchemy.orm import Mapped, mapped_column

from palace.tables.base import Base, OwnId, UserId


class Drawer(Base):
    """One message or note, byte for byte."""

    __tablename__ = "drawer"
    __table_args__ = (
        UniqueConstraint("user_id", "identity"),
        UniqueConstraint("user_id", "room_id", "number"),
        ForeignKeyConstraint(["user_id", "room_id"], ["room.user_id", "room.id"], ondelete="CASCADE"),
        ForeignKeyConstraint(
            ["user_id", "conversation_id"], ["conversation.user_id", "conversation.id"], ondelete="CASCADE"
        ),
        # The plain form would null user_id; and a closet of another room is refused here.
        ForeignKeyConstraint(
            ["user_id", "room_id", "closet_id"],
            ["closet.user_id", "closet.room_id", "closet.id"],
            ondelete="SET NULL (closet_id)",
        ),
        ForeignKeyConstraint(["user_id", "run_id"], ["mining_run.user_id", "mining_run.id"]),
        Index("ix_drawer_user_id_conversation_id_position", "user_id", "conversation_id", "position"),
        Index("ix_drawer_user_id_run_id", "user_id", "run_id"),
        CheckConstraint("role IN ('user', 'assistant', 'system', 'tool')", name="role"),
    )

    user_id: Mapped[UserId]
    id: Mapped[OwnId]
    room_id: Mapped[int]
    number: Mapped[int] = mapped_column(Integer)
    conversation_id: Mapped[int]
    closet_id: Mapped[int | None]
    run_id: Mapped[int]
    identity: Mapped[bytes] = mapped_column(LargeBinary)
    """16 bytes: what makes this turn the same turn when its source is read again."""
    position: Mapped[int] = mapped_column(Integer)
    """Place in the conversation, from 0; a revision shares it with what it replaced."""
    role: Mapped[str]
    speaker: Mapped[str | None]
    said_at: Mapped[datetime | None]
    content: Mapped[str]
    is_revision: Mapped[bool] = mapped_column(server_default=false())
    is_repaired: Mapped[bool] = mapped_column(server_default=false())
    filed_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    """Read from the clock under the conversation's lock: it orders the runs that filed in one conversation."""


class Passage(Base):
    """A span of a drawer, written with it, independent of any model."""

    __tablename__ = "passage"
    __table_args__ = (
        ForeignKeyConstraint(["user_id", "drawer_id"], ["drawer.user_id", "drawer.id"], ondelete="CASCADE"),
        # A query reads all that waits to be merged into the index; at the server's 4 MB that took most of its time.
        Index(
            "ix_passage_user_id_tsv",
            "user_id",
            "tsv",
            postgresql_using="gin",
            postgresql_with={"gin_pending_list_limit": 256},
        ),
        CheckConstraint("char_start >= 0 AND char_end > char_start", name="span"),
    )

    user_id: Mapped[UserId]
    drawer_id: Mapped[int] = mapped_column(primary_key=True)
    ordinal: Mapped[int] = mapped_column(Integer, primary_key=True)
    char_start: Mapped[int] = mapped_column(Integer)
    char_end: Mapped[int] = mapped_column(Integer)
    """Code points, ``content[char_start:char_end]``."""
    is_tool: Mapped[bool] = mapped_column(server_default=false())
    """What a tool was told or returned: not embedded, and recalled only on request."""
    tsv: Mapped[str] = mapped_column(TSVECTOR)
    """Content stemmed (`english`) and as written (`palace_plain`), weight A."""
