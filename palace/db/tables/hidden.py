"""What was forgotten and can still be taken back."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import DateTime, Index, Integer, LargeBinary
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from palace.db.tables.base import Base, CreatedAt, UserId


class HiddenDrawer(Base):
    """A forgotten drawer with all that it takes to file it again; nothing reads it but what restores and deletes."""

    __tablename__ = "hidden_drawer"
    __table_args__ = (Index("ix_hidden_drawer_user_id_due_at", "user_id", "due_at"),)

    user_id: Mapped[UserId]
    identity: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    wing_number: Mapped[int] = mapped_column(Integer)
    room_number: Mapped[int] = mapped_column(Integer)
    number: Mapped[int] = mapped_column(Integer)
    hidden_at: Mapped[CreatedAt]
    due_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    """From then on it is deleted by whatever the user writes next."""
    parts: Mapped[Any] = mapped_column(JSONB)
    """Its lines as an export has them, with those of its wing, room and conversation."""
