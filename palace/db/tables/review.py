"""What a user has looked at."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Index
from sqlalchemy.orm import Mapped, mapped_column

from palace.db.tables.base import Base, CreatedAt, UserId


class ReviewMark(Base):
    """That something was seen: numbers alone, which outlive what they are of and tell nothing of it."""

    __tablename__ = "review_mark"
    __table_args__ = (
        CheckConstraint("kind IN ('filed', 'redacted', 'changed')", name="kind"),
        Index("ix_review_mark_user_id_seen_at", "user_id", "seen_at"),
    )

    user_id: Mapped[UserId]
    kind: Mapped[str] = mapped_column(primary_key=True)
    item: Mapped[int] = mapped_column(primary_key=True)
    """A run, or a drawer."""
    by: Mapped[int] = mapped_column(primary_key=True)
    """Of what changed, the drawer that says what holds instead; else 0."""
    seen_at: Mapped[CreatedAt]
