"""What happened, one event after the other."""

from __future__ import annotations

from typing import Any

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from palace.db.tables.base import Base, CreatedAt, OwnId, UserId


class ActivityEvent(Base):
    """One event: what a run landed and what of it failed, or what else changed the palace."""

    __tablename__ = "activity"
    __table_args__ = (
        CheckConstraint("kind ~ '^[a-z]+(_[a-z]+)*$'", name="kind"),
        ForeignKeyConstraint(["user_id", "run_id"], ["mining_run.user_id", "mining_run.id"], ondelete="CASCADE"),
        Index("ix_activity_user_id_happened_at", "user_id", "happened_at"),
        Index("ix_activity_user_id_run_id", "user_id", "run_id"),
    )

    user_id: Mapped[UserId]
    id: Mapped[OwnId]
    kind: Mapped[str]
    """"memory_mined" and its like."""
    happened_at: Mapped[CreatedAt]
    """When a run ended; of one that goes on, or was killed, when it began."""
    run_id: Mapped[int | None]
    details: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default=text("'{}'::jsonb"))
    """What landed or went, by number, and what failed; no text of a drawer and no name."""
