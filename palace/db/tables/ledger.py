"""What model calls cost, and how much a user has."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from sqlalchemy import BigInteger, CheckConstraint, DateTime, Double, ForeignKeyConstraint, Index, Numeric, func, text
from sqlalchemy.orm import Mapped, mapped_column

from palace.db.tables.base import Base, OwnId, UserId

LANGUAGE_COUNTED = "^language:[a-z]{2}$"
"""Drawers of one language other than English."""


class CostEntry(Base):
    """One call to a paid model."""

    __tablename__ = "cost_entry"
    __table_args__ = (
        ForeignKeyConstraint(
            ["user_id", "conversation_id"],
            ["conversation.user_id", "conversation.id"],
            ondelete="SET NULL (conversation_id)",
        ),
        Index("ix_cost_entry_user_id_called_at", "user_id", "called_at"),
        Index(
            "ix_cost_entry_user_id_conversation_id",
            "user_id",
            "conversation_id",
            postgresql_where=text("conversation_id IS NOT NULL"),
        ),
    )

    user_id: Mapped[UserId]
    id: Mapped[OwnId]
    purpose: Mapped[str]
    """"memory_embed" and its like."""
    model: Mapped[str]
    tokens: Mapped[int] = mapped_column(BigInteger)
    cost_usd: Mapped[Decimal] = mapped_column(Numeric(18, 9))
    seconds: Mapped[float] = mapped_column(Double)
    outcome: Mapped[str]
    called_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), server_default=func.now())
    conversation_id: Mapped[int | None]
    """The one it was about; null where it was about several or none, or that is forgotten."""
    source: Mapped[str | None]
    """What was mined, as the person named it; null where it was about none or several."""


class CountDelta(Base):
    """A change of a count, appended by whoever made it and folded later, so that no two writers meet on one row."""

    __tablename__ = "count_delta"
    __table_args__ = (
        CheckConstraint(
            f"counted IN ('drawer', 'passage', 'sentence') OR counted ~ '{LANGUAGE_COUNTED}'", name="counted"
        ),
    )

    user_id: Mapped[UserId]
    counted: Mapped[str] = mapped_column(primary_key=True)
    id: Mapped[OwnId]
    amount: Mapped[int] = mapped_column(BigInteger)
