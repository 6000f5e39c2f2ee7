"""What a user has set for themselves, or for one of their agents."""

from __future__ import annotations

from typing import Any

from sqlalchemy import CheckConstraint
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from palace.db.tables.base import Base, CreatedAt, UserId


class StoredSetting(Base):
    """One value; what is not here is as the process has it."""

    __tablename__ = "setting"
    __table_args__ = (
        CheckConstraint("length(agent) <= 200", name="agent"),
        CheckConstraint("name ~ '^[a-z]+(_[a-z]+)*$'", name="name"),
    )

    user_id: Mapped[UserId]
    agent: Mapped[str] = mapped_column(primary_key=True)
    """"" for the user's own."""
    name: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[Any] = mapped_column(JSONB)
    changed_at: Mapped[CreatedAt]
