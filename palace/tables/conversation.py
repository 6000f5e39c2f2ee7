"""What was mined: runs, and the conversations they read."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKeyConstraint, Index, Integer, UniqueConstraint, false, text
from sqlalchemy.orm import Mapped, mapped_column

from palace.tables.base import Base, CreatedAt, OwnId, UserId


class MiningRun(Base):
    """One call of mine, or one note."""

    __tablename__ = "mining_run"

    user_id: Mapped[UserId]
    id: Mapped[OwnId]
    source: Mapped[str]
    """What the person named: a path, "-" or "note"."""
    started_at: Mapped[CreatedAt]
    finished_at: Mapped[datetime | None]
    """Null while it runs, and for ever where it was killed."""
    drawer_count: Mapped[int] = mapped_column(Integer, server_default="0")


class Conversation(Base):
    """A conversation, known by its identity, never by its path."""

    __tablename__ = "conversation"
    __table_args__ = (
        UniqueConstraint("user_id", "identity"),
        ForeignKeyConstraint(["user_id", "run_id"], ["mining_run.user_id", "mining_run.id"]),
        Index("ix_conversation_user_id_run_id", "user_id", "run_id"),
        Index("ix_conversation_topics_pending", "user_id", "id", postgresql_where=text("topics_pending")),
    )

    user_id: Mapped[UserId]
    id: Mapped[OwnId]
    identity: Mapped[str]
    """Reader and source id; where the source has no id, reader and hash of the opening turn."""
    reader: Mapped[str]
    title: Mapped[str | None]
    run_id: Mapped[int]
    """The run that filed it first."""
    topics_pending: Mapped[bool] = mapped_column(server_default=false())
    """Drawers were filed since its topics were last drawn."""
    filed_at: Mapped[CreatedAt]
